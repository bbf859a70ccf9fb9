use std::fmt;

use super::bitboard::{Piece, Square};
use crate::game::{Color, ParseError, bits, zobrist};

/// A board and the side to move.
///
/// Sets of squares are `u32`, one bit per dark square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) pieces: [u32; 2],
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

    /// Describes features that no game leads to, one sentence each: more than twelve pieces, and men on their crowning
    /// row. `name` names squares.
    pub fn oddities(&self, name: impl Fn(Square) -> String) -> Vec<String> {
        let mut found = Vec::new();
        for color in Color::ALL {
            if self.count(color) > 12 {
                found.push(format!("{color} has {} pieces, more than twelve; played as it stands", self.count(color)));
            }
            let last = if color == Color::Black { 0 } else { 7 };
            let men =
                Square::all().filter(|&square| square.row() == last && self.at(square) == Some((color, Piece::Man)));
            found.extend(men.map(|square| {
                format!("{color}'s man on {} is on its crowning row; it stays a man and cannot move", name(square))
            }));
        }
        found
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
            Color::White => WHITE_TO_MOVE,
        };
        for square in Square::all() {
            if let Some((color, piece)) = self.at(square) {
                key ^= piece_key(color, piece, square);
            }
        }
        key
    }

    #[inline(always)]
    pub(crate) fn piece_on(&self, bit: u32) -> Piece {
        if self.kings & bit != 0 { Piece::King } else { Piece::Man }
    }
}

static PIECES: [u64; 128] = zobrist::numbers(0x6b69_6e67_6c69_6e65);

pub(super) const WHITE_TO_MOVE: u64 = zobrist::number(0x7475_726e);

#[inline(always)]
pub(super) fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[(color.index() << 6 | (piece as usize) << 5 | square.index()) & 127]
}

/// A board in a file: eight lines of eight letters, rank 8 first, each ending in a newline. `w` and `b` are men, `W` and `B`
/// kings, and `.` is an empty square (§2).
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a>(pub &'a Position);

impl Diagram<'_> {
    /// Reads a board.
    ///
    /// # Errors
    /// Returns the index of the first faulty row (0 is rank 8) and its error.
    pub fn read(rows: [&str; 8], turn: Color) -> Result<Position, (usize, ParseError)> {
        let mut placed = Vec::with_capacity(24);
        for (line, text) in rows.into_iter().enumerate() {
            if text.chars().count() != 8 {
                let expected = format!("8 squares in rank {}, not {}", 8 - line, text.chars().count());
                return Err((line, ParseError::new(text, expected)));
            }
            for (column, letter) in text.chars().enumerate() {
                let (color, piece) = match letter {
                    '.' => continue,
                    'w' => (Color::White, Piece::Man),
                    'W' => (Color::White, Piece::King),
                    'b' => (Color::Black, Piece::Man),
                    'B' => (Color::Black, Piece::King),
                    _ => return Err((line, bad_letter(letter, column, line))),
                };
                let Some(square) = Square::at(column, 7 - line) else {
                    let place = format!("{}{}", char::from(b'a' + column as u8), 8 - line);
                    let expected = format!("all pieces on dark squares; {place} is a light one");
                    return Err((line, ParseError::new(text, expected)));
                };
                placed.push((square, color, piece));
            }
        }
        Ok(Position::new(turn, placed))
    }

    fn letter(&self, column: usize, row: usize) -> char {
        match Square::at(column, row).and_then(|square| self.0.at(square)) {
            None => '.',
            Some((Color::White, Piece::Man)) => 'w',
            Some((Color::White, Piece::King)) => 'W',
            Some((Color::Black, Piece::Man)) => 'b',
            Some((Color::Black, Piece::King)) => 'B',
        }
    }
}

fn bad_letter(letter: char, column: usize, line: usize) -> ParseError {
    let file = char::from(b'a' + column as u8);
    ParseError::new(&letter.to_string(), format!("one of . w b W B in file {file} of rank {}", 8 - line))
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..8).rev() {
            let cells: String = (0..8).map(|column| self.letter(column, row)).collect();
            writeln!(f, "{cells}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn flipping_twice_is_the_identity() {
        let position: Position = "B:W18,24,K27:B12,K16,20".parse().unwrap();
        assert_eq!(position.flipped().flipped(), position);
        assert_eq!(position.flipped().to_string(), "W:W13,K17,21:BK6,9,15");
    }

    #[test]
    fn positions_that_no_game_reaches_are_described() {
        let odd = |fen: &str| fen.parse::<Position>().unwrap().oddities(|square| square.number().to_string());
        let stuck = ["Black's man on 30 is on its crowning row; it stays a man and cannot move"];
        assert_eq!(odd("W:W31,K1,29:B5,K32,4,30"), stuck);
        assert_eq!(odd("B:W1-13:B31,K29").len(), 6);
        assert_eq!(odd("B:W5,21-31:B1-4,6-12,K32"), [""; 0]);
        assert_eq!(Position::start().oddities(|_| String::new()), [""; 0]);
    }

    const START: [&str; 8] =
        [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w."];

    #[test]
    fn boards_round_trip() {
        assert_eq!(Diagram::read(START, Color::Black), Ok(Position::start()));
        assert_eq!(Diagram(&Position::start()).to_string(), START.map(|row| row.to_owned() + "\n").concat());
        let position: Position = "W:WK5,21:B1,K32".parse().unwrap();
        let text = Diagram(&position).to_string();
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(Diagram::read(rows.try_into().unwrap(), Color::White), Ok(position));
    }

    #[test]
    fn errors_name_the_row() {
        for (line, row, expected) in [
            (0, ".b.b.b.", "8 squares in rank 8, not 7"),
            (3, "....x...", "one of . w b W B in file e of rank 5"),
            (7, ".w......", "all pieces on dark squares; b1 is a light one"),
        ] {
            let mut rows = START;
            rows[line] = row;
            let (wrong, error) = Diagram::read(rows, Color::Black).unwrap_err();
            assert_eq!((wrong, error.expected.as_str()), (line, expected));
        }
    }
}
