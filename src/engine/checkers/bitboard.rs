//! Sets of squares: a `u32`, laid out so that every step is one rotation.
//!
//! ```text
//!   8 |    05  31  25  19
//!   7 | 04  30  24  18          ne: rotate left 1      nw: rotate left 7
//!   6 |    29  23  17  11       sw: rotate right 1     se: rotate right 7
//!   5 | 28  22  16  10
//!   4 |    21  15  09  03       Rotating the board by 180° reverses the bits.
//!   3 | 20  14  08  02
//!   2 |    13  07  01  27       (the bit of each dark square, White below)
//!   1 | 12  06  00  26
//!      +----------------
//!       a b c d e f g h
//! ```
//!
//! The layout is Jonathan Kreuzer's (3dkingdoms.com, "Checkers bitboards"), rotated so that turning the board by 180°
//! simply reverses the bits.
//!
//! A step masks out the squares (`.`) from which it would leave the board, then rotates the rest (`x`):
//!
//! ```text
//!     north-east, rotate left 1    north-west, rotate left 7
//!   8 |   .   .   .   .          8 |   .   .   .   .
//!   7 | x   x   x   x            7 | .   x   x   x
//!   6 |   x   x   x   .          6 |   x   x   x   x
//!   5 | x   x   x   x            5 | .   x   x   x
//!   4 |   x   x   x   .          4 |   x   x   x   x
//!   3 | x   x   x   x            3 | .   x   x   x
//!   2 |   x   x   x   .          2 |   x   x   x   x
//!   1 | x   x   x   x            1 | .   x   x   x
//!     +----------------            +----------------
//!       a b c d e f g h              a b c d e f g h
//! ```
//!
//! South-east and south-west mask out rank 1 instead of rank 8, and rotate right by 7 and 1.

use std::fmt;
use std::str::FromStr;

use super::bitboard;
use crate::game::ParseError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

    /// Squares one step from those in `set`; pieces at the edge step off the board.
    #[inline(always)]
    pub(crate) const fn step(self, set: u32) -> u32 {
        match self {
            Direction::NorthEast => (set & !(RANK_8 | FILE_H)).rotate_left(1),
            Direction::NorthWest => (set & !(RANK_8 | FILE_A)).rotate_left(7),
            Direction::SouthEast => (set & !(RANK_1 | FILE_H)).rotate_right(7),
            Direction::SouthWest => (set & !(RANK_1 | FILE_A)).rotate_right(1),
        }
    }

    /// Returns the bit `steps` steps back from bit `index`.
    #[inline(always)]
    pub(crate) const fn back(self, index: usize, steps: usize) -> usize {
        let by = match self {
            Direction::NorthEast => 31,
            Direction::NorthWest => 25,
            Direction::SouthEast => 7,
            Direction::SouthWest => 1,
        };
        (index + steps * by) & 31
    }
}

/// Returns the bit of the dark square in column 0 (a) to 7 (h), row 0 (rank 1) to 7 (rank 8).
pub(crate) const fn index(column: i32, row: i32) -> usize {
    // The square is u steps north-east and v steps north-west of a1, whose bit is CORNER.
    const CORNER: i32 = 12;
    let (u, v) = ((row + column) / 2, (row - column) / 2);
    (CORNER + u + 7 * v).rem_euclid(32) as usize
}

/// Returns the set drawn as eight rows, rank 8 first, with `x` on its squares.
pub(crate) const fn draw(rows: [&str; 8]) -> u32 {
    let mut set = 0;
    let mut row = 0;
    while row < 8 {
        let line = rows[7 - row].as_bytes();
        let mut column = 0;
        while column < 8 {
            if line[column] == b'x' {
                assert!((row + column) % 2 == 0, "a light square");
                set |= 1 << index(column as i32, row as i32);
            }
            column += 1;
        }
        row += 1;
    }
    set
}

pub(crate) const RANK_1: u32 =
    draw(["........", "........", "........", "........", "........", "........", "........", "x.x.x.x."]);
pub(crate) const RANK_8: u32 = RANK_1.reverse_bits();
pub(crate) const FILE_A: u32 =
    draw(["........", "x.......", "........", "x.......", "........", "x.......", "........", "x......."]);
pub(crate) const FILE_H: u32 = FILE_A.reverse_bits();

