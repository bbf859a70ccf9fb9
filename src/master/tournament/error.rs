//! What can go wrong in a tournament?

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::master::agent::Refused;
use crate::master::store::StoreError;

/// Why a tournament, or a part of it, cannot be played or merged. Nothing is ever lost.
#[derive(Debug)]
pub enum TournamentError {
    /// The store cannot be used.
    Store(StoreError),
    /// A file operation failed: what was tried, and why it failed.
    File(&'static str, PathBuf, io::Error),
    /// A line of a file, from 1, is not what was expected.
    Line(PathBuf, usize, String),
    /// A file is not what was expected.
    Content(PathBuf, String),
    /// Another process is playing this shard.
    Busy(PathBuf),
    /// Agents that cannot play.
    Refused(Vec<Refused>),
    /// Agents are missing or not those of the plan: each with what is wrong.
    Agents(Vec<String>),
}

impl TournamentError {
    /// An error of the file system, for `map_err`.
    pub(super) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TournamentError {
        let path = path.to_owned();
        move |error| TournamentError::File(doing, path, error)
    }

    /// Whether the input is bad, rather than that something failed.
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
            TournamentError::Agents(items) => list(f, "these agents are not those of the plan:", items),
        }
    }
}

impl std::error::Error for TournamentError {}
