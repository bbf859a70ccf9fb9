//! Marks of moves.

use std::fmt;

use serde::{Deserialize, Serialize};

use kingline::game::Glyph;

/// A mark of a move, by the winning chances that it loses, or by the choice that the player had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The only legal move.
    Forced,
    /// The best move, and every other loses at least as much as a blunder.
    OnlyMove,
    /// Loses at least 5 points of a hundred.
    Inaccuracy,
    /// Loses at least 10 points.
    Mistake,
    /// Loses at least 20 points.
    Blunder,
}

impl Mark {
    /// Smallest loss of chances that is a blunder.
    pub(super) const BLUNDER: f64 = 0.2;
    /// Marks for lost chances with the smallest loss, the worst first.
    const FAULTS: [(Mark, f64); 3] = [(Mark::Blunder, Mark::BLUNDER), (Mark::Mistake, 0.1), (Mark::Inaccuracy, 0.05)];

    /// Returns the mark of a move that loses this part of the chances, if it loses enough.
    pub(crate) fn of_loss(loss: f64) -> Option<Mark> {
        Mark::FAULTS.into_iter().find(|&(_, least)| loss >= least).map(|(mark, _)| mark)
    }

    /// Returns `true` for moves that lose chances.
    pub fn is_fault(self) -> bool {
        self >= Mark::Inaccuracy
    }

    /// Glyph in game records.
    pub(crate) fn glyph(self) -> Glyph {
        match self {
            Mark::Forced => Glyph::Forced,
            Mark::OnlyMove => Glyph::Singular,
            Mark::Inaccuracy => Glyph::Dubious,
            Mark::Mistake => Glyph::Mistake,
            Mark::Blunder => Glyph::Blunder,
        }
    }

    /// Sign after a move in text: `?!`, `?`, `??`, `!` for the only move, nothing for a forced one.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Forced => "",
            Mark::OnlyMove => "!",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

impl fmt::Display for Mark {
    /// `blunder`, `only move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Forced => "forced",
            Mark::OnlyMove => "only move",
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_mark_applies() {
        for (loss, mark) in [
            (0.0, None),
            (0.0499, None),
            (0.05, Some(Mark::Inaccuracy)),
            (0.1, Some(Mark::Mistake)),
            (0.2, Some(Mark::Blunder)),
            (1.0, Some(Mark::Blunder)),
        ] {
            assert_eq!(Mark::of_loss(loss), mark, "{loss}");
        }
    }
}
