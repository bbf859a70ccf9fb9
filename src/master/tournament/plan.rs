//! Plans: lists of games to be played, dealt out to shards.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::Path;

use super::array::Shard;
use super::error::TournamentError;
use super::lines::Sheet;
use crate::league::League;
use crate::tournament::schedule::PlannedGame;
use crate::tournament::store::Store;
use kingline_players::files::write_synced;

/// A list of games to be played.
#[derive(Debug)]
pub struct TournamentPlan {
    pub(super) sheet: Sheet,
    /// Games to be played, with both games of a pairing next to each other.
    pub games: Vec<PlannedGame>,
}

impl TournamentPlan {
    /// Returns the games missing from a store; with elimination, at most the rest of a round.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn of(store: &Store) -> Result<TournamentPlan, TournamentError> {
        Ok(TournamentPlan { sheet: Sheet::of(store)?, games: store.schedule(&|_| false)?.missing })
    }

    /// League whose rules apply.
    pub fn league(&self) -> &League {
        &self.sheet.league
    }

    /// Writes the plan as text, completely or not at all. Replaces another plan or an empty file, but neither a store
    /// nor results.
    ///
    /// # Errors
    /// There is another kind of file at the path, or the path cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TournamentError> {
        let refuse = |found: &dyn Display| {
            let what = format!("expected a plan to replace, or a new file ({found})");
            TournamentError::Content(path.to_owned(), what)
        };
        match fs::metadata(path) {
            Ok(there) if !there.is_file() => return Err(refuse(&"not a regular file")),
            Ok(there) if there.len() > 0 => drop(TournamentPlan::read(path).map_err(|error| refuse(&error))?),
            _ => {}
        }
        let text = || {
            let mut bytes = self.sheet.top()?;
            for game in &self.games {
                bytes.extend(self.sheet.game(game, None)?);
            }
            bytes.extend(Sheet::end(1 + self.sheet.agents.len() + self.games.len())?);
            Ok(bytes)
        };
        let bytes = text().map_err(TournamentError::file("write", path))?;
        write_synced(path, &[&bytes]).map_err(|error| {
            let error = error.downcast::<io::Error>().unwrap_or_else(io::Error::other);
            TournamentError::File("write", path.to_owned(), error)
        })
    }

    /// Reads a plan that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// The file cannot be read, is not a plan, or is incomplete.
    pub fn read(path: &Path) -> Result<TournamentPlan, TournamentError> {
        let mut sheet = Sheet::read(path)?;
        let entries = std::mem::take(&mut sheet.entries);
        match (entries.iter().find(|entry| entry.record.is_some()), sheet.shard) {
            (None, Some(shard)) => {
                let what = format!("found results of shard {shard}, expected a plan");
                Err(TournamentError::Content(path.to_owned(), what))
            }
            (None, None) => Ok(TournamentPlan { sheet, games: entries.into_iter().map(|entry| entry.game).collect() }),
            (Some(played), _) => {
                let what = "found a played game, expected an unplayed one: these are results, not a plan";
                Err(TournamentError::Line(path.to_owned(), played.line, what.to_owned()))
            }
        }
    }

    /// Returns the games of a shard. Pairings are dealt out to the shards in turn, both games of a pairing together.
    pub fn shard(&self, shard: Shard) -> Vec<PlannedGame> {
        let mut games = Vec::new();
        for (place, pairing) in (0..).zip(self.games.chunk_by(|a, b| a.pairing == b.pairing)) {
            if place % shard.of() == shard.number() - 1 {
                games.extend_from_slice(pairing);
            }
        }
        games
    }
}
