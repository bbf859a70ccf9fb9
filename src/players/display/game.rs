//! The page of games that a referee plays. Persons make their moves on it, and spectators watch.
//!
//! The referee's thread shows each turn and asks for moves. A move from a page is accepted only when the referee asks,
//! and only if it is legal; nothing else that a page sends has an effect on a game.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;

use super::broadcast::Broadcast;
use super::page::page;
use super::server::{Content, ONLY_WATCHES, PageRequest, Server, Site};
use super::snapshot::{Clocks, Snapshot, groups, name, turned};
use kingline::draw::shown::{Shown, Step, steps};
use kingline::game::{Color, ParseError};

/// Time between two checks whether the referee still waits.
const PULSE: Duration = Duration::from_millis(100);

/// A page, open until it is dropped.
pub struct GamePage {
    broadcast: Broadcast,
    shared: Arc<Shared>,
    _server: Server,
}

/// A player's request, made after a game or in the player's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerRequest {
    /// Another game.
    NewGame,
    /// The end of the program.
    Quit,
}

/// The sides of a game, Black first.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Their names.
    pub names: [String; 2],
    /// True for a person, false for an agent.
    pub persons: [bool; 2],
    /// Their times for the game, if they are limited.
    pub left: [Option<Duration>; 2],
    /// True if the time goes by while a side thinks; otherwise only its CPU time counts.
    pub falls: bool,
}

/// State shared by the referee's thread and the server's.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The game, and what persons want.
#[derive(Default)]
struct State {
    next: Sides,
    game: ShownGame,
    asked: Asked,
    wanted: Option<PlayerRequest>,
}

/// State of the referee's request for a person's move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    Nothing,
    /// The referee waits for a move.
    Move,
    /// A person has chosen the move of this number.
    Chosen(usize),
}

impl GamePage {
    /// Opens a page on `port` or a free one, and prints its address. `persons` tells which sides persons play.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub fn open<G: Shown>(port: Option<u16>, persons: [bool; 2]) -> Result<GamePage> {
        let (broadcast, shared) = (Broadcast::new(), Arc::new(Shared::default()));
        let has_persons = persons.contains(&true);
        let player = has_persons.then(|| shared.clone());
        let site = Site {
            page: page::<G>(None, has_persons).into_string(),
            record: Some(G::RECORD),
            broadcast: broadcast.clone(),
            handler: Box::new(move |PageRequest { content, answer }| {
                let done = match (&player, content) {
                    (None, _) => Err(ONLY_WATCHES.to_owned()),
                    (Some(shared), Content::Line(line)) => shared.execute(line.trim()),
                    (Some(_), Content::Game(_)) => Err("this page takes no games".to_owned()),
                };
                // The page may have been closed.
                let _ = answer.send(done);
                Ok(())
            }),
        };
        Ok(GamePage { broadcast, shared, _server: Server::start(port, site)? })
    }

    /// Sets the sides of the next game.
    pub fn set_sides(&self, sides: Sides) {
        self.shared.state().next = sides;
    }

    /// Begins a game after its opening moves.
    pub fn begin<G: Shown>(&self, start: &G, opening: &[G::Move]) {
        let mut state = self.shared.state();
        // A game may be played again by the same sides.
        let sides = state.next.clone();
        state.game.begin(sides, start, opening);
        state.game.publish(&self.broadcast);
    }

    /// Shows a turn: the side, its move if it made one, the time left to it, and what was wrong, if something was.
    pub fn turned<G: Shown>(&self, side: Color, mv: Option<&str>, left: Option<Duration>, wrong: Option<String>) {
        let mut state = self.shared.state();
        state.game.turned::<G>(side, mv, left, wrong);
        state.game.publish(&self.broadcast);
    }

    /// Asks a person for a move. Returns its number among the legal moves of the last position; `None` if a person has
    /// left the game, or `goes_on` returns false.
    pub fn choose(&self, goes_on: impl Fn() -> bool) -> Option<usize> {
        let mut state = self.shared.state();
        state.asked = Asked::Move;
        state.game.ask();
        state.game.publish(&self.broadcast);
        let is_waiting = |state: &State| state.asked == Asked::Move && state.wanted.is_none() && goes_on();
        let mut state = self.shared.wait(state, is_waiting);
        match std::mem::take(&mut state.asked) {
            Asked::Chosen(number) if state.wanted.is_none() => Some(number),
            _ => None,
        }
    }

    /// Shows the end of the game, and offers its record.
    pub fn end_game(&self, result: &str, winner: Option<Color>, record: String) {
        let mut state = self.shared.state();
        state.game.end(result, winner, record);
        state.game.publish(&self.broadcast);
    }

    /// Waits for a person's request, or until `goes_on` returns false; then returns `Quit`.
    pub fn next_request(&self, goes_on: impl Fn() -> bool) -> PlayerRequest {
        let state = self.shared.state();
        let mut state = self.shared.wait(state, |state| state.wanted.is_none() && goes_on());
        let wanted = state.wanted.unwrap_or(PlayerRequest::Quit);
        state.wanted = Some(wanted).filter(|wanted| *wanted == PlayerRequest::Quit);
        wanted
    }

    /// True if a person has left the game, for another or to end the program.
    pub fn is_left(&self) -> bool {
        self.shared.state().wanted.is_some()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked ends the program.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as a condition holds.
    fn wait<'a>(&self, mut state: MutexGuard<'a, State>, holds: impl Fn(&State) -> bool) -> MutexGuard<'a, State> {
        while holds(&state) {
            state = self.changed.wait_timeout(state, PULSE).unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Executes a command of a page: a move as squares (`c3-d4`), `again`, or `quit`.
    fn execute(&self, line: &str) -> Result<(), String> {
        let mut state = self.state();
        match line {
            "quit" => state.wanted = Some(PlayerRequest::Quit),
            // A person can leave a game in its turn.
            "again" if state.game.is_over() || state.asked == Asked::Move => {
                state.wanted = state.wanted.or(Some(PlayerRequest::NewGame));
            }
            "again" => return Err("a game can be left only in your turn".to_owned()),
            _ if state.asked != Asked::Move => return Err("no move is expected from this page now".to_owned()),
            path => state.asked = Asked::Chosen(state.game.number_of(path)?),
        }
        self.changed.notify_all();
        Ok(())
    }
}

