//! Earlier rounds of a tournament, whose games a store began with.
//!
//! A new round begins as a copy of the store of the earlier one. The copy keeps all agents and games, so that games
//! between agents whose files are the same count again, and the results of the earlier rounds can still be computed.

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, Result};
use tempfile::TempPath;

use super::read::Store;
use super::write::lock;
use super::{GameId, StoreError, StoredAgent, Summary, rows, schema};
use crate::tournament::schedule::GameKey;
use kingline_players::files::folder_of;

/// Tables of stores that began with the games of another store.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS earlier (
        id INTEGER PRIMARY KEY,           -- from 1, oldest first
        name TEXT NOT NULL,               -- of its store's file
        last INTEGER NOT NULL             -- highest number of its games
    ) STRICT;
    CREATE TABLE IF NOT EXISTS earlier_agent (
        earlier INTEGER NOT NULL REFERENCES earlier,
        agent INTEGER NOT NULL REFERENCES agent,
        PRIMARY KEY (earlier, agent)
    ) STRICT, WITHOUT ROWID;
";

/// An earlier round, as it was when the next one began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRound {
    /// Name of its store's file, without the extension.
    pub name: String,
    /// Agents that took part, sorted by name.
    pub agents: Vec<StoredAgent>,
    /// Games played between these agents, in the order of play. Agents are indexes into `agents`.
    pub games: Vec<Summary>,
    /// Highest number of the games that the next round began with.
    pub last: GameId,
}

/// A store that is not yet at its place: a copy of an earlier one, to begin a new round. Removed when dropped.
#[derive(Debug)]
pub struct NextRound {
    path: PathBuf,
    copy: TempPath,
}

impl NextRound {
    /// Copies `earlier` to a temporary file beside `path`, and adds it to the rounds of the copy. Only reads `earlier`.
    ///
    /// # Errors
    /// `earlier` cannot be read, or the copy cannot be written.
    pub fn begin(earlier: &Store, path: &Path) -> Result<NextRound, StoreError> {
        let path = schema::absolute(path)?;
        let made = tempfile::Builder::new()
            .prefix(".next-round-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder_of(&path));
        let copy = made.map_err(|error| StoreError::File(path.clone(), error))?.into_temp_path();
        let mut connection = schema::open(&copy)?;
        let name = earlier.path.file_stem().unwrap_or_default().to_string_lossy();
        let fill = |connection: &mut Connection| {
            earlier.copy_into(connection)?;
            let transaction = connection.transaction()?;
            transaction.execute_batch(TABLES)?;
            transaction.execute(
                "INSERT INTO earlier (name, last) VALUES (?, (SELECT coalesce(max(id), 0) FROM game))",
                (&name,),
            )?;
            let id = transaction.last_insert_rowid();
            transaction.execute("INSERT INTO earlier_agent SELECT ?, id FROM agent WHERE present", (id,))?;
            let made_by = "UPDATE tournament SET kingline = ?, shard = NULL, complete = NULL";
            transaction.execute(made_by, (env!("CARGO_PKG_VERSION"),))?;
            transaction.commit()
        };
        fill(&mut connection).map_err(|error| StoreError::database("copy the earlier round to", &path, error))?;
        Ok(NextRound { path, copy })
    }

    /// Opens the copy for reading.
    pub fn open(&self) -> Result<Store, StoreError> {
        Store::open(&self.copy)
    }

    /// Moves the copy to its place.
    ///
    /// # Errors
    /// There is a store by now, another master is writing to it, or the folder cannot be written.
    pub fn place(self) -> Result<(), StoreError> {
        let NextRound { path, copy } = self;
        // Held until the copy has replaced the empty file.
        let _lock = lock(&path)?;
        let about = fs::metadata(&path).map_err(|error| StoreError::File(path.clone(), error))?;
        if about.len() > 0 {
            return Err(StoreError::Exists(path));
        }
        copy.persist(&path).map_err(|error| StoreError::File(path.clone(), error.error))
    }
}

impl Store {
    /// Returns the earlier rounds that this store began with, oldest first.
    pub fn earlier(&self) -> Result<Vec<EarlierRound>, StoreError> {
        let failed = |error| StoreError::database("read", self.path(), error);
        // Oldest first: the number, the name and the last game of each.
        let named = || -> Result<Vec<(i64, String, i64)>> {
            if !self.connection.table_exists(None, "earlier_agent")? {
                return Ok(Vec::new());
            }
            let mut statement = self.connection.prepare_cached("SELECT id, name, last FROM earlier ORDER BY id")?;
            statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        };
        let rounds = named().map_err(failed)?;
        let round = |(id, name, last): (i64, String, i64)| {
            let which = "JOIN earlier_agent ON agent.id = earlier_agent.agent WHERE earlier = ? ORDER BY name";
            let entered = rows::agents(&self.connection, which, (id,))?;
            let ids: Vec<i64> = entered.iter().map(|&(id, _)| id).collect();
            let agents: Vec<StoredAgent> = entered.into_iter().map(|(_, agent)| agent).collect();
            let mut played: HashMap<GameKey, Summary> = rows::summaries(&self.connection, &ids)?;
            played.retain(|_, game| game.id.0 <= last);
            let games = self.schedule_of(&agents, played, &|_| false).done;
            Ok(EarlierRound { name, agents, games, last: GameId(last) })
        };
        rounds.into_iter().map(|named| round(named).map_err(failed)).collect()
    }
}
