//! Board diagrams for files: eight rows of eight letters, rank 8 first. `w` and `b` are men, `W` and `B` kings, and `.`
//! is an empty square (§2).

use std::fmt;

use super::piece::Piece;
use super::position::Position;
use super::square::Square;
use crate::game::{Color, ParseError};

/// Displays a position's board as eight lines, each ending in a newline.
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
