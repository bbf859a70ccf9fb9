//! The parts of a board: squares with their contents, and the names of rows and columns.

use crate::checkers::{self, Piece};
use crate::game::{Color, Game};
use crate::loa;

/// The content of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A man, or a piece of a game with only one kind of piece.
    Man(Color),
    /// A king.
    King(Color),
}

/// A game whose board can be drawn.
pub trait Board: Game {
    /// Number of columns and rows, at most 9.
    const SIZE: usize;
    /// Content of the square in a column and row, counted from 0 at the lower left.
    fn content(&self, column: usize, row: usize) -> Content;
}

impl Board for checkers::Position {
    const SIZE: usize = 8;

    fn content(&self, column: usize, row: usize) -> Content {
        match checkers::Square::at(column, row).and_then(|square| self.at(square)) {
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

/// Names of columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The lower left square is `a1`.
    FromBottom,
    /// The upper left square is `A1`.
    FromTop,
}

impl Labels {
    /// Letter of a column. Column 0 is on the left.
    pub fn column(self, column: usize) -> char {
        let first = match self {
            Labels::FromBottom => b'a',
            Labels::FromTop => b'A',
        };
        char::from(first + column as u8)
    }

    /// Number of a row on a board of `size` rows. Row 0 is the lowest.
    pub fn row(self, row: usize, size: usize) -> usize {
        match self {
            Labels::FromBottom => row + 1,
            Labels::FromTop => size - row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_have_their_names() {
        let name = |labels: Labels, column, row| format!("{}{}", labels.column(column), labels.row(row, 6));
        assert_eq!((name(Labels::FromBottom, 0, 0), name(Labels::FromBottom, 5, 5)), ("a1".into(), "f6".into()));
        assert_eq!((name(Labels::FromTop, 0, 0), name(Labels::FromTop, 5, 5)), ("A6".into(), "F1".into()));
    }

    #[test]
    fn squares_have_their_contents() {
        let position: checkers::Position = "B:WK29:B1".parse().unwrap();
        assert_eq!(position.content(0, 0), Content::King(Color::White));
        assert_eq!(position.content(1, 7), Content::Man(Color::Black));
        assert_eq!((position.content(0, 7), position.content(2, 0)), (Content::Empty, Content::Empty));
        assert_eq!(loa::Position::<6>::start().content(0, 1), Content::Man(Color::White));
    }
}
