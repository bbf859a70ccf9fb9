//! Errors of tournaments.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::intake::agent::Refused;
use crate::tournament::store::StoreError;

/// Reason why a tournament or a shard cannot be played or merged. Recorded games are never lost.
#[derive(Debug)]
pub enum TournamentError {
    /// The store cannot be used.
    Store(StoreError),
    /// A file operation failed: the operation and its error.
    File(&'static str, PathBuf, io::Error),
    /// A line of a file is malformed; the line number is 1-based.
    Line(PathBuf, usize, String),
    /// A file has the wrong content.
    Content(PathBuf, String),
    /// Another process is playing this shard.
    Busy(PathBuf),
    /// Agents that cannot play.
    Refused(Vec<Refused>),
    /// Agents are missing or differ from those in the plan; one description each.
    Agents(Vec<String>),
}

impl TournamentError {
    /// Wraps a file-system error, for `map_err`.
    pub(super) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TournamentError {
        let path = path.to_owned();
        move |error| TournamentError::File(doing, path, error)
    }

    /// Returns true if the input is bad, false if an operation failed.
    pub fn is_bad_input(&self) -> bool {
        match self {
            TournamentError::Store(error) => {
                !matches!(error, StoreError::File(..) | StoreError::Database { .. } | StoreError::Locked(_))
            }
            TournamentError::File(..) | TournamentError::Busy(_) => false,
            _ => true,
        }
    }
}

impl From<StoreError> for TournamentError {
    fn from(error: StoreError) -> TournamentError {
        TournamentError::Store(error)
    }
}

impl fmt::Display for TournamentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, title: &str, items: &[String]| {
            f.write_str(title)?;
            items.iter().try_for_each(|item| write!(f, "\n  {item}"))
        };
        match self {
            TournamentError::Store(error) => write!(f, "{error}"),
            TournamentError::File(doing, path, error) => write!(f, "cannot {doing} {}: {error}", path.display()),
            TournamentError::Line(path, line, what) => write!(f, "{} line {line}: {what}", path.display()),
            TournamentError::Content(path, what) => write!(f, "{}: {what}", path.display()),
            TournamentError::Busy(path) => write!(f, "{}: another process is playing this shard", path.display()),
            TournamentError::Refused(refused) => {
                let items: Vec<String> = refused.iter().map(ToString::to_string).collect();
                list(f, "these agents cannot play:", &items)
            }
            TournamentError::Agents(items) => list(f, "these agents do not match the plan:", items),
        }
    }
}

impl std::error::Error for TournamentError {}
