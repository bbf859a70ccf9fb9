//! The game as sent to a page after each change: the complete state, as JSON.

use serde::Serialize;

use super::shown::{Shown, Step};
use crate::draw::compact;
use crate::game::{Color, Game, Outcome};
use crate::loa::{Move, Position};
use crate::play::{Choice, GameState, Settings};
use crate::protocol::commands::{Control, Pace, Phase, grammar::ended};
use crate::score::{Meaning, Score};
use crate::search::Report;

/// A game as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Snapshot {
    /// Board before the first move, as [`compact`] writes it.
    start: String,
    moves: Vec<Made>,
    /// Number of moves that can be redone.
    undone: usize,
    turn: &'static str,
    /// `playing`, `stopped` or `over`.
    phase: &'static str,
    /// Result in words, if the game is over.
    result: Option<String>,
    winner: Option<&'static str>,
    /// Legal moves, if a person is to move.
    steps: Vec<Step>,
    /// Each side's groups of pieces, if the game is over.
    groups: Option<[Vec<Vec<String>>; 2]>,
    /// Players of Black and White: `manual` or `automatic`.
    players: [&'static str; 2],
    /// Number of moves of each side after which the game is a tie.
    limit: Option<i64>,
    /// Seconds per move, if set.
    time: Option<f64>,
    /// Seed as text, because JavaScript cannot represent all 64-bit numbers exactly.
    seed: Option<String>,
    hint: Option<Hint>,
    /// Errors in the replayed file, not caused by any page.
    notices: Vec<String>,
    /// Position as text.
    position: String,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Made {
    text: String,
    words: String,
    captures: bool,
    /// Board after the move.
    board: String,
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

/// The current state of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SearchState {
    /// Black's advantage, from -1 to 1.
    share: f64,
    /// Score for Black, as text.
    score: String,
    depth: u16,
    nodes: u64,
    line: Vec<String>,
}

impl Snapshot {
    pub(super) fn of(state: &GameState, settings: &Settings, hint: Option<&Hint>, notices: &[String]) -> Snapshot {
        let (record, position) = (state.record(), state.position());
        let is_over = state.phase() == Phase::Over;
        let is_persons = state.phase() == Phase::Playing && state.control(position.turn()) == Control::Manual;
        let steps = if is_persons {
            position.legal_moves().into_iter().map(|mv| position.step(mv)).collect()
        } else {
            Vec::new()
        };
        let made = |(place, &mv): (usize, &Move)| {
            let (before, after) = (&record.positions()[place], &record.positions()[place + 1]);
            Made {
                text: before.notation(mv).to_string(),
                words: before.words(mv),
                captures: before.captures(mv),
                board: compact(after),
            }
        };
        Snapshot {
            start: compact(&record.positions()[0]),
            moves: record.moves().iter().enumerate().map(made).collect(),
            undone: state.undone(),
            turn: name(position.turn()),
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
            steps,
            groups: is_over.then(|| Color::ALL.map(|side| position.groups(side))),
            players: Color::ALL.map(|side| match state.control(side) {
                Control::Manual => "manual",
                Control::Automatic => "automatic",
            }),
            limit: state.limit(),
            time: match settings.pace {
                Pace::Constant(time) => Some(time.as_secs_f64()),
                Pace::PerGame | Pace::PerProcess => None,
            },
            seed: settings.seed.map(|seed| seed.to_string()),
            hint: hint.filter(|_| is_persons).cloned(),
            notices: notices.to_vec(),
            position: position.to_string(),
        }
    }
}

impl Hint {
    pub(super) fn of(position: &Position<8>, choice: &Choice<Position<8>>) -> Hint {
        let Step { from, to, .. } = position.step(choice.best);
        Hint { position: *position, from, to, why: choice.why.to_string() }
    }

    pub(super) fn is_of(&self, position: &Position<8>) -> bool {
        self.position == *position
    }
}

impl SearchState {
    pub(super) fn of(position: &Position<8>, report: &Report<Position<8>>) -> SearchState {
        let score = if position.turn() == Color::Black { report.score } else { -report.score };
        SearchState {
            share: share(score),
            score: score.to_string(),
            depth: report.depth.0 as u16,
            nodes: report.nodes,
            line: report.principal_variation.iter().map(ToString::to_string).collect(),
        }
    }
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

fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}
