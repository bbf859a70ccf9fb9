//! Errors of tournaments.

use std::io;
use std::path::PathBuf;

use crate::intake::agent::Refused;
use crate::tournament::store::{GameId, StoreError};

/// Reason why a tournament or a shard cannot be played or merged. Recorded games are never lost.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file operation failed: the operation and its error.
    #[error("cannot {0} {path}: {2}", path = .1.display())]
    File(&'static str, PathBuf, io::Error),
    /// A file has the wrong content.
    #[error("{path}: {1}", path = .0.display())]
    Content(PathBuf, String),
    /// A game in a file of results is refused.
    #[error("{path} game {id}: {2}", path = .0.display(), id = .1.0)]
    Game(PathBuf, GameId, String),
    /// Agents that cannot play.
    #[error("these agents cannot play:{}", listed(.0))]
    Refused(Vec<Refused>),
    /// Agents are missing or differ from those in the plan; one description each.
    #[error("these agents do not match the plan:{}", listed(.0))]
    Agents(Vec<String>),
}

fn listed(items: &[impl ToString]) -> String {
    items.iter().map(|item| format!("\n  {}", item.to_string())).collect()
}

impl TournamentError {
    /// Returns true if the input is bad, false if an operation failed.
    pub fn is_bad_input(&self) -> bool {
        match self {
            TournamentError::Store(error) => {
                !matches!(error, StoreError::File(..) | StoreError::Database { .. } | StoreError::Locked(_))
            }
            TournamentError::File(..) => false,
            _ => true,
        }
    }
}
