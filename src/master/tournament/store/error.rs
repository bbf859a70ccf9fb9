//! Errors of stores.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::games::GameId;

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
    pub(super) fn database(doing: &'static str, path: &Path, error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore(path.to_owned(), "another kind of file".to_owned()),
            _ => StoreError::Database { doing, path: path.to_owned(), error },
        }
    }
}
