//! The game as sent to a page after each change: the complete state, as JSON; and the clocks of its sides.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::thoughts::{Choices, Hint, SearchState};
use crate::play::{GameState, Settings};
use crate::protocol::commands::{Control, Pace, Phase, grammar::ended};
use kingline::draw::compact;
use kingline::draw::shown::{Shown, Step, steps};
use kingline::game::{Color, Game, Outcome};
use kingline::loa::Position;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Snapshot {
    /// Number of games and positions shown so far. A page may miss states in between.
    pub(super) serial: u64,
    /// True if the game began at the start position.
    pub(super) is_whole: bool,
    /// Board before the first move, as [`compact`] writes it.
    pub(super) start: String,
    /// Side that made the first move, or will make it.
    pub(super) first: &'static str,
    pub(super) moves: Vec<Made>,
    /// Number of moves that can be redone.
    pub(super) undone: usize,
    pub(super) turn: &'static str,
    /// `playing`, `stopped` or `over`.
    pub(super) phase: &'static str,
    /// Result in words, if the game is over.
    pub(super) result: Option<String>,
    pub(super) winner: Option<&'static str>,
    /// Legal moves, if a person is to move.
    pub(super) steps: Vec<Step>,
    /// True if the rules force the person to capture.
    pub(super) must_capture: bool,
    /// Each side's groups of pieces, if the game is over and groups decide it.
    pub(super) groups: Option<[Vec<Vec<String>>; 2]>,
    /// Players of Black and White: `manual` or `automatic`.
    pub(super) players: [&'static str; 2],
    /// True if the board begins turned, with the upper side's pieces at the lower edge.
    pub(super) turned: bool,
    /// Names of Black and White, if they have names.
    pub(super) names: Option<[String; 2]>,
    /// Number of moves of each side after which the game is a tie.
    pub(super) limit: Option<i64>,
    /// Seconds per move, if set.
    pub(super) time: Option<f64>,
    /// Level of the machine, if set.
    pub(super) level: Option<u8>,
    /// Seed as text, because JavaScript cannot represent all 64-bit numbers exactly.
    pub(super) seed: Option<String>,
    pub(super) clock: Times,
    pub(super) hint: Option<Hint>,
    /// Why the machine made its last move.
    pub(super) chosen: Option<SearchState>,
    /// Problems that no page has caused.
    pub(super) notices: Vec<String>,
    pub(super) position: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Made {
    text: String,
    words: String,
    /// Squares of the piece, from the first to the last.
    path: Vec<String>,
    captures: bool,
    /// Board after the move.
    board: String,
    /// Black's advantage, from -1 to 1, as the machine saw it when it made the move; `None` for a person's moves.
    share: Option<f64>,
}

/// State of a session beyond its game.
pub(super) struct Known<'a> {
    pub(super) hint: Option<&'a Hint>,
    pub(super) choices: &'a Choices,
    pub(super) clocks: &'a Clocks,
    /// Errors in the replayed file.
    pub(super) notices: &'a [String],
}

impl Snapshot {
    pub(super) fn of(state: &GameState, settings: &Settings, known: &Known) -> Snapshot {
        let (record, position) = (state.record(), state.position());
        let is_over = state.phase() == Phase::Over;
        let is_persons = state.phase() == Phase::Playing && state.control(position.turn()) == Control::Manual;
        let mut game = Snapshot::of_game(record.positions(), record.moves());
        for (place, made) in game.moves.iter_mut().enumerate() {
            made.share = known.choices.share(place + 1);
        }
        Snapshot {
            serial: state.serial(),
            undone: state.undone(),
            phase: match state.phase() {
                Phase::Playing => "playing",
                Phase::Stopped => "stopped",
                Phase::Over => "over",
            },
            result: record.result().filter(|_| is_over).map(|result| ended(result).to_owned()),
            winner: match record.result() {
                Some(Outcome::Win(side)) if is_over => Some(name(side)),
                _ => None,
            },
            steps: if is_persons { steps(&position).into_iter().map(|(step, _)| step).collect() } else { Vec::new() },
            groups: groups(&position).filter(|_| is_over),
            players: Color::ALL.map(|side| match state.control(side) {
                Control::Manual => "manual",
                Control::Automatic => "automatic",
            }),
            turned: turned::<Position<8>>(Color::ALL.map(|side| state.control(side) == Control::Manual)),
            limit: state.limit(),
            time: match settings.pace {
                Pace::Constant(time) => Some(time.as_secs_f64()),
                Pace::PerGame | Pace::PerProcess | Pace::Level(_) => None,
            },
            level: match settings.pace {
                Pace::Level(level) => Some(level.number()),
                Pace::PerGame | Pace::PerProcess | Pace::Constant(_) => None,
            },
            seed: settings.seed.map(|seed| seed.to_string()),
            clock: known.clocks.times,
            hint: known.hint.filter(|_| is_persons).cloned(),
            chosen: known.choices.last(record.moves().len()).cloned(),
            notices: known.notices.to_vec(),
            ..game
        }
    }

    /// The parts that follow from the positions and moves of a game. There is one more position than moves.
    pub(super) fn of_game<G: Shown>(positions: &[G], moves: &[G::Move]) -> Snapshot {
        let position = positions[moves.len()];
        let made = |(place, &mv): (usize, &G::Move)| {
            let (before, after) = (&positions[place], &positions[place + 1]);
            let Step { path, captures, .. } = before.steps(mv).into_iter().next().unwrap_or_default();
            let (text, words) = (before.written(mv), before.words(mv));
            Made { text, words, path, captures, board: compact(after), share: None }
        };
        Snapshot {
            is_whole: positions[0] == G::start(),
            start: compact(&positions[0]),
            first: name(positions[0].turn()),
            moves: moves.iter().enumerate().map(made).collect(),
            turn: name(position.turn()),
            position: position.to_string(),
            ..Snapshot::default()
        }
    }
}

/// Each side's groups of pieces, if groups decide the game.
pub(super) fn groups<G: Shown>(position: &G) -> Option<[Vec<Vec<String>>; 2]> {
    Some([position.groups(Color::Black)?, position.groups(Color::White)?])
}

/// Returns true if the only person plays the upper side, of which the pieces then begin at the lower edge.
pub(super) fn turned<G: Shown>(persons: [bool; 2]) -> bool {
    persons[(!G::BELOW).index()] && !persons[G::BELOW.index()]
}

pub(super) fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Clocks of both sides: the time that each has used in the current game, or has left.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// Number of the game.
    serial: u64,
    pub(super) times: Times,
    /// The side whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

/// Clocks as sent to a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Times {
    /// Milliseconds that Black and White have used, without the current turn.
    used: [u64; 2],
    /// Milliseconds left to sides that have a time for the game, at the start of the current turn, as the referee counts it.
    left: [Option<u64>; 2],
    /// True if that time goes by while a side thinks; otherwise only its CPU time counts.
    falls: bool,
    /// Start of the current turn, in milliseconds since 1970, if it is timed. Pages run on the same machine.
    since: Option<u64>,
}

impl Clocks {
    /// Stops and starts the clocks after a change of the game of this number, in which the clock of the side `timed`
    /// runs.
    pub(super) fn update(&mut self, serial: u64, timed: Option<Color>) {
        if self.serial != serial {
            *self = Clocks { serial, ..Clocks::default() };
        }
        if self.running.map(|(side, _)| side) == timed {
            return;
        }
        if let Some((side, since)) = self.running.take() {
            self.times.used[side.index()] += milliseconds(since.elapsed());
        }
        self.running = timed.map(|side| (side, Instant::now()));
        let now = || milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        self.times.since = timed.map(|_| now());
    }

    /// Sets the time left to Black and White, and whether it goes by while a side thinks.
    pub(super) fn set_left(&mut self, left: [Option<Duration>; 2], falls: bool) {
        (self.times.left, self.times.falls) = (left.map(|left| left.map(milliseconds)), falls);
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
