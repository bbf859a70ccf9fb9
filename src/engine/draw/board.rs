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
    /// The squares of checkers have numbers. Columns and rows still have the names of [`FromBottom`](Self::FromBottom).
    Numbers,
}

impl Labels {
    /// Letter of a column. Column 0 is on the left.
    pub fn column(self, column: usize) -> char {
        let first = match self {
            Labels::FromBottom | Labels::Numbers => b'a',
            Labels::FromTop => b'A',
        };
        char::from(first + column as u8)
    }

    /// Number of a row on a board of `size` rows. Row 0 is the lowest.
    pub fn row(self, row: usize, size: usize) -> usize {
        match self {
            Labels::FromBottom | Labels::Numbers => row + 1,
            Labels::FromTop => size - row,
        }
    }
}

/// Writes the rows from the top with `/` between them: `b` and `w` for men, `B` and `W` for kings, and a digit for each
/// run of empty squares.
pub fn compact<B: Board>(board: &B) -> String {
    let mut text = String::new();
    for row in (0..B::SIZE).rev() {
        let mut empty = 0;
        for column in 0..B::SIZE {
            let letter = match board.content(column, row) {
                Content::Empty => {
                    empty += 1;
                    continue;
                }
                Content::Man(Color::Black) => 'b',
                Content::Man(Color::White) => 'w',
                Content::King(Color::Black) => 'B',
                Content::King(Color::White) => 'W',
            };
            push_number(&mut text, empty);
            text.push(letter);
            empty = 0;
        }
        push_number(&mut text, empty);
        if row > 0 {
            text.push('/');
        }
    }
    text
}

/// Reads the rows from the top, each from the left. Other letters are ignored.
pub(super) fn contents(compact: &str) -> Vec<Vec<Content>> {
    let squares = |letter: char| match letter {
        'b' => vec![Content::Man(Color::Black)],
        'w' => vec![Content::Man(Color::White)],
        'B' => vec![Content::King(Color::Black)],
        'W' => vec![Content::King(Color::White)],
        letter => vec![Content::Empty; letter.to_digit(10).unwrap_or(0) as usize],
    };
    compact.split('/').map(|row| row.chars().flat_map(squares).collect()).collect()
}

fn push_number(text: &mut String, number: usize) {
    if number > 0 {
        text.push(char::from(b'0' + number as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::{checkers, loa};

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

    #[test]
    fn boards_are_written_from_the_top() {
        assert_eq!(compact(&checkers::Position::start()), "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1");
        assert_eq!(compact(&"W:WK32:B1,K4".parse::<checkers::Position>().unwrap()), "1b5B/8/8/8/8/8/8/6W1");
        let position: loa::Position<6> = "bb---w/------/------/------/------/w----- black".parse().unwrap();
        assert_eq!(compact(&position), "bb3w/6/6/6/6/w5");
    }
}
