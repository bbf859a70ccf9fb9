//! What a tournament keeps: one SQLite file with its rules, its agents and all games that were played.
//!
//! Nothing is ever deleted. An agent is its name and the hash of its files; whoever changes is another agent of the
//! same name, and the games of the old one stay, but count only if the old files come back. Which games count is
//! worked out when it is asked for, from the rules and the agents that are present.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `schema` | what the tables are, and whether a file is a store of this version |
//! | `rows` | how a game is written as rows, and read from them |
//! | `write` | how a store is made, and games get into it |
//! | `lock` | why two masters never write one store |
//! | `error` | what can go wrong |

mod error;
mod lock;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

pub use error::StoreError;
pub(crate) use lock::Lock;
pub use write::{Changes, StoreWriter};

use super::league::League;
use super::record::GameRecord;
use super::schedule::{self, GameStatus, PlannedGame, Schedule, TournamentRules};
use crate::game::Color;

/// A tournament's store, to be read; also while a master writes it.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    league: League,
    rules: TournamentRules,
}

/// Which of the games in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub i64);

/// An agent that takes part in the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAgent {
    /// Its folder's name.
    pub name: String,
    /// What it calls itself, where its league asks for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Of its files; see [`Agent`](super::agent::Agent).
    pub hash: String,
}

/// What tables need of a game that counts, or that ended without a point for anybody. Pairs are Black's, then White's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Of [`Store::game`].
    pub id: GameId,
    /// From 1; always 1 in a round robin.
    pub round: u32,
    /// Both games of a pairing share it and their opening; from 0, in the order of play.
    pub pairing: u32,
    /// Which of the pairings of these two agents in this round, from 0.
    pub opening: u32,
    /// From which the opening and the referee's own moves were drawn.
    pub seed: u64,
    /// Indexes of [`Store::agents`].
    pub agents: [usize; 2],
    /// Who won; `None`: nobody.
    pub winner: Option<Color>,
    /// Two for a won game; `None`: it counts for neither side.
    pub half_points: Option<[u32; 2]>,
    /// Why it ended, in a word or two with hyphens: `connected`, `repetition`, `over-time`.
    pub reason: String,
    /// Faults of each side.
    pub faults: [u32; 2],
    /// Those among them that are of time: over it, or hung.
    pub timeouts: [u32; 2],
    /// Turns that the agents took.
    pub turns: u32,
    /// Time that each side used, by the clock that counts in its league.
    pub spent: [Duration; 2],
}

impl Store {
    /// Opens a store to read it.
    ///
    /// # Errors
    /// There is no such file, it is no store or one of another version, or it cannot be read.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let path = schema::absolute(path)?;
        let store = Store::load(schema::connect(&path)?, path)?;
        store.connection.pragma_update(None, "query_only", true).map_err(|error| store.error("open", error))?;
        Ok(store)
    }

    /// The store behind a connection that was checked.
    fn load(connection: Connection, path: PathBuf) -> Result<Store, StoreError> {
        let (league, rules) = schema::rules(&connection, &path)?;
        Ok(Store { path, connection, league, rules })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// By which rules and clocks its games are played.
    pub fn league(&self) -> &League {
        &self.league
    }

    /// Who meets whom, and how often.
    pub fn rules(&self) -> &TournamentRules {
        &self.rules
    }

    /// The agents that take part, by name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn agents(&self) -> Result<Vec<StoredAgent>, StoreError> {
        Ok(self.present()?.into_iter().map(|(_, agent)| agent).collect())
    }

    /// The games that count between the agents that take part, those included that ended without a point for
    /// anybody, in the order of play.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn summaries(&self) -> Result<Vec<Summary>, StoreError> {
        Ok(self.schedule(&|_| false)?.done)
    }

    /// The games of the tournament as far as the results so far tell, and how each stands. `given_up` tells for which
    /// games that failed it is no use to wait.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn schedule(&self, given_up: &dyn Fn(&PlannedGame) -> bool) -> Result<TournamentState, StoreError> {
        let present = self.present()?;
        let ids: Vec<i64> = present.iter().map(|&(id, _)| id).collect();
        let mut played = rows::summaries(&self.connection, &ids).map_err(|error| self.error("read", error))?;
        let names: Vec<&str> = present.iter().map(|(_, agent)| agent.name.as_str()).collect();
        let known = |game: &PlannedGame| match played.get(&game.key()) {
            Some(found) if found.reason != rows::FAILED => GameStatus::Played(found.half_points),
            Some(_) if given_up(game) => GameStatus::Failed,
            _ => GameStatus::Missing,
        };
        let Schedule { games, out } = schedule::schedule(&self.rules, &names, known);
        let mut standing = TournamentState { out, done: Vec::new(), missing: Vec::new(), failed: Vec::new() };
        for game in games {
            match played.remove(&game.key()) {
                Some(found) if found.reason != rows::FAILED => {
                    standing.done.push(Summary { pairing: game.pairing, ..found });
                }
                Some(_) if given_up(&game) => standing.failed.push(game),
                _ => standing.missing.push(game),
            }
        }
        Ok(standing)
    }

    /// All that is known of a game.
    ///
    /// # Errors
    /// There is no such game, or the store cannot be read.
    pub fn game(&self, id: GameId) -> Result<GameRecord, StoreError> {
        let read = rows::read(&self.connection, &self.league, id).optional();
        read.map_err(|error| self.error("read a game of", error))?.ok_or(StoreError::NoGame(self.path.clone(), id))
    }

    /// The game that was played where this one is planned, a failed one included.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn find(&self, game: &PlannedGame) -> Result<Option<GameId>, StoreError> {
        let present = self.present()?;
        let agents = game.agents.map(|agent| present[agent].0);
        let found = rows::find(&self.connection, game, agents).optional();
        Ok(found.map_err(|error| self.error("read", error))?.map(|(id, _)| id))
    }

    /// The agents that take part, with their numbers in the store, by name.
    fn present(&self) -> Result<Vec<(i64, StoredAgent)>, StoreError> {
        rows::present(&self.connection).map_err(|error| self.error("read", error))
    }

    fn error(&self, doing: &'static str, error: rusqlite::Error) -> StoreError {
        StoreError::database(doing, &self.path, error)
    }
}

/// How the games of a tournament stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentState {
    /// For each agent the round after which it was out; `None`: it is still in.
    pub out: Vec<Option<u32>>,
    /// Were played.
    pub done: Vec<Summary>,
    /// Have to be played; after them there may be more, in rounds of elimination.
    pub missing: Vec<PlannedGame>,
    /// Failed, and are given up for now.
    pub failed: Vec<PlannedGame>,
}
