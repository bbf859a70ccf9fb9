//! What does a tournament keep? One SQLite file with its rules, its agents and all games that were played.
//!
//! Nothing is ever deleted. An agent is its name and the hash of its files; a changed agent is another one of the same
//! name, and the games of the old one stay, but count only if the old files come back. Which games count is computed on
//! request, from the rules and the agents that take part.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `schema` | what the tables are, and whether a file is a store of this version |
//! | `rows` | how a game is written as rows, and read from them |
//! | `write` | how a store is made, and games get into it |
//! | `checksum` | whether a game has changed since it was recorded |
//! | `lock` | why two masters never write to one store |
//! | `error` | what can go wrong |

mod checksum;
mod error;
mod lock;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

pub use checksum::ChecksumState;
pub use error::StoreError;
pub(crate) use lock::Lock;
pub use write::{Changes, StoreWriter};

use super::league::League;
use super::record::GameRecord;
use super::schedule::{self, GameKey, GameStatus, PlannedGame, Schedule, TournamentRules};
use crate::game::Color;

/// A tournament's store, for reading; a master may write to it meanwhile.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    league: League,
    rules: TournamentRules,
}

/// The number of a game in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub i64);

/// An agent that takes part in the tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAgent {
    /// Its folder's name.
    pub name: String,
    /// Its own name for itself, where its league asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The hash of its files; see [`Agent`](super::agent::Agent).
    pub hash: String,
}

/// What standings need of a game that was played: of [`PlannedGame`], [`GameRecord`] and summary the last. Pairs are
/// Black's, then White's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// See [`Store::game`].
    pub id: GameId,
    /// From 1; always 1 in a round robin.
    pub round: u32,
    /// Both games of a pairing share it and their opening; from 0, in the order of play.
    pub pairing: u32,
    /// Which of the pairings of these two agents in this round, from 0.
    pub opening: u32,
    /// Seeded the opening and the referee's own moves.
    pub seed: u64,
    /// Indexes of [`Store::agents`].
    pub agents: [usize; 2],
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// Two per win; `None`: it counts for neither side.
    pub half_points: Option<[u32; 2]>,
    /// Why it ended, in hyphenated words: `connected`, `repetition`, `over-time`.
    pub reason: String,
    /// Faults of each side.
    pub faults: [u32; 2],
    /// Those of them that are about time: out of time, or hung.
    pub timeouts: [u32; 2],
    /// Turns that the agents took.
    pub turns: u32,
    /// Time that each side used, by the clock that counts in its league.
    pub spent: [Duration; 2],
}

impl Summary {
    /// Which game it is.
    pub fn key(&self) -> GameKey {
        (self.round, self.agents, self.opening)
    }

    /// Whether the referee failed, so that it has to be played again.
    pub fn is_failed(&self) -> bool {
        self.reason == rows::FAILED
    }
}

