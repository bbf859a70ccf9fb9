//! What is the 6x6 Lines of Action agent asked, and what does it answer? One request on standard input, one answer on
//! standard output.
//!
//! Sections (§) are those of the contract that the README sums up. The agent plays X, which is Black
//! here; squares count rows from the top, where this library counts them from the bottom.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `read` | what a request asks for |
//! | `answer` | how a move is written as an answer, and read from it |

mod answer;
mod read;

use std::fmt;
use std::io;
use std::process::ExitCode;

pub use answer::{is_answer, line_slip, read_answer, write_answer};

use crate::game::{Color, Game, LineError};
use crate::loa::Position;

/// The answer to `identify`: 1 to 80 printable ASCII characters (§2).
pub const NAME: &str = concat!("kingline ", env!("CARGO_PKG_VERSION"));

/// What the agent is asked for (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Its name.
    Identify,
    /// A move.
    Move {
        /// The number of the turn, from 1.
        turn: u32,
        /// The board, Black (X) to move.
        position: Position<6>,
    },
}

/// Why there is no answer.
#[derive(Debug)]
pub enum RequestError {
    /// Standard input cannot be read.
    Unreadable(io::Error),
    /// A line is not what it should be.
    Line(LineError),
    /// X has no legal move in this position.
    GameOver(Position<6>),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// The position as the agent is shown it: the side to move is X, which is Black (§2). The squares of a move stay the
/// same.
pub fn as_x(position: &Position<6>) -> Position<6> {
    if position.turn() == Color::Black { *position } else { position.exchanged() }
}

/// The rows of the board as a request has them, the highest first.
pub fn rows(position: &Position<6>) -> [String; 6] {
    std::array::from_fn(|row| {
        let squares = position.row(5 - row).map(|letter| match letter {
            'b' => 'X',
            'w' => 'O',
            _ => '.',
        });
        squares.collect()
    })
}

impl fmt::Display for Request {
    /// The lines that ask for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Identify => writeln!(f, "identify"),
            Request::Move { turn, position } => writeln!(f, "move\n{turn}\n6\n{}", rows(position).join("\n")),
        }
    }
}

impl RequestError {
    /// The documented exit code: 1 no answer can be written, 2 bad request, 3 the game is over.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            RequestError::Output(_) => ExitCode::from(1),
            RequestError::Unreadable(_) | RequestError::Line(_) => ExitCode::from(2),
            RequestError::GameOver(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::Unreadable(error) => {
                write!(f, "cannot read standard input: {error}; expected a request, identify or move")
            }
            RequestError::Line(error) => write!(f, "{error}"),
            RequestError::GameOver(position) => {
                let count = position.count(Color::Black);
                let why = if count == 0 { "no checkers" } else { "no legal move" };
                write!(f, "the game is over: X is to move and has {why}, so O has won")
            }
            RequestError::Output(error) => write!(f, "cannot write the answer to standard output: {error}"),
        }
    }
}

impl std::error::Error for RequestError {}
