//! How are boards shown on a page? As text for the script, drawn for everybody.

use std::fmt::Display;

use anyhow::Result;

use super::page::html;
use crate::checkers::{self, Route};
use crate::game::Color;
use crate::loa;
use crate::master::board::{Board, Content};
use crate::master::league::GameKind;
use crate::master::record::GameRecord;
use crate::master::replay::Replay;
use crate::protocol::request;

/// A recorded game as its page shows it.
pub(super) struct ShownGame {
    /// How its boards are drawn.
    pub(super) grid: Grid,
    /// The board before the first move and after each, rows from the top with `/` between them: `b` and `w` for
    /// pieces, `B` and `W` for kings, digits for that number of empty squares.
    pub(super) boards: Vec<String>,
    /// The moves as agents write them, with all squares that the piece touches.
    pub(super) moves: Vec<String>,
    /// The side to move at the start.
    pub(super) first: Color,
}

/// What boards of a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Columns, and rows.
    size: usize,
    rows: Rows,
}

/// How rows are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// From the top, and columns have capital letters.
    FromTop,
    /// From the bottom.
    FromBottom,
}

/// Games that can be shown.
trait Drawn: Board {
    const GRID: Grid;
    /// A legal move as agents write it, without an end of line.
    fn written(&self, mv: Self::Move) -> String;
}

impl Drawn for checkers::Position {
    const GRID: Grid = Grid { size: Self::SIZE, rows: Rows::FromBottom };

    fn written(&self, mv: Self::Move) -> String {
        Route::of(self, mv).to_string()
    }
}

impl<const N: usize> Drawn for loa::Position<N> {
    /// §1 of 6x6: rows are counted from the top.
    const GRID: Grid = Grid { size: N, rows: if N == 6 { Rows::FromTop } else { Rows::FromBottom } };

    fn written(&self, mv: Self::Move) -> String {
        if N == 6 { request::write_answer(mv).trim_end().to_owned() } else { mv.to_string() }
    }
}

impl ShownGame {
    /// Plays a recorded game.
    ///
    /// # Errors
    /// One of its moves is not legal: which one, and why.
    pub(super) fn of(record: &GameRecord) -> Result<ShownGame> {
        match record.game {
            GameKind::Checkers => ShownGame::replay_as::<checkers::Position>(record),
            GameKind::Loa => ShownGame::replay_as::<loa::Position<8>>(record),
            GameKind::Loa6 => ShownGame::replay_as::<loa::Position<6>>(record),
        }
    }

    fn replay_as<G: Drawn>(record: &GameRecord) -> Result<ShownGame> {
        let replay = Replay::<G>::of(record)?;
        Ok(ShownGame {
            grid: G::GRID,
            boards: replay.positions.iter().map(compact).collect(),
            moves: replay.positions.iter().zip(&replay.moves).map(|(position, &mv)| position.written(mv)).collect(),
            first: replay.positions[0].turn(),
        })
    }
}

