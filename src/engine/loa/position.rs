//! Positions: the pieces of both colors, and the side to move.

use super::bitboard::{self, Bitboard};
use super::connection::is_connected;
use super::square::Square;
use super::zobrist;
use crate::game::Color;

/// A board of `N` columns and rows (4, 5, 6 or 8), and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<const N: usize> {
    /// Pieces of each color.
    pub(crate) pieces: [Bitboard; 2],
    pub(crate) turn: Color,
    pub(super) key: u64,
}

impl<const N: usize> Position<N> {
    /// Creates the position with these pieces. If two are on the same square, the last one is kept. Squares off the
    /// board are ignored.
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

    /// Color of the piece on `square`, if there is one.
    pub fn at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)
    }

    /// Number of pieces of `color`.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Returns true if the pieces of `color` form one group (§1).
    pub fn is_connected(&self, color: Color) -> bool {
        is_connected(self.pieces[color.index()])
    }

    /// Returns the same board with `color` to move.
    pub fn with_turn(&self, color: Color) -> Position<N> {
        if color == self.turn {
            *self
        } else {
            Position { turn: color, key: self.key ^ zobrist::WHITE_TO_MOVE, ..*self }
        }
    }

    /// Exchanges the colors of all pieces and of the side to move.
    #[must_use]
    pub fn exchanged(&self) -> Position<N> {
        Position::new(!self.turn, self.placed().map(|(square, color)| (square, !color)))
    }

    /// Iterates over all pieces, row by row from the lowest.
    pub fn placed(&self) -> impl Iterator<Item = (Square, Color)> {
        Square::all::<N>().filter_map(|square| self.at(square).map(|color| (square, color)))
    }

    fn key_from_scratch(&self) -> u64 {
        let turn = match self.turn {
            Color::Black => 0,
            Color::White => zobrist::WHITE_TO_MOVE,
        };
        self.placed().fold(turn, |sum, (square, color)| sum ^ zobrist::piece_key(color, square))
    }
}