/// A game of any kind. Its moves are kept as text, so that one page serves every game.
#[derive(Debug, Default)]
struct ShownGame {
    sides: Sides,
    clocks: Clocks,
    snapshot: Snapshot,
    record: String,
    /// Start and moves of the game, in its notation.
    start: String,
    moves: Vec<String>,
    /// Legal moves in the last position, each with its number.
    ways: Vec<(Step, usize)>,
    must_capture: bool,
    groups: Option<[Vec<Vec<String>>; 2]>,
}

impl ShownGame {
    fn begin<G: Shown>(&mut self, sides: Sides, start: &G, opening: &[G::Move]) {
        let serial = self.snapshot.serial + 1;
        *self = ShownGame { sides, start: start.to_string(), ..ShownGame::default() };
        let mut position = *start;
        for &mv in opening {
            self.moves.push(position.notation(mv).to_string());
            position = position.play(mv);
        }
        self.snapshot.serial = serial;
        self.refresh::<G>();
    }

    /// Adds a turn: see [`GamePage::turned`].
    fn turned<G: Shown>(&mut self, side: Color, mv: Option<&str>, left: Option<Duration>, wrong: Option<String>) {
        self.sides.left[side.index()] = left;
        self.moves.extend(mv.map(str::to_owned));
        self.snapshot.notices.extend(wrong);
        self.refresh::<G>();
    }

    fn ask(&mut self) {
        self.snapshot.steps = self.ways.iter().map(|(step, _)| step.clone()).collect();
        self.snapshot.must_capture = self.must_capture;
    }

    /// Returns the number of the legal move with this path: `c3-d4`.
    ///
    /// # Errors
    /// There is no such move; the text lists the legal ones.
    fn number_of(&self, path: &str) -> Result<usize, String> {
        let paths: Vec<String> = self.ways.iter().map(|(step, _)| step.path.join("-")).collect();
        match paths.iter().position(|each| each == path) {
            Some(place) => Ok(self.ways[place].1),
            None => Err(ParseError::new(path, format!("a legal move: {}", paths.join(", "))).to_string()),
        }
    }

    fn end(&mut self, result: &str, winner: Option<Color>, record: String) {
        self.record = record;
        self.clocks.update(self.snapshot.serial, None);
        self.snapshot.phase = "over";
        self.snapshot.result = Some(format!("{result}."));
        self.snapshot.winner = winner.map(name);
        self.snapshot.steps.clear();
        self.snapshot.groups = self.groups.clone();
        self.snapshot.clock = self.clocks.times;
    }

    fn is_over(&self) -> bool {
        self.snapshot.phase == "over"
    }

    fn publish(&self, broadcast: &Broadcast) {
        broadcast.show(&self.snapshot, &self.record, self.is_over());
    }

    /// Brings the snapshot up to date with the moves.
    fn refresh<G: Shown>(&mut self) {
        // Start and moves were written by the game itself.
        let Ok(start) = self.start.parse::<G>() else { return };
        let (mut positions, mut moves) = (vec![start], Vec::new());
        for text in &self.moves {
            let position = positions[moves.len()];
            let Ok(mv) = position.parse_move(text) else { return };
            moves.push(mv);
            positions.push(position.play(mv));
        }
        let position = positions[moves.len()];
        let Sides { names, persons, left, falls } = &self.sides;
        self.record = G::record(start, &moves, names);
        self.ways = steps(&position);
        self.must_capture = position.must_capture();
        self.groups = groups(&position);
        self.clocks.update(self.snapshot.serial, Some(position.turn()).filter(|_| !self.ways.is_empty()));
        self.clocks.set_left(*left, *falls);
        self.snapshot = Snapshot {
            serial: self.snapshot.serial,
            phase: "playing",
            players: persons.map(|person| if person { "manual" } else { "automatic" }),
            turned: turned::<G>(*persons),
            names: Some(names.clone()),
            clock: self.clocks.times,
            notices: std::mem::take(&mut self.snapshot.notices),
            ..Snapshot::of_game(&positions, &moves)
        };
    }
}