fn compact<B: Board>(position: &B) -> String {
    let mut text = String::new();
    for row in (0..B::SIZE).rev() {
        let mut empty = 0;
        for column in 0..B::SIZE {
            let letter = match position.content(column, row) {
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

fn push_number(text: &mut String, number: usize) {
    if number > 0 {
        text.push(char::from(b'0' + number as u8));
    }
}

/// The shapes that boards are drawn with; once on each page with boards.
pub(super) const SHAPES: &str = "<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\
    <g id=\"b\"><circle class=\"disc-black\" cx=\".5\" cy=\".5\" r=\".4\"/>\
    <circle class=\"groove\" cx=\".5\" cy=\".5\" r=\".29\"/></g>\
    <g id=\"w\"><circle class=\"disc-white\" cx=\".5\" cy=\".5\" r=\".4\"/>\
    <circle class=\"groove\" cx=\".5\" cy=\".5\" r=\".29\"/></g>\
    <path id=\"crown\" class=\"crown\" d=\"M.31 .66 .26 .38 .4 .5 .5 .3 .6 .5 .74 .38 .69 .66z\"/>\
    <g id=\"B\"><use href=\"#b\"/><use href=\"#crown\"/></g><g id=\"W\"><use href=\"#w\"/><use href=\"#crown\"/></g>\
    </defs></svg>\n";

impl Grid {
    /// Draws the board of `compact` after `mv`; `label` describes it in words, and `id` is for the script.
    pub(super) fn draw<'a>(
        self,
        id: &'a str,
        label: &'a str,
        compact: &'a str,
        mv: Option<&'a str>,
    ) -> impl Display + 'a {
        /// The width of the frame with the names of columns and rows, in squares.
        const FRAME: f64 = 0.5;
        html(move |f| {
            let size = self.size;
            let (corner, whole) = (-FRAME, size as f64 + 2.0 * FRAME);
            write!(
                f,
                "<svg class=\"board\" id=\"{id}\" role=\"img\" aria-label=\"{label}\" data-top=\"{}\" \
                 viewBox=\"{corner} {corner} {whole} {whole}\">\
                 <rect class=\"frame\" x=\"{corner}\" y=\"{corner}\" width=\"{whole}\" height=\"{whole}\" rx=\".15\"/>\
                 <rect class=\"light\" width=\"{size}\" height=\"{size}\"/><path class=\"dark\" d=\"",
                self.row(0)
            )?;
            for row in 0..size {
                (0..size).filter(|column| (row + column) % 2 == 1).try_for_each(|x| write!(f, "M{x} {row}h1v1h-1z"))?;
            }
            f.write_str("\"/><g class=\"names\">")?;
            for place in 0..size {
                let (near, far) = (place as f64 + 0.5, size as f64 + 0.3);
                let column = self.column(place);
                write!(
                    f,
                    "<text x=\"{near}\" y=\"{far}\">{column}</text><text x=\"-.25\" y=\"{near}\">{}</text>",
                    self.row(place)
                )?;
            }
            let path: Vec<String> =
                mv.into_iter().flat_map(|mv| self.squares(mv)).map(|(x, y)| format!("{x} {y}")).collect();
            write!(
                f,
                "</g><path class=\"way\" d=\"{}{}\"/><g class=\"pieces\">",
                if path.is_empty() { "" } else { "M" },
                path.join("L")
            )?;
            for (y, row) in compact.split('/').enumerate() {
                let mut x = 0;
                for letter in row.chars() {
                    match letter.to_digit(10) {
                        Some(empty) => x += empty,
                        None => {
                            write!(f, "<use href=\"#{letter}\" x=\"{x}\" y=\"{y}\"/>")?;
                            x += 1;
                        }
                    }
                }
            }
            f.write_str("</g></svg>")
        })
    }

    fn column(self, index: usize) -> char {
        let first = if self.rows == Rows::FromTop { b'A' } else { b'a' };
        char::from(first + index as u8)
    }

    /// The number of a row, 0 being at the top.
    fn row(self, index: usize) -> usize {
        if self.rows == Rows::FromTop { index + 1 } else { self.size - index }
    }

    /// The centers of the squares that a move names, from the upper left corner.
    fn squares(self, mv: &str) -> Vec<(f64, f64)> {
        let place = |name: &[u8]| {
            let x = (0..self.size).find(|&x| self.column(x) == char::from(name[0]))?;
            let y = (0..self.size).find(|&y| self.row(y).to_string().as_bytes() == &name[1..])?;
            Some((x as f64 + 0.5, y as f64 + 0.5))
        };
        mv.as_bytes().windows(2).filter_map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn boards_are_written_from_the_top() {
        assert_eq!(compact(&checkers::Position::start()), "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1");
        assert_eq!(compact(&"W:WK32:B1,K4".parse::<checkers::Position>().unwrap()), "1b5B/8/8/8/8/8/8/6W1");
        let position: loa::Position<6> = "bb---w/------/------/------/------/w----- black".parse().unwrap();
        assert_eq!(compact(&position), "bb3w/6/6/6/6/w5");
    }

    #[test]
    fn squares_are_where_agents_mean_them() {
        let board = <checkers::Position as Drawn>::GRID;
        assert_eq!(board.squares("f6xd4xf2"), [(5.5, 2.5), (3.5, 4.5), (5.5, 6.5)]);
        let board = <loa::Position<6> as Drawn>::GRID;
        assert_eq!(board.squares("D1B3"), [(3.5, 0.5), (1.5, 2.5)]);
        assert_eq!(board.squares("nothing"), []);
        let mv = loa::Position::<6>::start().parse_move("d6-b4").unwrap();
        assert_eq!(loa::Position::<6>::start().written(mv), "D1B3");
    }

    #[test]
    fn drawings_name_what_they_show() {
        let board = <loa::Position<6> as Drawn>::GRID;
        let drawn = board.draw("board", "a label", "b5/6/6/6/6/5w", Some("A1B2")).to_string();
        for part in [
            "aria-label=\"a label\"",
            "data-top=\"1\"",
            "<use href=\"#b\" x=\"0\" y=\"0\"/><use href=\"#w\" x=\"5\" y=\"5\"/>",
            "d=\"M0.5 0.5L1.5 1.5\"",
        ] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
    }
}
