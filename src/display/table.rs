//! A table: the page of games that a referee plays. Persons make their moves on it, and others watch.
//!
//! The referee's thread shows each turn and asks for moves. A move from a page is accepted only when the referee asks,
//! and only if it is legal; nothing else that a page sends has an effect on a game.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;

use super::announce;
use super::hub::Hub;
use super::page_request::{Desk, PageRequest, PageWish, Unaccepted};
use super::server::{Server, Site};
use super::shown::{Shown, Step, steps};
use super::snapshot::{Snapshot, groups, name, turned};
use super::table_page::table_page;
use crate::game::Color;

/// Time between two checks whether the referee still waits.
const PULSE: Duration = Duration::from_millis(100);

/// A table, open to pages until it is dropped.
pub struct Table {
    hub: Hub,
    server: Option<Server>,
    shared: Arc<Shared>,
}

/// What the referee does after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// A person wants another game.
    Again,
    /// A person has ended the program, or it is stopped.
    Ended,
}

/// State shared by the referee's thread and the server's.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The game on the table, and what persons want.
#[derive(Default)]
struct State {
    /// Whether persons play Black and White.
    persons: [bool; 2],
    /// Their names.
    names: [String; 2],
    snapshot: Snapshot,
    record: String,
    /// Start and moves of the game, in its notation.
    start: String,
    moves: Vec<String>,
    /// Legal moves in the last position, each with its number.
    ways: Vec<(Step, usize)>,
    must_capture: bool,
    groups: Option<[Vec<Vec<String>>; 2]>,
    asked: Asked,
    /// What a person wants after this game, or at once.
    wanted: Option<Rest>,
}

/// Whether the referee asks for a person's move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    /// It does not.
    #[default]
    Nothing,
    /// It waits.
    Move,
    /// A person has chosen the move of this number.
    Chosen(usize),
}

