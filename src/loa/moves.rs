//! Move generation (§1).

use super::bitboard::{self, Bitboard, Geometry, STEPS};
use super::position::Position;
use super::square::Square;
use crate::game::MoveList;
use crate::game::bits::bits;

/// A move of a piece to another square. An enemy piece there is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
}

impl Move {
    /// Square on which the piece starts.
    pub fn from(self) -> Square {
        self.from
    }

    /// Square on which the piece lands.
    pub fn to(self) -> Square {
        self.to
    }
}

impl<const N: usize> Position<N> {
    pub(crate) const LINES: &'static Geometry = &bitboard::geometry::<N>();
}

/// Adds all legal moves (§1) to `list`.
///
/// A piece moves along a line by exactly the number of pieces on that line. It may pass over its own side's pieces but
/// not land on them, and may capture enemy pieces but not pass over them.
#[inline]
pub(crate) fn generate<const N: usize>(position: &Position<N>, list: &mut MoveList<Move>) {
    let us = position.pieces[position.turn.index()];
    let them = position.pieces[(!position.turn).index()];
    let all = us | them;
    for from in bits(us) {
        let here: Bitboard = 1 << from;
        for (axis, step) in STEPS.into_iter().enumerate() {
            let above = Position::<N>::LINES.above[axis][from];
            let below = Position::<N>::LINES.below[axis][from];
            let distance = (all & (above | below | here)).count_ones() * step;
            // The ray excludes targets that are off the board or that wrapped into another line.
            let up = here.checked_shl(distance).unwrap_or(0) & above & !us;
            if up != 0 && (up - 1) & above & them == 0 {
                list.push(Move { from: Square::from_index(from), to: Square::from_index(from + distance as usize) });
            }
            let down = here.checked_shr(distance).unwrap_or(0) & below & !us;
            if down != 0 && below & them & !(down | (down - 1)) == 0 {
                list.push(Move { from: Square::from_index(from), to: Square::from_index(from - distance as usize) });
            }
        }
    }
}
