use std::fmt::{self, Display};
use std::ops::Not;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Color {
    /// Moves first in every game here.
    Black,
    /// Moves second.
    White,
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// Result of a game. [`Ending`] adds the reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A win for this side.
    Win(Color),
    /// A draw.
    Draw,
}

/// Result of a game by the rules, with the reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A win for this side.
    Win(Color),
    /// A draw, for this reason.
    Draw(DrawReason),
}

/// Reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
pub enum DrawReason {
    /// The position has occurred too often.
    Repetition,
    /// Too many quiet turns in a row.
    QuietTurns,
    /// The position itself is drawn.
    Position,
}

impl Ending {
    /// Returns the result without the reason.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Win(winner) => Outcome::Win(winner),
            Ending::Draw(_) => Outcome::Draw,
        }
    }
}

impl Display for Ending {
    /// `Black wins`, `drawn by repetition`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Win(winner) => write!(f, "{winner} wins"),
            Ending::Draw(reason) => write!(f, "drawn by {reason}"),
        }
    }
}

impl Display for DrawReason {
    /// `repetition`, `quiet turns`, `position`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Repetition => "repetition",
            DrawReason::QuietTurns => "quiet turns",
            DrawReason::Position => "position",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_names_the_winner_or_the_reason() {
        for (ending, text) in [
            (Ending::Win(Color::Black), "Black wins"),
            (Ending::Draw(DrawReason::Repetition), "drawn by repetition"),
            (Ending::Draw(DrawReason::QuietTurns), "drawn by quiet turns"),
        ] {
            assert_eq!(ending.to_string(), text);
        }
    }
}
