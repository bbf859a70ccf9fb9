//! Squares and their names.

use std::fmt;
use std::str::FromStr;

use super::bitboard::{self, Bitboard, STRIDE};
use crate::game::ParseError;
use crate::game::bits::bits;

/// A square of the 8x8 board, or of the 6x6 board, which is its lower left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square in column 0 (a) to 7 (h) and row 0 (the lowest) to 7, or `None` outside these ranges.
    pub const fn at(column: usize, row: usize) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square((STRIDE * row + column) as u8)) } else { None }
    }

    /// Column 0 (a) to 7 (h).
    pub const fn column(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Row 0 (the lowest) to 7.
    pub const fn row(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// Iterates over all squares of a board of `N` columns and rows, row by row from the lowest.
    pub fn all<const N: usize>() -> impl Iterator<Item = Square> {
        bits(bitboard::board::<N>()).map(Square::from_index)
    }

    #[inline(always)]
    pub(crate) const fn from_index(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize & 63
    }

    #[inline(always)]
    pub(crate) const fn bit(self) -> Bitboard {
        1 << (self.0 & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl FromStr for Square {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Square, ParseError> {
        match text.as_bytes() {
            &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                Square::at(usize::from(column - b'a'), usize::from(row - b'1'))
            }
            _ => None,
        }
        .ok_or_else(|| ParseError::new(text, "a square, a1 to h8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        assert_eq!((Square::all::<8>().count(), Square::all::<6>().count()), (64, 36));
        for square in Square::all::<8>() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
        }
        assert_eq!("b1".parse::<Square>().unwrap().index(), 1);
        assert_eq!(Square::all::<6>().last().unwrap().to_string(), "f6");
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "a", "a0", "a9", "i1", "A1", "a11", "\u{fffd}1"] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(error.expected, "a square, a1 to h8", "{text}");
        }
        assert_eq!(Square::at(8, 0), None);
        assert_eq!(Square::at(0, 8), None);
    }
}