/// One of the 32 dark squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the dark square in column 0 (a) to 7 (h), row 0 (rank 1) to 7 (rank 8); `None` if there is none.
    pub const fn at(column: usize, row: usize) -> Option<Square> {
        if column < 8 && row < 8 && (column + row).is_multiple_of(2) {
            Some(Square(bitboard::index(column as i32, row as i32) as u8))
        } else {
            None
        }
    }

    /// Returns the square with a number from 1 to 32, counted as in American checkers; `None` outside that range.
    ///
    /// ```text
    /// 8 |    1   2   3   4
    /// 7 |  5   6   7   8
    /// 6 |    9  10  11  12
    /// 5 | 13  14  15  16
    /// 4 |   17  18  19  20
    /// 3 | 21  22  23  24
    /// 2 |   25  26  27  28
    /// 1 | 29  30  31  32
    ///   +-----------------
    ///      a b c d e f g h
    /// ```
    pub const fn from_number(number: usize) -> Option<Square> {
        if number < 1 || number > 32 {
            return None;
        }
        let (line, place) = ((number - 1) / 4, (number - 1) % 4);
        Square::at(2 * place + (line + 1) % 2, 7 - line)
    }

    /// Returns the square's number, 1 (b8) to 32 (g1).
    pub const fn number(self) -> usize {
        4 * (7 - self.row()) + self.column() / 2 + 1
    }

    /// Returns the column, 0 (a) to 7 (h).
    pub const fn column(self) -> usize {
        (PLACES[self.0 as usize] % 8) as usize
    }

    /// Returns the row, 0 (rank 1) to 7 (rank 8).
    pub const fn row(self) -> usize {
        (PLACES[self.0 as usize] / 8) as usize
    }

    /// Returns all dark squares, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Square> {
        (1..=32).filter_map(Square::from_number)
    }

    #[inline(always)]
    pub(crate) const fn from_index(index: usize) -> Square {
        Square((index & 31) as u8)
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize & 31
    }

    #[inline(always)]
    pub(crate) const fn bit(self) -> u32 {
        1 << (self.0 & 31)
    }
}

/// `8 * row + column` of each bit.
const PLACES: [u8; 32] = {
    let mut places = [0; 32];
    let mut place = 0;
    while place < 64 {
        if let Some(square) = Square::at(place % 8, place / 8) {
            places[square.0 as usize] = place as u8;
        }
        place += 1;
    }
    places
};

/// Parses a square number, which must be plain digits.
pub(super) fn square_numbered(text: &str) -> Option<Square> {
    let digits = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).and_then(Square::from_number)
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
        let square = match text.as_bytes() {
            &[column @ b'a'..=b'h', row @ b'1'..=b'8'] => {
                Square::at(usize::from(column - b'a'), usize::from(row - b'1'))
            }
            _ => None,
        };
        square.ok_or_else(|| ParseError::new(text, "a dark square, a1 to h8"))
    }
}

/// Kind of a piece, without its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Piece {
    /// Moves and jumps forward only.
    Man,
    /// Moves and jumps in all four directions.
    King,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares() -> impl Iterator<Item = (i32, i32)> {
        (0..8).flat_map(|row| (0..8).map(move |column| (column, row))).filter(|(c, r)| (c + r) % 2 == 0)
    }

    #[test]
    fn every_dark_square_has_its_own_bit() {
        assert_eq!(squares().fold(0u32, |set, (c, r)| set | 1 << index(c, r)), u32::MAX);
    }

    #[test]
    fn steps_keep_their_direction_and_stop_at_the_edge() {
        for (column, row) in squares() {
            for direction in Direction::ALL {
                let (dc, dr) = match direction {
                    Direction::NorthEast => (1, 1),
                    Direction::NorthWest => (-1, 1),
                    Direction::SouthEast => (1, -1),
                    Direction::SouthWest => (-1, -1),
                };
                let (c, r) = (column + dc, row + dr);
                let expected = if (0..8).contains(&c) && (0..8).contains(&r) { 1 << index(c, r) } else { 0 };
                assert_eq!(direction.step(1 << index(column, row)), expected);
                if expected != 0 {
                    assert_eq!(direction.back(index(c, r), 1), index(column, row));
                }
            }
        }
    }

    #[test]
    fn reversal_rotates_the_board_by_180_degrees() {
        for (column, row) in squares() {
            assert_eq!((1u32 << index(column, row)).reverse_bits(), 1 << index(7 - column, 7 - row));
        }
    }

    #[test]
    fn names_and_numbers_round_trip() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.number(), index + 1);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        let named = |name: &str| name.parse::<Square>().unwrap().number();
        assert_eq!((named("b8"), named("h8"), named("a7"), named("f6")), (1, 4, 5, 11));
        assert_eq!((named("a1"), named("g1"), named("e5")), (29, 32, 15));
    }

    #[test]
    fn light_squares_and_other_text_are_refused() {
        for text in ["a2", "i1", "a9", "", "a", "a11", "A1", "\u{fffd}1"] {
            let error = text.parse::<Square>().unwrap_err();
            assert_eq!(error.expected, "a dark square, a1 to h8", "{text}");
        }
        assert_eq!(Square::from_number(0), None);
        assert_eq!(Square::from_number(33), None);
    }
}
