//! Reading a store.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OptionalExtension};

use super::{FAILED, GameId, Part, StoreError, StoredAgent, Summary, TournamentState, checksum, rows, schema};
use crate::league::League;
use crate::record::GameRecord;
use crate::tournament::schedule::{self, GameKey, GameStatus, PlannedGame, Schedule, TournamentRules};

/// Time between attempts to copy a store while a master writes to it.
const PAUSE: Duration = Duration::from_millis(20);

/// A tournament's store, opened for reading. A master may write to it meanwhile.
#[derive(Debug)]
pub struct Store {
    pub(super) path: PathBuf,
    pub(super) connection: Connection,
    pub(super) league: League,
    pub(super) rules: TournamentRules,
    pub(super) part: Option<Part>,
}

impl Store {
    /// Opens a store for reading.
    ///
    /// # Errors
    /// The file does not exist, is not a store, has another version, or cannot be read.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let path = schema::absolute(path)?;
        let store = Store::load(schema::connect(&path)?, path)?;
        store.connection.pragma_update(None, "query_only", true).map_err(|error| store.error("open", error))?;
        Ok(store)
    }

    /// Loads a store from a checked connection.
    pub(super) fn load(connection: Connection, path: PathBuf) -> Result<Store, StoreError> {
        let (league, rules, part) = schema::rules(&connection, &path)?;
        Ok(Store { path, connection, league, rules, part })
    }

    /// Path of its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rules and clocks of its games.
    pub fn league(&self) -> &League {
        &self.league
    }

    /// Pairing, number of games and seed.
    pub fn rules(&self) -> &TournamentRules {
        &self.rules
    }

    /// The shard whose results these are; `None` in the store of a whole tournament.
    pub fn part(&self) -> Option<Part> {
        self.part
    }

    /// Returns a number that changes whenever another process or connection has changed the store.
    pub fn version(&self) -> Result<i64, StoreError> {
        let read = self.connection.pragma_query_value(None, "data_version", |row| row.get(0));
        read.map_err(|error| self.error("read", error))
    }

    /// Copies the store as it is now to another database, which is overwritten.
    pub(super) fn copy_into(&self, copy: &mut Connection) -> rusqlite::Result<()> {
        Backup::new(&self.connection, copy)?.run_to_completion(i32::MAX, PAUSE, None)
    }

    /// Writes a copy of the store as it is now to a new file.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        let copied = Connection::open(path).and_then(|mut copy| self.copy_into(&mut copy));
        copied.map_err(|error| StoreError::database("copy the store to", path, error))
    }

    /// Returns the agents that take part, sorted by name.
    pub fn agents(&self) -> Result<Vec<StoredAgent>, StoreError> {
        Ok(self.present()?.into_iter().map(|(_, agent)| agent).collect())
    }

    /// Returns the games played between the agents that take part, including those without points, in the order of
    /// play.
    pub fn summaries(&self) -> Result<Vec<Summary>, StoreError> {
        Ok(self.schedule(&|_| false)?.done)
    }

    /// Returns the games of the tournament that the results so far determine, and the state of each. `given_up` selects
    /// failed games that are not tried again now.
    pub fn schedule(&self, given_up: &dyn Fn(&PlannedGame) -> bool) -> Result<TournamentState, StoreError> {
        Ok(self.schedule_of(&self.agents()?, self.played()?, given_up))
    }

    /// Returns all games between the agents that take part, including failed ones. Pairings are not numbered.
    pub(crate) fn played(&self) -> Result<HashMap<GameKey, Summary>, StoreError> {
        let ids: Vec<i64> = self.present()?.into_iter().map(|(id, _)| id).collect();
        rows::summaries(&self.connection, &ids).map_err(|error| self.error("read", error))
    }

    /// Returns what [`schedule`](Self::schedule) would return for `agents` with `played` as the results.
    pub(crate) fn schedule_of(
        &self,
        agents: &[StoredAgent],
        mut played: HashMap<GameKey, Summary>,
        given_up: &dyn Fn(&PlannedGame) -> bool,
    ) -> TournamentState {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        let known = |game: &PlannedGame| match played.get(&game.key()) {
            Some(found) if found.reason != FAILED => GameStatus::Played(found.half_points),
            Some(_) if given_up(game) => GameStatus::Failed,
            _ => GameStatus::Missing,
        };
        let Schedule { games, out } = schedule::schedule(&self.rules, &names, known);
        let mut standing = TournamentState { out, done: Vec::new(), missing: Vec::new(), failed: Vec::new() };
        for game in games {
            match played.remove(&game.key()) {
                Some(found) if found.reason != FAILED => {
                    standing.done.push(Summary { pairing: game.pairing, ..found });
                }
                Some(_) if given_up(&game) => standing.failed.push(game),
                _ => standing.missing.push(game),
            }
        }
        standing
    }

    /// Returns the games in which an agent could not be started, with one flag each for Black and White.
    pub fn not_started(&self) -> Result<HashMap<GameId, [bool; 2]>, StoreError> {
        rows::not_started(&self.connection, self.league.faults).map_err(|error| self.error("read", error))
    }

    /// Returns all agents that ever took part and all games ever recorded, including failed ones, ordered by number.
    /// Pairings are not numbered.
    pub fn everything(&self) -> Result<(Vec<StoredAgent>, Vec<Summary>), StoreError> {
        let read = || {
            let (ids, agents): (Vec<i64>, Vec<StoredAgent>) =
                rows::agents(&self.connection, "ORDER BY id", ())?.into_iter().unzip();
            let mut games: Vec<Summary> = rows::summaries(&self.connection, &ids)?.into_values().collect();
            games.sort_unstable_by_key(|game| game.id);
            Ok((agents, games))
        };
        read().map_err(|error| self.error("read", error))
    }

    /// Returns true if a game is as it was recorded, by its checksum.
    pub fn is_as_recorded(&self, id: GameId) -> Result<bool, StoreError> {
        checksum::matches(&self.connection, id).map_err(|error| self.error("read a game of", error))
    }

    /// Returns the summary of a game, computed from its record.
    pub fn summary_of(&self, game: &Summary, record: &GameRecord) -> Result<Summary, StoreError> {
        Summary::of(game.id, &game.planned(), record, &self.league)
            .map_err(|error| self.error("write a game of", error))
    }

    /// Returns the record of a game.
    ///
    /// # Errors
    /// The store has no such game or cannot be read.
    pub fn game(&self, id: GameId) -> Result<GameRecord, StoreError> {
        let read = rows::read(&self.connection, &self.league, id).optional();
        read.map_err(|error| self.error("read a game of", error))?.ok_or(StoreError::NoGame(self.path.clone(), id))
    }

    /// Returns the agents that take part, with their ids, sorted by name.
    pub(super) fn present(&self) -> Result<Vec<(i64, StoredAgent)>, StoreError> {
        rows::agents(&self.connection, "WHERE present ORDER BY name", ()).map_err(|error| self.error("read", error))
    }

    fn error(&self, doing: &'static str, error: rusqlite::Error) -> StoreError {
        StoreError::database(doing, &self.path, error)
    }
}
