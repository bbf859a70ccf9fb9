//! A tournament's store: one SQLite file with its rules, its agents and all games that were played.
//!
//! Nothing is ever deleted. An agent is identified by its name and the hash of its files, so a changed agent is a new
//! one with the same name. The old agent's games stay, and count again if its files come back. Which games count is
//! computed on request from the rules and the agents that take part.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `read` | what can be read from a store? |
//! | `write` | how is a store created, and how do games get into it? |
//! | `schema` | what are the tables, and is a file a store of this version? |
//! | `rows` | how is a game stored as rows, and read back? |
//! | `earlier` | which earlier rounds did a store begin with, and how does the next round begin? |
//! | `checksum` | has a game changed since it was recorded? |

mod checksum;
mod earlier;
mod read;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::tournament::schedule::{GameKey, PlannedGame};
use crate::tournament::shard::Shard;
use kingline::game::Color;

pub use earlier::{EarlierRound, NextRound};
pub use read::Store;
pub use write::{Changes, StoreWriter};

/// Value of [`Summary::reason`] for a game that the referee failed to play.
const FAILED: &str = "failed";

/// Number of a game in a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub i64);

/// An agent that takes part in the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StoredAgent {
    /// Name of its folder.
    pub name: String,
    /// The name that the agent gives itself, if its league asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// SHA-256 of its files, in hexadecimal digits.
    pub hash: String,
}

/// Short form of a played game, enough for standings. Pairs contain Black's value, then White's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of the game, for [`Store::game`].
    pub id: GameId,
    /// Round, starting at 1; always 1 in a round robin.
    pub round: u32,
    /// 0-based number of the pairing in the order of play. Both games of a pairing share it and their opening.
    pub pairing: u32,
    /// 0-based index of the pairing among those of these two agents in this round.
    pub opening: u32,
    /// Seed of the opening and of the referee's own moves.
    pub seed: u64,
    /// Indexes into [`Store::agents`].
    pub agents: [usize; 2],
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// Half points, two per win; `None` if the game counts for neither side.
    pub half_points: Option<[u32; 2]>,
    /// Reason why the game ended, in hyphenated words: `connected`, `repetition`, `over-time`.
    pub reason: String,
    /// Faults of each side.
    pub faults: [u32; 2],
    /// Time faults among `faults`: out of time, or hung.
    pub timeouts: [u32; 2],
    /// Number of turns that the agents took.
    pub turns: u32,
    /// Time that each side used, by the league's clock.
    pub spent: [Duration; 2],
}

impl Summary {
    /// Returns the game's identity within the tournament.
    pub fn key(&self) -> GameKey {
        (self.round, self.agents, self.opening)
    }

    /// Returns the game as it was planned.
    pub(super) fn planned(&self) -> PlannedGame {
        let &Summary { round, pairing, opening, agents, seed, .. } = self;
        PlannedGame { round, pairing, opening, agents, seed }
    }

    /// Returns true if the referee failed, so that the game has to be played again.
    pub fn is_failed(&self) -> bool {
        self.reason == FAILED
    }
}

/// The part of a tournament that is in the results of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The shard.
    pub shard: Shard,
    /// True if all games of the shard are there, failed ones included.
    pub is_complete: bool,
}

/// State of the games of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentState {
    /// Round after which each agent was out; `None` if it is still in.
    pub out: Vec<Option<u32>>,
    /// Games that were played.
    pub done: Vec<Summary>,
    /// Games still to be played; with elimination, more may follow.
    pub missing: Vec<PlannedGame>,
    /// Games that failed and are not tried again now.
    pub failed: Vec<PlannedGame>,
}

/// Reason why a store cannot be used as requested. Recorded games are never lost.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened.
    #[error("cannot open {path}: {1}", path = .0.display())]
    File(PathBuf, io::Error),
    /// The file is not a store; the text describes what was found.
    #[error("{path}: found {1}, expected the store of a tournament", path = .0.display())]
    NotAStore(PathBuf, String),
    /// The store was made by another version; the numbers are the version found and the one expected.
    #[error(
        "{path}: found a store of version {1}, expected version {2}\nhelp: use the version of kingline that made it",
        path = .0.display()
    )]
    OtherVersion(PathBuf, i64, i64),
    /// Another master is writing to it.
    #[error("{path}: another master is writing to it\nhelp: wait for it or stop it", path = .0.display())]
    Locked(PathBuf),
    /// The store already exists.
    #[error("{path}: the store already exists", path = .0.display())]
    Exists(PathBuf),
    /// The store belongs to another tournament; the text lists the differences.
    #[error("{path}: the store belongs to another tournament: {1}", path = .0.display())]
    OtherTournament(PathBuf, String),
    /// The store did not begin with the requested earlier round, or no round can begin with it; the text gives the
    /// reason.
    #[error("{path}: {1}", path = .0.display())]
    OtherRound(PathBuf, String),
    /// The store has no such game.
    #[error("{path}: there is no game {id}", path = .0.display(), id = .1.0)]
    NoGame(PathBuf, GameId),
    /// The game already has a result.
    #[error("{path}: the game was played before, as game {id}", path = .0.display(), id = .1.0)]
    Recorded(PathBuf, GameId),
    /// A database operation failed.
    #[error("cannot {doing} {path}: {error}{help}", path = path.display(), help = help_for(error))]
    Database {
        /// The operation.
        doing: &'static str,
        /// The store's file.
        path: PathBuf,
        /// SQLite's error.
        error: rusqlite::Error,
    },
}

fn help_for(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; all games recorded so far are safe\nhelp: free disk space, then start again",
        Some(ErrorCode::ReadOnly) => "\nhelp: make it writable",
        _ => "",
    }
}

impl StoreError {
    /// Returns true if the content of a game is invalid, false if the store cannot be read.
    pub fn is_content(&self) -> bool {
        use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
        match self {
            StoreError::NoGame(..) => true,
            StoreError::Database { error, .. } => {
                matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..))
            }
            _ => false,
        }
    }

    /// Converts an SQLite error that occurred while `doing` something with a file.
    fn database(doing: &'static str, path: &Path, error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore(path.to_owned(), "another kind of file".to_owned()),
            _ => StoreError::Database { doing, path: path.to_owned(), error },
        }
    }
}
