//! Why is a command refused?

use std::fmt;

use super::lines::LONGEST_LINE;
use crate::game::ParseError;

/// Why a command is refused; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first word is no command.
    UnknownCommand(ParseError),
    /// The side to move has no such move.
    IllegalMove(ParseError),
    /// A move while no game is in progress; the dialect's message.
    NotPlaying(&'static str),
    /// Neither black nor white.
    UnknownPlayer(ParseError),
    /// Not an integer of 64 bits.
    InvalidNumber(ParseError),
    /// No such square or piece.
    InvalidSet(ParseError),
    /// The side to move next is neither black nor white.
    InvalidNext(ParseError),
    /// Not the rows of a board and the side to move.
    InvalidPosition(ParseError),
    /// A side has made as many moves as the limit would allow it.
    LimitTooSmall {
        /// Moves of each side that would be allowed.
        rounds: i64,
        /// Moves of the side that has made more.
        made: i64,
    },
    /// A game to be loaded has more moves than the limit allows.
    GameTooLong {
        /// Moves of both sides that are allowed.
        allowed: i64,
        /// Moves of both sides in the game.
        made: i64,
    },
    /// There is no earlier position with a manual side to move.
    NothingToTakeBack,
    /// No move has been taken back.
    NothingToMakeAgain,
    /// The game has fewer moves than that.
    NoSuchPosition {
        /// The number of moves that was asked for.
        moves: usize,
        /// The moves of the game, those included that were taken back.
        most: usize,
    },
    /// The machine is to move.
    MachinesTurn,
    /// `start` after a game.
    ClearFirst,
    /// A file cannot be read or written, or is no game.
    File(String),
    /// A line longer than [`LONGEST_LINE`].
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
                write!(f, "game too long: {allowed} moves of both sides allowed, {made} made")
            }
            Refusal::NothingToTakeBack => f.write_str("nothing to undo"),
            Refusal::NothingToMakeAgain => f.write_str("nothing to redo"),
            Refusal::NoSuchPosition { moves, most } => {
                write!(f, "no such position: found {moves} moves, expected at most {most}")
            }
            Refusal::MachinesTurn => f.write_str("it is the machine's turn"),
            Refusal::ClearFirst => f.write_str("the game is over: clear comes before start"),
            Refusal::File(text) => f.write_str(text),
            Refusal::LongLine => write!(f, "line too long: expected at most {LONGEST_LINE} bytes"),
        }
    }
}

impl std::error::Error for Refusal {}
