//! Which moves are legal in a position (§1)?

use super::bitboard::{self, Bitboard, Geometry, STEPS};
use super::position::Position;
use super::square::Square;
use crate::game::MoveList;
use crate::game::bits::bits;

/// A piece's move from a square to another, which an enemy piece may hold: it is captured then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
}

impl Move {
    /// Where the piece starts.
    pub fn from(self) -> Square {
        self.from
    }

    /// Where it lands.
    pub fn to(self) -> Square {
        self.to
    }
}

impl<const N: usize> Position<N> {
    pub(crate) const LINES: &'static Geometry = &bitboard::geometry::<N>();
}

/// All legal moves (§1): a piece goes along a line exactly as many squares as there are pieces on
/// all of that line, over its own side's pieces but not over the enemy's, and not onto its own.
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
            // A target off the board, or in another line by a wrap, is not on the ray.
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
