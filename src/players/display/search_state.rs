//! The machine's thoughts, as sent to a page: the state of its search, the reason for its move, its hints.

use serde::Serialize;

use crate::play::{Choice, Why};
use crate::review::Judged;
use kingline::draw::shown::Shown;
use kingline::game::{Color, Game};
use kingline::loa::{Move, Position, Square};
use kingline::score::Score;
use kingline::search::Report;

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
            share: Some(share(position, report.score)),
            found: Found::Search { score: score.to_string(), depth: report.depth.0 as u16, nodes: report.nodes },
            line: report.principal_variation.iter().map(ToString::to_string).collect(),
        }
    }

    /// Why this move was chosen. The line begins with the move.
    pub(super) fn of_choice(position: &Position<8>, choice: &Choice<Position<8>>) -> SearchState {
        let line: &[Move] = match &choice.why {
            Why::Searched(report) => &report.principal_variation,
            Why::Proved(proof) => &proof.line,
            Why::OnlyMove | Why::Known(_) | Why::Solved(_) | Why::Lost(_) | Why::Held => &[],
        };
        let line = if line.first() == Some(&choice.best) { line } else { std::slice::from_ref(&choice.best) };
        let line = line.iter().map(ToString::to_string).collect();
        match &choice.why {
            Why::Searched(report) => SearchState { line, ..SearchState::of(position, report) },
            why => SearchState {
                share: why.score().map(|score| share(position, score)),
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

/// Returns the share of the bar at a score of the side to move: twice Black's winning chances, minus one.
fn share(position: &Position<8>, score: Score) -> f64 {
    let chances = position.chances(score);
    let of_black = if position.turn() == Color::Black { chances } else { chances.reversed() };
    2.0 * of_black.points() - 1.0
}
