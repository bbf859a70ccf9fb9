//! Which pieces stand where, and whose turn is it?

use super::bitboard::{self, Bitboard};
use super::connection::is_connected;
use super::square::Square;
use super::zobrist;
use crate::game::Color;

/// A board of `N` columns and rows, 4, 5, 6 or 8, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    /// All pieces of each color.
    pub(crate) pieces: [Bitboard; 2],
    pub(crate) turn: Color,
    pub(super) key: u64,
}

impl<const N: usize> Position<N> {
    /// The position with these pieces. Of two pieces on one square the last one stays; squares off
    /// the board are left out.
    pub fn new(turn: Color, placed: impl IntoIterator<Item = (Square, Color)>) -> Position<N> {
        const { assert!(matches!(N, 4..=6 | 8), "boards have 4, 5, 6 or 8 columns and rows") }
        let mut pieces = [0; 2];
        for (square, color) in placed {
            pieces[color.index()] |= square.bit() & bitboard::board::<N>();
            pieces[(!color).index()] &= !square.bit();
        }
        let mut position = Position { pieces, turn, key: 0 };
        position.key = position.key_from_scratch();
        position
    }

    /// What stands on `square`.
    pub fn at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)
    }

    /// Number of pieces of `color`.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Whether the pieces of `color` form one group (§1).
    pub fn is_connected(&self, color: Color) -> bool {
        is_connected(self.pieces[color.index()])
    }

    /// The same board with `color` to move.
    pub fn with_turn(&self, color: Color) -> Position<N> {
        if color == self.turn {
            *self
        } else {
            Position { turn: color, key: self.key ^ zobrist::WHITE_TO_MOVE, ..*self }
        }
    }

    /// The same for the other color: each piece has the other one, and so has the side to move.
    #[must_use]
    pub fn exchanged(&self) -> Position<N> {
        Position::new(!self.turn, self.placed().map(|(square, color)| (square, !color)))
    }

    /// All pieces, row by row from the lowest.
    pub fn placed(&self) -> impl Iterator<Item = (Square, Color)> {
        Square::all::<N>().filter_map(|square| self.at(square).map(|color| (square, color)))
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = match self.turn {
            Color::Black => 0,
            Color::White => zobrist::WHITE_TO_MOVE,
        };
        self.placed().fold(turn, |sum, (square, color)| sum ^ zobrist::piece(color, square))
    }
}
