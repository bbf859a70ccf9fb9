//! The dark squares.

use std::fmt;
use std::str::FromStr;

use super::bitboard;
use crate::game::ParseError;

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

#[cfg(test)]
mod tests {
    use super::*;

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
