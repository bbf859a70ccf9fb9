use std::time::Duration;

use thiserror::Error;

use super::lines::LONGEST_LINE;
use kingline::game::ParseError;

/// Reason why a command is refused. A refused command changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The first word is not a command.
    #[error("unknown command: {0}")]
    UnknownCommand(ParseError),
    /// The side to move has no such move.
    #[error("illegal move: {0}")]
    IllegalMove(ParseError),
    /// No game is in progress; the dialect supplies the text.
    #[error("{0}")]
    NotPlaying(&'static str),
    /// The player is neither black nor white.
    #[error("unknown player: {0}")]
    UnknownPlayer(ParseError),
    /// The number is not a 64-bit integer.
    #[error("invalid number: {0}")]
    InvalidNumber(ParseError),
    /// The square or the piece does not exist.
    #[error("invalid arguments to set: {0}")]
    InvalidSet(ParseError),
    /// The side to move next is neither black nor white.
    #[error("invalid next player: {0}")]
    InvalidNext(ParseError),
    /// The text is not the rows of a board and the side to move.
    #[error("invalid position: {0}")]
    InvalidPosition(ParseError),
    /// A side has already made as many moves as the requested limit allows.
    #[error("move limit too small: found {rounds}, expected at least {}", made + 1)]
    LimitTooSmall {
        /// Requested number of moves of each side.
        rounds: i64,
        /// Number of moves of the side that has made more.
        made: i64,
    },
    /// A game to be loaded has more moves than the limit allows.
    #[error("game too long: found {made} moves of both sides, expected at most {allowed}")]
    GameTooLong {
        /// Allowed number of moves of both sides.
        allowed: i64,
        /// Number of moves of both sides in the game.
        made: i64,
    },
    /// No earlier position has a manual side to move.
    #[error("nothing to undo")]
    NothingToUndo,
    /// No move has been undone.
    #[error("nothing to redo")]
    NothingToRedo,
    /// The game has fewer moves than requested.
    #[error("no such position: found {moves} moves, expected at most {most}")]
    NoSuchPosition {
        /// Requested number of moves.
        moves: usize,
        /// Number of moves of the game, including undone ones.
        most: usize,
    },
    /// The machine is to move.
    #[error("it is the machine's turn")]
    MachinesTurn,
    /// The position to analyze has no legal move.
    #[error("nothing to analyze: the side to move has no legal move")]
    NothingToAnalyze,
    /// A file cannot be read or written, or is not a game.
    #[error("{0}")]
    File(String),
    /// The line is longer than [`LONGEST_LINE`].
    #[error("line too long: expected at most {LONGEST_LINE} bytes")]
    LongLine,
}

/// Time or effort that an automatic move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The same time for each move.
    Constant(Duration),
    /// The effort of this level for each move.
    Level(Level),
    /// Share of the 4 s that a side has for a game.
    PerGame,
    /// The same, within the 14 s that a side has for all games of the process.
    PerProcess,
}

impl Pace {
    /// Constant pace in seconds, above 0 and at most 3600.
    ///
    /// # Errors
    /// The text is not such a number.
    pub fn constant(seconds: &str) -> Result<Pace, ParseError> {
        const MAX_SECONDS: f64 = 3600.0;
        let number = seconds.parse().ok().filter(|&number| 0.0 < number && number <= MAX_SECONDS);
        let time = number.map(Duration::from_secs_f64).map(Pace::Constant);
        time.ok_or_else(|| ParseError::new(seconds, format!("seconds, a number above 0, at most {MAX_SECONDS}")))
    }
}

/// Level of the machine, from 1, the weakest, to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Number of levels.
    pub(crate) const COUNT: u8 = 8;

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::COUNT).map(Level)
    }

    /// Number of the level, from 1 to 8.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Reads the number of a level.
    ///
    /// # Errors
    /// The text is not such a number.
    pub fn read(text: &str) -> Result<Level, ParseError> {
        let number = text.parse().ok().filter(|number| (1..=Level::COUNT).contains(number));
        number.map(Level).ok_or_else(|| ParseError::new(text, format!("a level from 1 to {}", Level::COUNT)))
    }
}
