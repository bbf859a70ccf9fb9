//! Replies to commands, and requests for a move.

use kingline::game::History;
use kingline::loa::{Move, Position};

/// Request for a move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The game up to that position.
    pub history: History<Position<8>>,
    /// Number of further moves of both sides after which the game is a tie; `None` if there is no limit.
    pub plies: Option<u16>,
}

/// Board to show to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Board and side to move.
    pub position: Position<8>,
    /// Move that led to it; `None` if the board was set up.
    pub last: Option<Move>,
}

/// Answer to the command `help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// Rules of the game, only for a person at a terminal.
    pub rules: String,
    /// Summary of the commands.
    pub commands: String,
}

/// Result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text to print, often empty.
    Output(String),
    /// Text for a person, printed on standard error.
    Aside(String),
    /// Board, printed on standard output.
    Board(Shown),
    /// Board, printed on standard error.
    Print(Shown),
    /// Help, printed on standard error.
    Help(Help),
    /// Request for a hint in this position.
    Hint(Thought),
    /// Request for an analysis of this position.
    Analysis(Thought),
    /// The program ends.
    Quit,
}
