//! Where are the games of a tournament played? In cells of the sandbox, on several threads.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::agent::Agent;
use super::league::League;
use super::players::{COPIES, Contestant, Workspace, play, prepare};
use super::record::GameRecord;
use super::referee::NoObserver;
use super::sandbox::Sandbox;
use super::schedule::PlannedGame;
use super::tournament::Arena;

/// Plays the games of a tournament in the sandbox.
#[derive(Debug)]
pub struct SandboxedArena {
    sandbox: Sandbox,
    league: League,
    /// For the calibrations, and the working directories of games in flight.
    folder: PathBuf,
    ready: Mutex<HashMap<Who, Arc<OnceLock<Ready>>>>,
}

/// An agent by name and hash.
type Who = (String, String);

/// A prepared agent, or why it cannot be prepared. The first that needs it prepares it; the others wait.
type Ready = Result<Contestant, String>;

/// Under the arena's folder: a directory for each game in flight.
const IN_FLIGHT: &str = "in-flight";

impl SandboxedArena {
    /// An arena that keeps its files in `folder`, which no other master may use. Games in flight that a killed master
    /// left there are removed.
    ///
    /// # Errors
    /// The folder cannot be made or cleaned.
    pub fn new(sandbox: Sandbox, league: League, folder: &Path) -> Result<SandboxedArena> {
        let in_flight = folder.join(IN_FLIGHT);
        let remove = |path: &Path| match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        remove(&in_flight)
            .and_then(|()| remove(&folder.join(COPIES)))
            .and_then(|()| fs::create_dir_all(&in_flight))
            .with_context(|| format!("cannot make {} anew", in_flight.display()))?;
        Ok(SandboxedArena { sandbox, league, folder: folder.to_path_buf(), ready: Mutex::default() })
    }

    /// A new working directory, removed when dropped.
    fn directory(&self) -> Result<TempDir> {
        let within = self.folder.join(IN_FLIGHT);
        tempfile::tempdir_in(&within).with_context(|| format!("cannot make a directory in {}", within.display()))
    }

    /// The prepared agent; it is prepared once.
    fn ready(&self, agent: &Agent) -> Result<Contestant> {
        let slot = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(ready.entry((agent.name.clone(), agent.hash.clone())).or_default())
        };
        let ready = slot.get_or_init(|| {
            let make = || -> Result<Contestant> {
                let directory = self.directory()?;
                let workspace = Workspace { sandbox: &self.sandbox, folder: directory.path(), kept: &self.folder };
                prepare(workspace, &self.league, agent.clone())
            };
            make().map_err(|error| format!("{error:#}"))
        });
        ready.clone().map_err(|error| anyhow::anyhow!("{error}"))
    }

    fn try_play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> Result<GameRecord> {
        let [black, white] = [self.ready(agents[0])?, self.ready(agents[1])?];
        let directory = self.directory()?;
        let workspace = Workspace { sandbox: &self.sandbox, folder: directory.path(), kept: &self.folder };
        let budgets = [self.league.clock.game; 2];
        Ok(play(workspace, &self.league, [&black, &white], budgets, game.seed, &mut NoObserver))
    }
}

impl Drop for SandboxedArena {
    /// Removes the folders if they are empty.
    fn drop(&mut self) {
        // The copies of the agents go with their contestants.
        self.ready.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        let _ = fs::remove_dir(self.folder.join(IN_FLIGHT));
        let _ = fs::remove_dir(self.folder.join(COPIES));
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Arena for SandboxedArena {
    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
        self.try_play(game, agents).unwrap_or_else(|error| {
            let names = agents.map(|agent| agent.name.clone());
            GameRecord::failed(&self.league, names, game.seed, self.sandbox.measurement(), &error)
        })
    }

    fn prepare(&self, agent: &Agent) -> Option<String> {
        self.ready(agent).ok().and_then(|contestant| contestant.title().map(str::to_owned))
    }
}
