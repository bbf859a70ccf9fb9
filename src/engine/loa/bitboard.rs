//! Bitboards: sets of squares with one bit per square. One column to the right is one bit up, one row up is eight.
//!
//! ```text
//!   8 | 56 57 58 59 60 61 62 63
//!   7 | 48 49 50 51 52 53 54 55
//!   6 | 40 41 42 43 44 45|46 47      The 6x6 board is the lower left corner
//!   5 | 32 33 34 35 36 37|38 39      of the 8x8 board. Both have the same
//!   4 | 24 25 26 27 28 29|30 31      steps and directions.
//!   3 | 16 17 18 19 20 21|22 23
//!   2 |  8  9 10 11 12 13|14 15
//!   1 |  0  1  2  3  4  5| 6  7
//!     +------------------------
//!        a  b  c  d  e  f  g  h
//! ```

use std::fmt;
use std::str::FromStr;

use super::bitboard;
use crate::game::{ParseError, bits};

pub(crate) type Bitboard = u64;

/// Number of bits from one row to the next.
pub(crate) const STRIDE: usize = 8;
const FILE_A: Bitboard = 0x0101_0101_0101_0101;
const FILE_H: Bitboard = FILE_A << 7;

/// The four lines through a square: the direction toward higher bits, in columns and rows.
pub(crate) const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
/// Bit distance between neighboring squares of a line, by axis.
pub(crate) const STEPS: [u32; 4] = [1, 8, 9, 7];

/// Rays from each square of a board.
///
/// ```text
///   . . . . . . . a      above (a) and below (b) of d4, on the axis (1, 1)
///   . . . . . . a .
///   . . . . . a . .
///   . . . . a . . .
///   . . . x . . . .
///   . . b . . . . .
///   . b . . . . . .
///   b . . . . . . .
/// ```
pub(crate) struct Geometry {
    /// Rest of the line toward higher bits, by axis and square.
    pub(crate) above: [[Bitboard; 64]; 4],
    /// Rest of the line toward lower bits, by axis and square.
    pub(crate) below: [[Bitboard; 64]; 4],
}

pub(crate) const fn board<const N: usize>() -> Bitboard {
    let mut squares = 0;
    let mut row = 0;
    while row < N {
        squares |= ((1 << N) - 1) << (STRIDE * row);
        row += 1;
    }
    squares
}

pub(crate) const fn geometry<const N: usize>() -> Geometry {
    let mut geometry = Geometry { above: [[0; 64]; 4], below: [[0; 64]; 4] };
    let mut axis = 0;
    while axis < 4 {
        let mut square = 0;
        while square < 64 {
            let (columns, rows) = AXES[axis];
            geometry.above[axis][square] = ray::<N>(square, columns, rows);
            geometry.below[axis][square] = ray::<N>(square, -columns, -rows);
            square += 1;
        }
        axis += 1;
    }
    geometry
}

const fn ray<const N: usize>(square: usize, columns: i32, rows: i32) -> Bitboard {
    let mut squares = 0;
    let mut column = (square % STRIDE) as i32 + columns;
    let mut row = (square / STRIDE) as i32 + rows;
    while 0 <= column && column < N as i32 && 0 <= row && row < N as i32 {
        squares |= 1 << (STRIDE as i32 * row + column);
        column += columns;
        row += rows;
    }
    squares
}

/// Shifts squares one column to the right. Squares that leave the board vanish.
#[inline(always)]
pub(crate) const fn right(squares: Bitboard) -> Bitboard {
    squares << 1 & !FILE_A
}

/// Shifts squares one column to the left. Squares that leave the board vanish.
#[inline(always)]
pub(crate) const fn left(squares: Bitboard) -> Bitboard {
    squares >> 1 & !FILE_H
}

/// Adds the neighbors of squares in all eight directions, on an 8x8 board.
///
/// ```text
///   . . . . .      . # # # .
///   . . # . .      . # # # #
///   . . . # .  ->  . # # # #
///   . . . . .      . . # # #
/// ```
#[inline(always)]
pub(crate) const fn grown(squares: Bitboard) -> Bitboard {
    let wide = squares | left(squares) | right(squares);
    wide | wide << STRIDE | wide >> STRIDE
}

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
    fn masks_of_squares_and_lines() {
        assert_eq!(board::<8>(), u64::MAX);
        assert_eq!(board::<6>().count_ones(), 36);
        for (square, length) in [(0, 5), (35, 5), (40, 5)] {
            let lines = geometry::<6>();
            for axis in [0, 1] {
                let others = lines.above[axis][square] | lines.below[axis][square];
                assert_eq!(others.count_ones(), length, "axis {axis} of square {square}");
            }
        }
        let lines = geometry::<8>();
        assert_eq!(lines.above[2][0].count_ones(), 7, "the long diagonal");
        assert_eq!(lines.below[3][56], 1 << 49 | 1 << 42 | 1 << 35 | 1 << 28 | 1 << 21 | 1 << 14 | 1 << 7);
    }

    #[test]
    fn neighbors_do_not_wrap_around_the_edges() {
        assert_eq!(grown(1), 1 | 2 | 1 << 8 | 1 << 9);
        assert_eq!(grown(1 << 63), 1 << 63 | 1 << 62 | 1 << 55 | 1 << 54);
        assert_eq!(grown(1 << 27).count_ones(), 9);
    }

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
