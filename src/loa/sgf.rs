//! Games on the 8x8 board in the Smart Game Format: `(;FF[4]GM[9];B[b1-b3];W[a2-c2])`.
//!
//! Source: the format's description at red-bean.com/sgf, of which loa.html is about this game.

mod nodes;
mod read;

use std::fmt;

pub use read::RecordError;

use super::moves::Move;
use super::position::Position;
use crate::game::{Color, Game, History};

/// A game, whole or in part.
///
/// ```
/// use kingline::game::{Game, parse_move};
/// use kingline::loa::{Position, sgf};
///
/// let mut record = sgf::Record::new(Position::start());
/// record.play(parse_move(&record.position(), "b1-b3")?);
/// let text = record.to_string();
/// assert!(text.starts_with("(;FF[4]GM[9]") && text.ends_with("\n;B[b1-b3])\n"));
/// assert_eq!(text.parse(), Ok(record));
/// # Ok::<(), kingline::game::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Before the first move, and after each; never empty.
    positions: Vec<Position<8>>,
    moves: Vec<Move>,
    result: Option<GameResult>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

/// Moves on a line of the file.
const MOVES_A_LINE: usize = 8;

impl Record {
    /// A game from `start`, without moves or a result.
    pub fn new(start: Position<8>) -> Record {
        Record { positions: vec![start], moves: Vec::new(), result: None }
    }

    /// Plays a legal move; the game has no result then.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
        self.result = None;
    }

    /// Takes all moves back but the first `moves`; the game has no result then.
    pub fn take_back_to(&mut self, moves: usize) {
        self.positions.truncate(moves + 1);
        self.moves.truncate(moves);
        self.result = None;
    }

    /// Sets how the game ended; `None`: it has not, or nobody knows.
    pub fn set_result(&mut self, result: Option<GameResult>) {
        self.result = result;
    }

    /// The position after the moves so far.
    pub fn position(&self) -> Position<8> {
        self.positions[self.positions.len() - 1]
    }

    /// The position before the first move, and those after each.
    pub fn positions(&self) -> &[Position<8>] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How the game ended, if it has.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The game as a search must know it.
    pub fn history(&self) -> History<Position<8>> {
        let mut history = History::new(self.positions[0]);
        self.moves.iter().for_each(|&mv| history.play(mv));
        history
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.positions[0];
        write!(f, "(;FF[4]GM[9]CA[UTF-8]AP[kingline:{}]SZ[8]", env!("CARGO_PKG_VERSION"))?;
        match self.result {
            Some(GameResult::Win(color)) => write!(f, "RE[{}+]", letter(color))?,
            Some(GameResult::Draw) => f.write_str("RE[Draw]")?,
            None => {}
        }
        if start.with_turn(Color::Black) != Position::start() {
            // The board is empty before the pieces are put on it.
            f.write_str("SU[Custom]")?;
            for color in Color::ALL {
                let mut property = format!("A{}", letter(color));
                for (square, _) in start.placed().filter(|&(_, owner)| owner == color) {
                    write!(f, "{property}[{square}]")?;
                    property.clear();
                }
            }
            write!(f, "PL[{}]", letter(start.turn()))?;
        } else if start.turn() == Color::White {
            f.write_str("PL[W]")?;
        }
        for (index, (position, mv)) in self.positions.iter().zip(&self.moves).enumerate() {
            let line = if index % MOVES_A_LINE == 0 { "\n" } else { "" };
            let mark = if position.captures(*mv) { ':' } else { '-' };
            write!(f, "{line};{}[{}{mark}{}]", letter(position.turn()), mv.from(), mv.to())?;
        }
        f.write_str(")\n")
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}
