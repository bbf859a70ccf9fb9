//! What can go wrong with a store?

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::GameId;

/// Why a store cannot be used as requested. It never loses anything.
#[derive(Debug)]
pub enum StoreError {
    /// The file cannot be opened.
    File(PathBuf, io::Error),
    /// The file is not a store: what it is instead.
    NotAStore(PathBuf, String),
    /// The store has the version of another kingline: found, expected.
    OtherVersion(PathBuf, i64, i64),
    /// Another master is writing to it.
    Locked(PathBuf),
    /// There is a store already.
    Exists(PathBuf),
    /// The store belongs to another tournament: what differs.
    OtherTournament(PathBuf, String),
    /// There is no such game.
    NoGame(PathBuf, GameId),
    /// The game has a result already.
    Recorded(PathBuf, GameId),
    /// A database operation failed: what was tried, and why it failed.
    Database {
        /// What was tried.
        doing: &'static str,
        /// In which file.
        path: PathBuf,
        /// Why it failed.
        error: rusqlite::Error,
    },
}

impl StoreError {
    /// Whether a game is not what this program writes, rather than that the store cannot be read.
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

    /// The meaning of an SQLite error in `doing` something with a file.
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
                "{}: found a store of version {found}, expected version {expected}; the kingline that made it can read it",
                path.display()
            ),
            StoreError::Locked(path) => {
                write!(f, "{}: another master is at work on it; wait for it or stop it", path.display())
            }
            StoreError::Exists(path) => write!(f, "{}: there is a store already", path.display()),
            StoreError::OtherTournament(path, differs) => {
                write!(f, "{}: the store is of another tournament: {differs}", path.display())
            }
            StoreError::NoGame(path, GameId(id)) => write!(f, "{}: there is no game {id}", path.display()),
            StoreError::Recorded(path, GameId(id)) => {
                write!(f, "{}: the game was played already; it is game {id}", path.display())
            }
            StoreError::Database { doing, path, error } => {
                write!(f, "cannot {doing} {}: {error}", path.display())?;
                match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => {
                        f.write_str("; all games recorded before are safe: make room, then start again")
                    }
                    Some(ErrorCode::ReadOnly) => f.write_str("; it must be writable to record games"),
                    _ => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for StoreError {}
