//! How does a board look in a terminal?

use std::str::FromStr;

use crate::checkers::{self, Piece, Square};
use crate::game::{Color, Game, ParseError};
use crate::loa;

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A man, or a piece of a game that has only one kind.
    Man(Color),
    /// A king.
    King(Color),
}

/// A game whose board can be drawn.
pub trait Board: Game + FromStr<Err = ParseError> {
    /// Squares per side.
    const SIZE: usize;
    /// What stands in a column and row, both from 0 at the lower left.
    fn content(&self, column: usize, row: usize) -> Content;
}

impl Board for checkers::Position {
    const SIZE: usize = 8;
    fn content(&self, column: usize, row: usize) -> Content {
        match Square::at(column, row).and_then(|square| self.at(square)) {
            None => Content::Empty,
            Some((color, Piece::Man)) => Content::Man(color),
            Some((color, Piece::King)) => Content::King(color),
        }
    }
}

impl<const N: usize> Board for loa::Position<N> {
    const SIZE: usize = N;
    fn content(&self, column: usize, row: usize) -> Content {
        let owner = loa::Square::at(column, row).and_then(|square| self.at(square));
        owner.map_or(Content::Empty, Content::Man)
    }
}

/// Whether a drawing may use the terminal's colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Letters alone: `b` `w` men, `B` `W` kings, `.` empty.
    Plain,
    /// Black and white discs on two shades of squares.
    Colored,
}

/// The board as lines of text, the highest row first, with the names of rows and columns.
pub fn draw<B: Board>(position: &B, paint: Paint) -> String {
    let mut text = String::new();
    for row in (0..B::SIZE).rev() {
        text += &format!("  {} ", row + 1);
        for column in 0..B::SIZE {
            let content = position.content(column, row);
            match paint {
                Paint::Plain => text.extend([' ', letter(content)]),
                Paint::Colored => text += &painted(content, column, row),
            }
        }
        text.push('\n');
    }
    text += "    ";
    for column in 0..B::SIZE {
        text.extend([' ', char::from(b'a' + column as u8)]);
        text += if paint == Paint::Colored { " " } else { "" };
    }
    text.push('\n');
    text
}

fn letter(content: Content) -> char {
    match content {
        Content::Empty => '.',
        Content::Man(Color::Black) => 'b',
        Content::Man(Color::White) => 'w',
        Content::King(Color::Black) => 'B',
        Content::King(Color::White) => 'W',
    }
}

/// A square three characters wide, in the terminal's 256 colors.
fn painted(content: Content, column: usize, row: usize) -> String {
    let ground = if (column + row).is_multiple_of(2) { 65 } else { 187 };
    let (ink, sign) = match content {
        Content::Empty => (ground, ' '),
        Content::Man(Color::Black) => (16, '\u{25cf}'),
        Content::Man(Color::White) => (231, '\u{25cf}'),
        Content::King(Color::Black) => (16, '\u{265a}'),
        Content::King(Color::White) => (231, '\u{265a}'),
    };
    format!("\u{1b}[48;5;{ground};38;5;{ink}m {sign} \u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_with_rows_and_columns() {
        let drawn = draw(&loa::Position::<6>::start(), Paint::Plain);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], "  6  . b b b b .");
        assert_eq!(lines[1], "  5  w . . . . w");
        assert_eq!(lines[6], "     a b c d e f");
        let drawn = draw(&"B:WK29:B1".parse::<checkers::Position>().unwrap(), Paint::Plain);
        assert!(drawn.starts_with("  8  . b . .") && drawn.contains("  1  W . ."), "{drawn}");
        assert!(draw(&checkers::Position::start(), Paint::Colored).contains('\u{25cf}'));
    }
}