impl Table {
    /// Opens a table on `port` or a free one, and prints its address. `persons` tells which sides persons play.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub fn open<G: Shown>(port: Option<u16>, persons: [bool; 2]) -> Result<Table> {
        let (hub, shared) = (Hub::new(), Arc::new(Shared::default()));
        shared.state().persons = persons;
        let page = table_page::<G>(persons.contains(&true)).into_string();
        let desk = Box::new(TableDesk(shared.clone()));
        let server = Server::start(port, Site { page, record: G::RECORD, hub: hub.clone(), desk })?;
        announce(server.address());
        Ok(Table { hub, server: Some(server), shared })
    }

    /// Sets names, and which sides persons play, from the next game on.
    pub fn seat(&self, names: [String; 2], persons: [bool; 2]) {
        let mut state = self.shared.state();
        (state.names, state.persons) = (names, persons);
    }

    /// Begins a game after its opening moves.
    pub fn begin<G: Shown>(&self, start: &G, opening: &[G::Move]) {
        let mut state = self.shared.state();
        let serial = state.snapshot.serial + 1;
        let (names, persons) = (std::mem::take(&mut state.names), state.persons);
        let wanted = state.wanted.filter(|wanted| *wanted == Rest::Ended);
        *state = State { names, persons, start: start.to_string(), wanted, ..State::default() };
        let mut position = *start;
        for &mv in opening {
            state.moves.push(position.notation(mv).to_string());
            position = position.play(mv);
        }
        state.snapshot.serial = serial;
        self.refresh::<G>(&mut state);
    }

    /// Shows a turn: the move made in it, if any, and what was wrong with it, if something was.
    pub fn turned<G: Shown>(&self, mv: Option<&str>, wrong: Option<String>) {
        let mut state = self.shared.state();
        state.moves.extend(mv.map(str::to_owned));
        state.snapshot.notices.extend(wrong);
        self.refresh::<G>(&mut state);
    }

    /// Asks a person for a move. Returns its number among the legal moves of the last position; `None` if a person has
    /// ended the program, or `goes_on` returns false.
    pub fn choose(&self, goes_on: impl Fn() -> bool) -> Option<usize> {
        let mut state = self.shared.state();
        state.asked = Asked::Move;
        state.snapshot.steps = state.ways.iter().map(|(step, _)| step.clone()).collect();
        state.snapshot.must_capture = state.must_capture;
        self.publish(&state);
        let is_waiting = |state: &State| state.asked == Asked::Move && state.wanted.is_none() && goes_on();
        let mut state = self.shared.wait(state, is_waiting);
        state.snapshot.steps.clear();
        match std::mem::take(&mut state.asked) {
            Asked::Chosen(number) if state.wanted.is_none() => Some(number),
            _ => None,
        }
    }

    /// Shows the end of the game, and offers its record.
    pub fn end_game(&self, result: &str, winner: Option<Color>, record: String) {
        let mut state = self.shared.state();
        state.record = record;
        let groups = state.groups.clone();
        let (phase, result, winner) = ("over", Some(format!("{result}.")), winner.map(name));
        state.snapshot = Snapshot { phase, result, winner, groups, ..std::mem::take(&mut state.snapshot) };
        self.publish(&state);
    }

    /// Waits until a person wants another game, or ends the program, or `goes_on` returns false.
    pub fn rest(&self, goes_on: impl Fn() -> bool) -> Rest {
        let state = self.shared.state();
        let mut state = self.shared.wait(state, |state| state.wanted.is_none() && goes_on());
        let wanted = state.wanted.unwrap_or(Rest::Ended);
        state.wanted = Some(wanted).filter(|wanted| *wanted == Rest::Ended);
        wanted
    }

    /// True if a person has ended the program.
    pub fn has_quit(&self) -> bool {
        self.shared.state().wanted == Some(Rest::Ended)
    }

    /// Brings the snapshot up to date with the moves.
    fn refresh<G: Shown>(&self, state: &mut State) {
        // Start and moves were written by the game itself.
        let Ok(start) = state.start.parse::<G>() else { return };
        let (mut positions, mut moves) = (vec![start], Vec::new());
        for text in &state.moves {
            let position = positions[moves.len()];
            let Ok(mv) = position.parse_move(text) else { return };
            moves.push(mv);
            positions.push(position.play(mv));
        }
        let position = positions[moves.len()];
        state.record = G::record(start, &moves, &state.names, None);
        state.ways = steps(&position);
        state.must_capture = position.must_capture();
        state.groups = groups(&position);
        state.snapshot = Snapshot {
            serial: state.snapshot.serial,
            phase: "playing",
            players: state.persons.map(|person| if person { "manual" } else { "automatic" }),
            turned: turned::<G>(state.persons),
            names: Some(state.names.clone()),
            notices: std::mem::take(&mut state.snapshot.notices),
            ..Snapshot::of_game(&positions, &moves)
        };
        self.publish(state);
    }

    fn publish(&self, state: &State) {
        self.hub.show(&state.snapshot, &state.record);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.hub.end();
        self.server.take().into_iter().for_each(Server::stop);
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
}

/// Answers the requests of pages at once.
struct TableDesk(Arc<Shared>);

impl Desk for TableDesk {
    fn accept(&self, PageRequest { wish, answer }: PageRequest) -> Result<(), Unaccepted> {
        let done = match wish {
            PageWish::Line(line) => self.0.state().execute(line.trim()),
            PageWish::Game(_) => Err("this page takes no games".to_owned()),
        };
        self.0.changed.notify_all();
        // The page may have been closed.
        let _ = answer.send(done);
        Ok(())
    }
}

impl State {
    /// Executes a command of a page: a move as squares (`c3-d4`), `again`, or `quit`.
    fn execute(&mut self, line: &str) -> Result<(), String> {
        match line {
            _ if !self.persons.contains(&true) => return Err("this page only watches".to_owned()),
            "quit" => self.wanted = Some(Rest::Ended),
            "again" if self.snapshot.phase == "over" => self.wanted = self.wanted.or(Some(Rest::Again)),
            "again" => return Err("the game is not over".to_owned()),
            _ if self.asked != Asked::Move => return Err("no move is expected from this page now".to_owned()),
            path => {
                let way = self.ways.iter().find(|(step, _)| step.path.join("-") == path);
                let &(_, number) = way.ok_or_else(|| self.no_such_move(path))?;
                self.asked = Asked::Chosen(number);
            }
        }
        Ok(())
    }

    fn no_such_move(&self, found: &str) -> String {
        let ways: Vec<String> = self.ways.iter().map(|(step, _)| step.path.join("-")).collect();
        crate::game::ParseError::new(found, format!("a legal move: {}", ways.join(", "))).to_string()
    }
}
