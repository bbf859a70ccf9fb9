//! Positions: the pieces on the board, and the side to move.

use super::piece::Piece;
use super::square::Square;
use super::zobrist;
use crate::game::Color;
use crate::game::bits::bits;

/// A board and the side to move.
///
/// Sets of squares are `u32`, one bit per dark square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// All pieces of each color.
    pub(crate) pieces: [u32; 2],
    /// Kings of both colors.
    pub(crate) kings: u32,
    pub(crate) turn: Color,
    pub(super) key: u64,
}

/// Row-order index of each bit: `4 * row + column / 2`.
pub(crate) const BY_ROWS: [u8; 32] = {
    let mut table = [0; 32];
    let mut index = 0;
    while index < 32 {
        let square = Square::from_index(index);
        table[index] = (4 * square.row() + square.column() / 2) as u8;
        index += 1;
    }
    table
};

impl Position {
    /// Creates the position with these pieces. If two are on the same square, the last one is kept.
    pub fn new(turn: Color, placed: impl IntoIterator<Item = (Square, Color, Piece)>) -> Position {
        let mut position = Position { pieces: [0; 2], kings: 0, turn, key: 0 };
        for (square, color, piece) in placed {
            position.pieces[color.index()] |= square.bit();
            position.pieces[(!color).index()] &= !square.bit();
            match piece {
                Piece::Man => position.kings &= !square.bit(),
                Piece::King => position.kings |= square.bit(),
            }
        }
        position.key = position.key_from_scratch();
        position
    }

    /// Returns the piece on `square`, if there is one.
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let color = Color::ALL.into_iter().find(|color| self.pieces[color.index()] & square.bit() != 0)?;
        let piece = if self.kings & square.bit() != 0 { Piece::King } else { Piece::Man };
        Some((color, piece))
    }

    /// Returns the number of pieces of `color`, men and kings.
    pub fn count(&self, color: Color) -> u32 {
        self.pieces[color.index()].count_ones()
    }

    /// Returns the number of kings of `color`.
    pub fn kings(&self, color: Color) -> u32 {
        (self.pieces[color.index()] & self.kings).count_ones()
    }

    /// Returns the men and the kings of `color`, each as a set of squares in row order: bit `4 * row + column / 2`.
    #[inline]
    pub fn sets(&self, color: Color) -> [u32; 2] {
        let by_rows = |set: u32| bits(set).fold(0, |rows, index| rows | 1 << BY_ROWS[index & 31]);
        let pieces = self.pieces[color.index()];
        [by_rows(pieces & !self.kings), by_rows(pieces & self.kings)]
    }

    /// Returns the same position with the colors exchanged and the board rotated by 180°.
    pub fn flipped(&self) -> Position {
        let [black, white] = self.pieces;
        let mut flipped = Position {
            pieces: [white.reverse_bits(), black.reverse_bits()],
            kings: self.kings.reverse_bits(),
            turn: !self.turn,
            key: 0,
        };
        flipped.key = flipped.key_from_scratch();
        flipped
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = match self.turn {
            Color::Black => 0,
            Color::White => zobrist::WHITE_TO_MOVE,
        };
        for square in Square::all() {
            if let Some((color, piece)) = self.at(square) {
                key ^= zobrist::piece_key(color, piece, square);
            }
        }
        key
    }

    #[inline(always)]
    pub(crate) fn piece_on(&self, bit: u32) -> Piece {
        if self.kings & bit != 0 { Piece::King } else { Piece::Man }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_is_the_identity() {
        let position: Position = "B:W18,24,K27:B12,K16,20".parse().unwrap();
        assert_eq!(position.flipped().flipped(), position);
        assert_eq!(position.flipped().to_string(), "W:W13,K17,21:BK6,9,15");
    }
}
