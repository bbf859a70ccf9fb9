//! A game outside the library, played by the library's search: Domineering (Göran Andersson, about 1973). Black places
//! dominoes vertically on two free squares, White horizontally. A player without a move loses.

use std::fmt;

use kingline::game::{Color, Game, MoveList, Outcome, Searched};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};

/// Occupied squares, one byte per row, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Board(u64, Color);

/// Returns the lower left squares of all dominoes that `color` can place.
fn room(board: &Board, color: Color) -> u64 {
    let next = if color == Color::Black { !board.0 >> 8 } else { !board.0 >> 1 & 0x7f7f_7f7f_7f7f_7f7f };
    !board.0 & next
}

impl Game for Board {
    type Move = u8; // the lower left square

    fn start() -> Board {
        Board(0, Color::Black)
    }
    fn turn(&self) -> Color {
        self.1
    }
    fn moves(&self, list: &mut MoveList<u8>) {
        (0..64).filter(|square| room(self, self.1) >> square & 1 != 0).for_each(|square| list.push(square));
    }
    fn play(self, square: u8) -> Board {
        Board(self.0 | if self.1 == Color::Black { 0x101 } else { 0b11 } << square, !self.1)
    }
    fn outcome(&self) -> Option<Outcome> {
        None // a side without a move loses in every game
    }
    fn key(&self) -> u64 {
        (self.0 ^ self.0 >> 29 ^ self.1.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }
    fn notation(&self, square: u8) -> impl fmt::Display {
        format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
    }
}

impl Searched for Board {
    const STATIC_EVAL_SUFFICES: bool = true; // nothing is captured
    fn is_quiet(&self, _: u8) -> bool {
        true
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} {}", self.0, self.1)
    }
}

fn main() {
    let evaluation = |board: &Board| {
        let room = |color| room(board, color).count_ones() as i32;
        Score::estimate(10 * (room(board.turn()) - room(!board.turn())))
    };
    let (mut searcher, mut board) = (Searcher::new(evaluation), Board::start());
    while let Some(best) = searcher.search(board, Limits::nodes(100_000), &mut ()).best {
        println!("{} {}", board.turn(), board.notation(best));
        board = board.play(best);
    }
    println!("{} has won", !board.turn());
}
