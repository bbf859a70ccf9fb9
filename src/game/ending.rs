//! How did a game end, and why?

use super::color::Color;

/// How a game ended: its result. [`Ending`] adds why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Color),
    /// Nobody has won.
    Draw,
}

/// How a game ended by the rules, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side won.
    Win(Color),
    /// Nobody won, for this reason.
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The position has occurred too often.
    Repetition,
    /// Too many quiet turns in a row.
    QuietTurns,
    /// The position itself is drawn.
    Position,
}

impl Ending {
    /// The result, without the reason.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Win(winner) => Outcome::Win(winner),
            Ending::Draw(_) => Outcome::Draw,
        }
    }
}
