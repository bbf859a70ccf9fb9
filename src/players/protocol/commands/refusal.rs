//! Reasons why a command is refused.

use std::fmt;

use super::lines::LONGEST_LINE;
use kingline::game::ParseError;

/// Reason why a command is refused. A refused command changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first word is not a command.
    UnknownCommand(ParseError),
    /// The side to move has no such move.
    IllegalMove(ParseError),
    /// No game is in progress; the dialect supplies the text.
    NotPlaying(&'static str),
    /// The player is neither black nor white.
    UnknownPlayer(ParseError),
    /// The number is not a 64-bit integer.
    InvalidNumber(ParseError),
    /// The square or the piece does not exist.
    InvalidSet(ParseError),
    /// The side to move next is neither black nor white.
    InvalidNext(ParseError),
    /// The text is not the rows of a board and the side to move.
    InvalidPosition(ParseError),
    /// A side has already made as many moves as the requested limit allows.
    LimitTooSmall {
        /// Requested number of moves of each side.
        rounds: i64,
        /// Number of moves of the side that has made more.
        made: i64,
    },
    /// A game to be loaded has more moves than the limit allows.
    GameTooLong {
        /// Allowed number of moves of both sides.
        allowed: i64,
        /// Number of moves of both sides in the game.
        made: i64,
    },
    /// No earlier position has a manual side to move.
    NothingToUndo,
    /// No move has been undone.
    NothingToRedo,
    /// The game has fewer moves than requested.
    NoSuchPosition {
        /// Requested number of moves.
        moves: usize,
        /// Number of moves of the game, including undone ones.
        most: usize,
    },
    /// The machine is to move.
    MachinesTurn,
    /// The position to analyze has no legal move.
    NothingToAnalyze,
    /// A file cannot be read or written, or is not a game.
    File(String),
    /// The line is longer than [`LONGEST_LINE`].
    LongLine,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::UnknownCommand(error) => write!(f, "unknown command: {error}"),
            Refusal::IllegalMove(error) => write!(f, "illegal move: {error}"),
            Refusal::NotPlaying(text) => f.write_str(text),
            Refusal::UnknownPlayer(error) => write!(f, "unknown player: {error}"),
            Refusal::InvalidNumber(error) => write!(f, "invalid number: {error}"),
            Refusal::InvalidSet(error) => write!(f, "invalid arguments to set: {error}"),
            Refusal::InvalidNext(error) => write!(f, "invalid next player: {error}"),
            Refusal::InvalidPosition(error) => write!(f, "invalid position: {error}"),
            Refusal::LimitTooSmall { rounds, made } => {
                write!(f, "move limit too small: found {rounds}, expected at least {}", made + 1)
            }
            Refusal::GameTooLong { allowed, made } => {
                write!(f, "game too long: found {made} moves of both sides, expected at most {allowed}")
            }
            Refusal::NothingToUndo => f.write_str("nothing to undo"),
            Refusal::NothingToRedo => f.write_str("nothing to redo"),
            Refusal::NoSuchPosition { moves, most } => {
                write!(f, "no such position: found {moves} moves, expected at most {most}")
            }
            Refusal::MachinesTurn => f.write_str("it is the machine's turn"),
            Refusal::NothingToAnalyze => f.write_str("nothing to analyze: the side to move has no legal move"),
            Refusal::File(text) => f.write_str(text),
            Refusal::LongLine => write!(f, "line too long: expected at most {LONGEST_LINE} bytes"),
        }
    }
}

impl std::error::Error for Refusal {}
