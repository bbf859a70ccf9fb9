//! Protocol of the 6x6 Lines of Action agent: one request on standard input, one answer on standard output.
//!
//! Sections (§) are those of the contract that the README summarizes. The agent plays X, which is Black here. The
//! protocol counts rows from the top, this library from the bottom.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `read` | what a request asks for |
//! | `answer` | how an answer states a move |

mod answer;
mod read;

use std::fmt;
use std::io;

pub use answer::{is_answer, line_slip, read_answer, write_answer};

use crate::exit::ExitStatus;
use kingline::game::{Color, Game, LineError};
use kingline::loa::Position;

/// Answer to `identify`: 1 to 80 printable ASCII characters (§2).
pub const NAME: &str = concat!("kingline ", env!("CARGO_PKG_VERSION"));

/// Request to the agent (§2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Request for the agent's name.
    Identify,
    /// Request for a move.
    Move {
        /// Turn number, 1-based.
        turn: u32,
        /// Board with Black (X) to move.
        position: Position<6>,
    },
}

/// Reason why there is no answer.
#[derive(Debug)]
pub enum RequestError {
    /// Standard input could not be read.
    Unreadable(io::Error),
    /// A line is wrong.
    Line(LineError),
    /// X has no legal move in this position.
    GameOver(Position<6>),
    /// Standard output could not be written.
    Output(io::Error),
}

/// Position as the agent sees it: the side to move is X, which is Black (§2). Moves keep their squares.
pub fn as_x(position: &Position<6>) -> Position<6> {
    if position.turn() == Color::Black { *position } else { position.exchanged() }
}

/// Rows of the board as in a request, the top row first.
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
    /// Writes the lines of the request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Identify => writeln!(f, "identify"),
            Request::Move { turn, position } => writeln!(f, "move\n{turn}\n6\n{}", rows(position).join("\n")),
        }
    }
}

impl RequestError {
    /// How a program without an answer ends.
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            RequestError::Output(_) => ExitStatus::Failed,
            RequestError::Unreadable(_) | RequestError::Line(_) => ExitStatus::BadInput,
            RequestError::GameOver(_) => ExitStatus::GameOver,
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