impl Store {
    /// Opens a store for reading.
    ///
    /// # Errors
    /// There is no such file, it is not a store or one of another version, or it cannot be read.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let path = schema::absolute(path)?;
        let store = Store::load(schema::connect(&path)?, path)?;
        store.connection.pragma_update(None, "query_only", true).map_err(|error| store.error("open", error))?;
        Ok(store)
    }

    /// The store of a connection that was checked.
    fn load(connection: Connection, path: PathBuf) -> Result<Store, StoreError> {
        let (league, rules) = schema::rules(&connection, &path)?;
        Ok(Store { path, connection, league, rules })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rules and clocks of its games.
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

    /// The games that were played between the agents that take part, including those without points, in the order of
    /// play.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn summaries(&self) -> Result<Vec<Summary>, StoreError> {
        Ok(self.schedule(&|_| false)?.done)
    }

    /// The games of the tournament, as far as the results so far determine them, and the state of each. `given_up` says
    /// which failed games are not to be tried again now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn schedule(&self, given_up: &dyn Fn(&PlannedGame) -> bool) -> Result<TournamentState, StoreError> {
        let present = self.present()?;
        let ids: Vec<i64> = present.iter().map(|&(id, _)| id).collect();
        let played = rows::summaries(&self.connection, &ids).map_err(|error| self.error("read", error))?;
        let agents: Vec<StoredAgent> = present.into_iter().map(|(_, agent)| agent).collect();
        Ok(self.schedule_of(&agents, played, given_up))
    }

    /// The same of these agents, if the results of their games were `played`.
    pub(in crate::master) fn schedule_of(
        &self,
        agents: &[StoredAgent],
        mut played: HashMap<GameKey, Summary>,
        given_up: &dyn Fn(&PlannedGame) -> bool,
    ) -> TournamentState {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
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
        standing
    }

    /// The games in which an agent could not be started, and whether that was Black, White or both.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn not_started(&self) -> Result<HashMap<GameId, [bool; 2]>, StoreError> {
        rows::not_started(&self.connection, self.league.faults).map_err(|error| self.error("read", error))
    }

    /// All agents that ever took part, and all games that were ever recorded, of whatever agents, those that failed
    /// included; in the order of their numbers. Pairings are not numbered.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn everything(&self) -> Result<(Vec<StoredAgent>, Vec<Summary>), StoreError> {
        let read = || {
            let (ids, agents): (Vec<i64>, Vec<StoredAgent>) = rows::everybody(&self.connection)?.into_iter().unzip();
            let mut games: Vec<Summary> = rows::summaries(&self.connection, &ids)?.into_values().collect();
            games.sort_unstable_by_key(|game| game.id);
            Ok((agents, games))
        };
        read().map_err(|error| self.error("read", error))
    }

    /// Whether a game is as it was recorded.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn check(&self, id: GameId) -> Result<ChecksumState, StoreError> {
        checksum::check(&self.connection, id).map_err(|error| self.error("read a game of", error))
    }

    /// The summary that belongs to the record of a game.
    ///
    /// # Errors
    /// The record cannot be written as text.
    pub fn summary_of(&self, game: &Summary, record: &GameRecord) -> Result<Summary, StoreError> {
        let figures = rows::Figures::of(record, &self.league).map_err(|error| self.error("write a game of", error))?;
        let rows::Figures { winner, half_points, reason, faults, timeouts, turns, spent } = figures;
        Ok(Summary { winner, half_points, reason, faults, timeouts, turns, spent, ..game.clone() })
    }

    /// The record of a game.
    ///
    /// # Errors
    /// There is no such game, or the store cannot be read.
    pub fn game(&self, id: GameId) -> Result<GameRecord, StoreError> {
        let read = rows::read(&self.connection, &self.league, id).optional();
        read.map_err(|error| self.error("read a game of", error))?.ok_or(StoreError::NoGame(self.path.clone(), id))
    }

    /// The game that was played as planned, even if it failed.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn find(&self, game: &PlannedGame) -> Result<Option<GameId>, StoreError> {
        let present = self.present()?;
        let agents = game.agents.map(|agent| present[agent].0);
        let found = rows::find(&self.connection, game, agents).optional();
        Ok(found.map_err(|error| self.error("read", error))?.map(|(id, _)| id))
    }

    /// The agents that take part, with their ids in the store, by name.
    fn present(&self) -> Result<Vec<(i64, StoredAgent)>, StoreError> {
        rows::present(&self.connection).map_err(|error| self.error("read", error))
    }

    fn error(&self, doing: &'static str, error: rusqlite::Error) -> StoreError {
        StoreError::database(doing, &self.path, error)
    }
}

/// The state of the games of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentState {
    /// For each agent the round after which it was out; `None`: it is still in.
    pub out: Vec<Option<u32>>,
    /// Games that were played.
    pub done: Vec<Summary>,
    /// Games still to be played; with elimination, more may follow.
    pub missing: Vec<PlannedGame>,
    /// Games that failed, and are given up for now.
    pub failed: Vec<PlannedGame>,
}
