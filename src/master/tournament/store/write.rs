//! Creating a store and adding games to it.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::Path;

use rusqlite::{OptionalExtension, Params, Transaction, TransactionBehavior};

use super::read::Store;
use super::{FAILED, GameId, StoreError, StoredAgent, rows, schema};
use crate::league::League;
use crate::record::GameRecord;
use crate::tournament::schedule::{PlannedGame, TournamentRules};
use crate::tournament::shard::Shard;
use kingline_players::files::Lock;

/// A store for writing, locked against other writers.
#[derive(Debug)]
pub struct StoreWriter {
    // Dropped in this order; see `Lock`.
    store: Store,
    _lock: Lock,
}

/// Differences between the agents of this run and those of the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Agents that take part for the first time, or again.
    pub added: Vec<String>,
    /// Agents whose files have changed.
    pub changed: Vec<String>,
    /// Agents that no longer take part.
    pub removed: Vec<String>,
}

impl StoreWriter {
    /// Creates a store.
    ///
    /// # Errors
    /// The store already exists, another master is writing to it, or the file cannot be created.
    pub fn create(path: &Path, league: &League, rules: &TournamentRules) -> Result<StoreWriter, StoreError> {
        StoreWriter::create_as(path, league, rules, None)
    }

    /// Creates a store; one for the results of a shard has the agents that take part in it.
    pub(crate) fn create_as(
        path: &Path,
        league: &League,
        rules: &TournamentRules,
        shard: Option<(Shard, &[StoredAgent])>,
    ) -> Result<StoreWriter, StoreError> {
        let path = schema::absolute(path)?;
        let lock = lock(&path)?;
        // Checked under the lock, so that only one of two masters creates it. A master that is killed at its start
        // leaves an empty file.
        let about = fs::metadata(&path).map_err(|error| StoreError::File(path.clone(), error))?;
        if about.len() > 0 {
            return Err(StoreError::Exists(path));
        }
        let connection = schema::create(&path, league, rules, shard)?;
        Ok(StoreWriter { store: Store::load(connection, path)?, _lock: lock })
    }

    /// Opens a store to continue its tournament.
    ///
    /// # Errors
    /// The store does not exist or has another version, another master is writing to it, or it cannot be written.
    pub fn resume(path: &Path) -> Result<StoreWriter, StoreError> {
        let path = schema::absolute(path)?;
        // Checked before locking, which would create the file.
        schema::connect(&path)?;
        let lock = lock(&path)?;
        let connection = schema::connect(&path)?;
        Ok(StoreWriter { store: Store::load(connection, path)?, _lock: lock })
    }

    /// Sets the number of games between two agents that meet. With elimination, more games can change the results of
    /// finished rounds.
    pub fn set_games(&mut self, games: u32) -> Result<(), StoreError> {
        self.update("write the rules to", "UPDATE tournament SET games = ?", (games,))?;
        self.store.rules.games = games;
        Ok(())
    }

    /// Notes whether all games of the shard are in its results.
    pub(crate) fn set_complete(&mut self, is_complete: bool) -> Result<(), StoreError> {
        self.update("write the rules to", "UPDATE tournament SET complete = ?", (is_complete,))?;
        self.store.part.iter_mut().for_each(|part| part.is_complete = is_complete);
        Ok(())
    }

    /// Enters these agents, by name and hash. All others no longer take part, but their games stay.
    pub fn enter<'a>(&mut self, agents: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Changes, StoreError> {
        let before: BTreeMap<String, String> =
            self.store.agents()?.into_iter().map(|agent| (agent.name, agent.hash)).collect();
        let now: BTreeMap<&str, &str> = agents.into_iter().collect();
        self.transact::<_, StoreError>("write the agents to", |transaction, _| {
            transaction.execute("UPDATE agent SET present = 0", ())?;
            for entrant in &now {
                transaction.execute(
                    "INSERT INTO agent (name, hash, present) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET present = 1",
                    entrant,
                )?;
            }
            Ok(())
        })?;
        let names = |wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
            now.keys().filter(|name| wanted(name)).map(|&name| name.to_owned()).collect()
        };
        Ok(Changes {
            added: names(&|name| !before.contains_key(name)),
            changed: names(&|name| before.get(name).is_some_and(|hash| hash != now[name])),
            removed: before.keys().filter(|name| !now.contains_key(name.as_str())).cloned().collect(),
        })
    }

    /// Stores the name that an agent gives itself.
    pub fn set_title(&mut self, name: &str, title: &str) -> Result<(), StoreError> {
        self.update("write the agents to", "UPDATE agent SET title = ? WHERE name = ? AND present", (title, name))
    }

    /// Records a game that was played or failed, in one transaction. Replaces a failed game.
    ///
    /// # Errors
    /// The game already has a result, or the store cannot be written.
    pub fn record(&mut self, game: &PlannedGame, record: &GameRecord) -> Result<GameId, StoreError> {
        let present = self.present()?;
        self.transact("record a game in", |transaction, league| add(transaction, league, &present, game, record))
    }

    /// Records games as they come, in one transaction. After an error among them, none is recorded.
    ///
    /// # Errors
    /// The first error among the games; otherwise see [`record`](Self::record).
    pub fn record_each<E: From<StoreError>>(
        &mut self,
        games: impl IntoIterator<Item = Result<(PlannedGame, GameRecord), E>>,
    ) -> Result<(), E> {
        let present = self.present()?;
        self.transact("record games in", |transaction, league| {
            games.into_iter().try_for_each(|game| {
                let (game, record) = game.map_err(TransactionError::Other)?;
                add(transaction, league, &present, &game, &record).map(drop)
            })
        })
    }

    fn update(&mut self, doing: &'static str, query: &str, params: impl Params) -> Result<(), StoreError> {
        self.transact(doing, |transaction, _| {
            transaction.execute(query, params)?;
            Ok(())
        })
    }

    fn transact<T, E: From<StoreError>>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&Transaction<'_>, &League) -> Result<T, TransactionError<E>>,
    ) -> Result<T, E> {
        let Store { connection, league, path, .. } = &mut self.store;
        let run = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction, league)?;
            transaction.commit()?;
            Ok(done)
        };
        run().map_err(|refusal| match refusal {
            TransactionError::Recorded(id) => StoreError::Recorded(path.clone(), id).into(),
            TransactionError::Database(error) => StoreError::database(doing, path, error).into(),
            TransactionError::Other(error) => error,
        })
    }
}

/// Reason why a transaction was rolled back.
enum TransactionError<E> {
    Recorded(GameId),
    Database(rusqlite::Error),
    /// An error of the caller's.
    Other(E),
}

impl<E> From<rusqlite::Error> for TransactionError<E> {
    fn from(error: rusqlite::Error) -> TransactionError<E> {
        TransactionError::Database(error)
    }
}

fn add<E>(
    transaction: &Transaction<'_>,
    league: &League,
    present: &[(i64, StoredAgent)],
    game: &PlannedGame,
    record: &GameRecord,
) -> Result<GameId, TransactionError<E>> {
    let agents = game.agents.map(|agent| present[agent].0);
    match rows::find(transaction, game, agents).optional()? {
        Some((id, reason)) if reason != FAILED => Err(TransactionError::Recorded(id)),
        failed => Ok(rows::write(transaction, league, failed.map(|(id, _)| id), game, agents, record)?),
    }
}

impl Deref for StoreWriter {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

pub(super) fn lock(path: &Path) -> Result<Lock, StoreError> {
    match Lock::take(path) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(StoreError::Locked(path.to_owned())),
        Err(error) => Err(StoreError::File(path.to_owned(), error)),
    }
}
