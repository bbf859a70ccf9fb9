//! The machine's thoughts, as sent to a page: the state of its search, its hints, and the reasons for its moves.

use serde::Serialize;

use crate::play::{Choice, GameState, Why};
use crate::review::Judged;
use kingline::draw::shown::Shown;
use kingline::game::{Color, Game};
use kingline::loa::{Move, Position, Square};
use kingline::score::Score;
use kingline::search::Report;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hint {
    #[serde(skip)]
    pub(super) position: Position<8>,
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

/// Result of a search, with its score for Black, or another reason for a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Found {
    Search { score: String, depth: u16, nodes: u64 },
    Reason { reason: String },
}

impl Hint {
    pub(super) fn of(position: &Position<8>, choice: &Choice<Position<8>>) -> Hint {
        let square = |square: Square| Position::<8>::square(square.column(), square.row());
        let (from, to) = (square(choice.best.from()), square(choice.best.to()));
        Hint { position: *position, from, to, why: choice.why.to_string() }
    }
}

impl SearchState {
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

/// The machine's moves in one game. Undone moves stay until other moves replace them.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// [`GameState::serial`] of the game.
    serial: u64,
    made: Vec<Chosen>,
}

#[derive(Debug)]
struct Chosen {
    /// Number of moves in the game, with this one.
    count: usize,
    /// Position after the move.
    after: Position<8>,
    why: SearchState,
}

impl Choices {
    /// Adds the last move of the game, which the machine has made for this reason.
    pub(super) fn add(&mut self, state: &GameState, why: SearchState) {
        self.settle(state);
        let count = state.record().moves().len();
        self.made.retain(|chosen| chosen.count < count);
        self.made.push(Chosen { count, after: state.position(), why });
    }

    /// Forgets moves that are neither made nor undone.
    pub(super) fn settle(&mut self, state: &GameState) {
        if self.serial != state.serial() {
            *self = Choices { serial: state.serial(), made: Vec::new() };
        }
        let (positions, undone) = (state.record().positions(), state.undone());
        self.made.retain(|chosen| match positions.get(chosen.count) {
            Some(position) => *position == chosen.after,
            None => chosen.count < positions.len() + undone,
        });
    }

    /// Reason for the last move of the machine among the first `moves` moves of the game.
    pub(super) fn last(&self, moves: usize) -> Option<&SearchState> {
        self.made.iter().rev().find(|chosen| chosen.count <= moves).map(|chosen| &chosen.why)
    }

    /// Black's advantage, from -1 to 1, according to the machine when it made the move that is the `count`-th of the
    /// game; `None` if a person made it, or if the machine did not search.
    pub(super) fn share(&self, count: usize) -> Option<f64> {
        self.made.iter().find(|chosen| chosen.count == count).and_then(|chosen| chosen.why.share)
    }
}

fn for_black(position: &Position<8>, score: Score) -> Score {
    if position.turn() == Color::Black { score } else { -score }
}

/// Returns the share of the bar at a score of the side to move: twice Black's winning chances, minus one.
fn share(position: &Position<8>, score: Score) -> f64 {
    let chances = position.chances(score);
    let of_black = if position.turn() == Color::Black { chances } else { chances.reversed() };
    2.0 * of_black.points() - 1.0
}
