//! Portable Draughts Notation for positions (`W:W21,K30:B1,2`) and games; for moves, see [`Notation`](super::Notation).
//!
//! Squares have the standard numbers of American checkers. Black starts on 1 to 12 and moves first, so `1-0` is a win
//! for Black. Sources: PDN 2.0 (M. Cash, 2003), the draft of PDN 3.0 (wiegerw.github.io/pdn), and the format's
//! description at wikipedia.org/wiki/Portable_Draughts_Notation.

mod fields;
mod line;
mod parts;
mod read;
mod reader;
mod record;
mod tokens;
mod variant;

use std::fmt;
use std::str::FromStr;

pub use read::{Games, games};
pub use reader::ReadGame;
pub use record::Record;

use super::bitboard::{Piece, Square, square_numbered};
use super::position::Position;
use crate::game::{Color, Game, ParseError, plain};
use fields::is_blank;

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(letter(self.turn()))?;
        for color in [Color::White, Color::Black] {
            write!(f, ":{}", letter(color))?;
            let mut comma = "";
            for square in Square::all() {
                if let Some((_, piece)) = self.at(square).filter(|&(owner, _)| owner == color) {
                    let king = if piece == Piece::King { "K" } else { "" };
                    write!(f, "{comma}{king}{}", square.number())?;
                    comma = ",";
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = ParseError;

    /// Reads `B:W21,K30:B1,2`: the side to move, then each side's squares in any order. Ranges (`1-12`) are allowed.
    /// Brackets, a dot at the end and the counters of other programs (`:H0:F1`, `:+0+0`) are ignored.
    fn from_str(text: &str) -> Result<Position, ParseError> {
        let wrong = |expected: &str| ParseError::new(text, expected);
        let bare = plain(text).replace(['[', ']', '(', ')', '"'], "");
        let mut parts = bare.trim_matches(|letter| is_blank(letter) || letter == '.').split(':').map(str::trim);
        let turn = parts.next().and_then(color).ok_or_else(|| wrong("the side to move at the start, B: or W:"))?;
        let mut placed: Vec<(Square, Color, Piece)> = Vec::new();
        let mut sides = Vec::new();
        for part in parts {
            if sides.len() == 2 && is_counter(part) {
                continue;
            }
            let owner = part.get(..1).and_then(color).ok_or_else(|| wrong("B or W before a list of squares"))?;
            if sides.contains(&owner) {
                return Err(wrong("each side's squares only once"));
            }
            sides.push(owner);
            let items = part[1..].split(|letter: char| ",;".contains(letter) || letter.is_whitespace());
            for item in items.filter(|item| !item.is_empty()) {
                // Some programs repeat the side before each square.
                let item = item.strip_prefix(letter(owner)).unwrap_or(item);
                let (piece, numbers) = match item.strip_prefix(['K', 'k']) {
                    Some(rest) => (Piece::King, rest),
                    None => (Piece::Man, item),
                };
                let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
                let expected = || ParseError::new(item, "a square number, 1 to 32, with K before it for a king");
                let first = square(first).ok_or_else(expected)?;
                // A king may have its sign at both ends of a range.
                let last = last.trim_start_matches(['K', 'k']);
                let last = square(last).filter(|last| first.number() <= last.number()).ok_or_else(expected)?;
                for square in (first.number()..=last.number()).filter_map(Square::from_number) {
                    if placed.iter().any(|&(taken, ..)| taken == square) {
                        return Err(ParseError::new(item, "one piece per square"));
                    }
                    placed.push((square, owner, piece));
                }
            }
        }
        if sides.len() < 2 {
            return Err(wrong("the squares of both sides, like W:W21,K30:B1,2"));
        }
        Ok(Position::new(turn, placed))
    }
}

/// Reads a square by its number, or by its name in small letters as programs for other boards write it.
fn square(text: &str) -> Option<Square> {
    square_numbered(text).or_else(|| text.parse().ok())
}

/// Returns `true` for a part after the squares that other programs write: half moves since a capture (`H0`), the number of
/// the move (`F1`), moves of kings (`+0+0`), or nothing after the last colon.
fn is_counter(part: &str) -> bool {
    let numbers = part.trim_start_matches(['H', 'h', 'F', 'f']);
    part.len() - numbers.len() <= 1 && numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+')
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

fn color(text: &str) -> Option<Color> {
    match text {
        "B" | "b" => Some(Color::Black),
        "W" | "w" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_notations_of_other_programs() {
        let expected: Position = "W:W21,K30:B1,2".parse().unwrap();
        for text in ["W:B1,2:W21,K30", "W:W21,K30:B1-2.", " w:wK30,21:b2,1 ", "W:W 21 , K30:B1,2"] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in [
            "W:W21,K30:B1,2:H0:F1",
            "w:w21,k30:b1,2:h12",
            "W:W21,K30:B1,2:F40.",
            "W:B1-2:W21,K30:H3:F9:+1+0:",
            "[W:W21,K30:B1,2]",
            "W:W[21,K30]:B(1,2)",
            "W:W21 K30:B1;2",
            "W:Wa3,Kc1:Bb8,d8",
            "W:W21,WK30:B1,B2",
            "W:W21,K30\u{2013}K30:B1\u{2013}2",
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        assert_eq!("B:W21-32:B1-12".parse(), Ok(Position::start()));
        assert_eq!("B:W:BK1".parse::<Position>().unwrap().to_string(), "B:W:BK1");
    }

    #[test]
    fn bad_positions_are_refused() {
        for (text, expected) in [
            ("", "the side to move"),
            ("B", "the squares of both sides"),
            ("B:", "B or W before a list of squares"),
            ("X:W1:B2", "the side to move"),
            ("B:W1", "the squares of both sides"),
            ("B:W1:W2", "each side's squares only once"),
            ("B:W1:B1", "one piece per square"),
            ("B:W33:B1", "a square number"),
            ("B:W0:B1", "a square number"),
            ("B:WK:B1", "a square number"),
            ("B:W+1:B2", "a square number"),
            ("B:W9-8:B1", "a square number"),
            ("B:W9:B1:K2", "B or W before a list of squares"),
            ("B:W9:H0", "B or W before a list of squares"),
        ] {
            let error = text.parse::<Position>().unwrap_err();
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
        let error = "W:W21,K33:B1".parse::<Position>().unwrap_err();
        assert_eq!(error.to_string(), "found \"K33\", expected a square number, 1 to 32, with K before it for a king");
    }
}
