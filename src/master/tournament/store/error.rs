//! Errors of stores.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::games::GameId;

/// Reason why a store cannot be used as requested. Recorded games are never lost.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be opened.
    File(PathBuf, io::Error),
    /// The file is not a store; the text describes what was found.
    NotAStore(PathBuf, String),
    /// The store was made by another version; the numbers are the version found and the one expected.
    OtherVersion(PathBuf, i64, i64),
    /// Another master is writing to it.
    Locked(PathBuf),
    /// The store already exists.
    Exists(PathBuf),
    /// The store belongs to another tournament; the text lists the differences.
    OtherTournament(PathBuf, String),
    /// The store did not begin with the requested earlier round, or no round can begin with it; the text gives the
    /// reason.
    OtherRound(PathBuf, String),
    /// The store has no such game.
    NoGame(PathBuf, GameId),
    /// The game already has a result.
    Recorded(PathBuf, GameId),
    /// A database operation failed.
    Database {
        /// The operation.
        doing: &'static str,
        /// The store's file.
        path: PathBuf,
        /// SQLite's error.
        error: rusqlite::Error,
    },
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

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::File(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            StoreError::NotAStore(path, found) => {
                write!(f, "{}: found {found}, expected the store of a tournament", path.display())
            }
            StoreError::OtherVersion(path, found, expected) => write!(
                f,
                "{}: found a store of version {found}, expected version {expected}\nhelp: use the version of kingline that made it",
                path.display()
            ),
            StoreError::Locked(path) => {
                write!(f, "{}: another master is writing to it\nhelp: wait for it or stop it", path.display())
            }
            StoreError::Exists(path) => write!(f, "{}: the store already exists", path.display()),
            StoreError::OtherTournament(path, differs) => {
                write!(f, "{}: the store belongs to another tournament: {differs}", path.display())
            }
            StoreError::OtherRound(path, why) => write!(f, "{}: {why}", path.display()),
            StoreError::NoGame(path, GameId(id)) => write!(f, "{}: there is no game {id}", path.display()),
            StoreError::Recorded(path, GameId(id)) => {
                write!(f, "{}: the game was played before, as game {id}", path.display())
            }
            StoreError::Database { doing, path, error } => {
                write!(f, "cannot {doing} {}: {error}", path.display())?;
                match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => {
                        f.write_str("; all games recorded so far are safe\nhelp: free disk space, then start again")
                    }
                    Some(ErrorCode::ReadOnly) => f.write_str("\nhelp: make it writable"),
                    _ => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for StoreError {}
