//! The game as sent to a page after each change: the complete state, as JSON.

use serde::Serialize;

use super::choices::Choices;
use super::clocks::{Clocks, Times};
use super::shown::{Shown, Step, steps};
use crate::draw::compact;
use crate::game::{Color, Game, Outcome};
use crate::loa::{Move, Position, Square};
use crate::play::{Choice, GameState, Settings, Why};
use crate::protocol::commands::{Control, Pace, Phase, grammar::ended};
use crate::score::{Meaning, Score};
use crate::search::Report;

/// A game as a page shows it.
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
    /// Position as text.
    pub(super) position: String,
}

/// A move of the game.
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

/// The desk's knowledge of a game beyond the game itself.
pub(super) struct Known<'a> {
    pub(super) hint: Option<&'a Hint>,
    pub(super) choices: &'a Choices,
    pub(super) clocks: &'a Clocks,
    /// Errors in the replayed file.
    pub(super) notices: &'a [String],
}

/// A move that the machine suggests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hint {
    #[serde(skip)]
    position: Position<8>,
    from: String,
    to: String,
    why: String,
}

/// The state of a search, or why a move was chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SearchState {
    /// Black's advantage, from -1 to 1, if it is known.
    share: Option<f64>,
    #[serde(flatten)]
    found: Found,
    /// Moves, of which the first is that of the side to move.
    line: Vec<String>,
}

/// Result of a search, or another reason for a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Found {
    Search {
        /// Score for Black, as text.
        score: String,
        depth: u16,
        nodes: u64,
    },
    Reason {
        reason: String,
    },
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
            clock: known.clocks.times(),
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

impl Hint {
    pub(super) fn of(position: &Position<8>, choice: &Choice<Position<8>>) -> Hint {
        let square = |square: Square| Position::<8>::square(square.column(), square.row());
        let (from, to) = (square(choice.best.from()), square(choice.best.to()));
        Hint { position: *position, from, to, why: choice.why.to_string() }
    }

    pub(super) fn is_of(&self, position: &Position<8>) -> bool {
        self.position == *position
    }
}

impl SearchState {
    /// Black's advantage, from -1 to 1, if it is known.
    pub(super) fn share(&self) -> Option<f64> {
        self.share
    }

    pub(super) fn of(position: &Position<8>, report: &Report<Position<8>>) -> SearchState {
        let score = for_black(position, report.score);
        SearchState {
            share: Some(share(score)),
            found: Found::Search { score: score.to_string(), depth: report.depth.0 as u16, nodes: report.nodes },
            line: report.principal_variation.iter().map(ToString::to_string).collect(),
        }
    }

    /// Why this move was chosen. The line begins with the move.
    pub(super) fn of_choice(position: &Position<8>, choice: &Choice<Position<8>>) -> SearchState {
        let line: &[Move] = match &choice.why {
            Why::Searched(report) => &report.principal_variation,
            Why::Proved(proof) => &proof.line,
            Why::OnlyMove | Why::Known(_) | Why::Solved(_) => &[],
        };
        let line = if line.first() == Some(&choice.best) { line } else { std::slice::from_ref(&choice.best) };
        let line = line.iter().map(ToString::to_string).collect();
        match &choice.why {
            Why::Searched(report) => SearchState { line, ..SearchState::of(position, report) },
            why => SearchState {
                share: why.score().map(|score| share(for_black(position, score))),
                found: Found::Reason { reason: format!("{}: {why}", position.turn()) },
                line,
            },
        }
    }
}

/// Converts a score of the side to move to one of Black.
fn for_black(position: &Position<8>, score: Score) -> Score {
    if position.turn() == Color::Black { score } else { -score }
}

/// Converts a score to a share of the bar: twice the chance of winning, minus one. A score of 100 corresponds to a
/// chance of 73 %.
fn share(score: Score) -> f64 {
    match score.meaning() {
        Meaning::WinIn(_) => 1.0,
        Meaning::LossIn(_) => -1.0,
        _ => (f64::from(score.value()) / 200.0).tanh(),
    }
}

pub(super) fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}
