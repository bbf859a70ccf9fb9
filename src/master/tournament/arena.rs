//! An arena that plays tournament games in the sandbox, several at a time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use std::{fmt, fs, io};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::intake::agent::Agent;
use crate::intake::build::build;
use crate::league::League;
use crate::record::GameRecord;
use crate::referee::players::{COPIES, Contestant, Participant, PreparationObserver, play, prepare};
use crate::referee::{AnyGameObserver, NoObserver};
use crate::sandbox::{Sandbox, Workspace};
use crate::tournament::run::Arena;
use crate::tournament::schedule::PlannedGame;

/// An arena that plays games in the sandbox.
#[derive(Debug)]
pub struct SandboxedArena {
    sandbox: Sandbox,
    league: League,
    /// Contains the agents' calibrations and the working directories of games in flight.
    folder: PathBuf,
    ready: Mutex<HashMap<Who, Arc<OnceLock<Ready>>>>,
    observer: Box<dyn PreparationObserver>,
    watcher: Option<Arc<dyn GameWatcher>>,
}

/// Watches games as they are played.
pub trait GameWatcher: fmt::Debug + Send + Sync {
    /// Returns the observer of a game between Black and White, whose times for the game are `budgets`.
    fn watch(&self, names: [String; 2], budgets: [Option<Duration>; 2]) -> Box<dyn AnyGameObserver>;
}

type Who = (String, String);

/// A prepared agent, or the reason why it cannot be prepared. The first game that needs it prepares it; the others
/// wait.
type Ready = Result<Contestant, String>;

/// Folder within the arena's folder with a directory for each game in flight.
const IN_FLIGHT: &str = "in-flight";

impl SandboxedArena {
    /// Creates an arena that keeps its files in `folder`, which no other master may use. Removes the working
    /// directories that a killed master left behind.
    pub fn new(sandbox: Sandbox, league: League, folder: &Path) -> Result<SandboxedArena> {
        let in_flight = folder.join(IN_FLIGHT);
        let remove = |path: &Path| match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        remove(&in_flight)
            .and_then(|()| remove(&folder.join(COPIES)))
            .and_then(|()| fs::create_dir_all(&in_flight))
            .with_context(|| format!("cannot empty {}", in_flight.display()))?;
        let observer = Box::new(NoObserver);
        let (folder, ready) = (folder.to_path_buf(), Mutex::default());
        Ok(SandboxedArena { sandbox, league, folder, ready, observer, watcher: None })
    }

    /// Sets the observer of agents that are prepared.
    #[must_use]
    pub fn observed_by(mut self, observer: impl PreparationObserver + 'static) -> SandboxedArena {
        self.observer = Box::new(observer);
        self
    }

    /// Sets the watcher of all games.
    #[must_use]
    pub fn watched_by(mut self, watcher: Option<Arc<dyn GameWatcher>>) -> SandboxedArena {
        self.watcher = watcher;
        self
    }

    /// Creates a working directory that is removed when dropped.
    fn directory(&self) -> Result<TempDir> {
        let within = self.folder.join(IN_FLIGHT);
        tempfile::tempdir_in(&within).with_context(|| format!("cannot create a directory in {}", within.display()))
    }

    fn ready(&self, agent: &Agent) -> Result<Contestant> {
        let slot = {
            let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(ready.entry((agent.name.clone(), agent.hash.clone())).or_default())
        };
        let ready = slot.get_or_init(|| {
            let make = || -> Result<Contestant> {
                let directory = self.directory()?;
                let workspace = Workspace { sandbox: &self.sandbox, folder: directory.path(), kept: &self.folder };
                let agent = build(workspace, &self.league, agent)?.or_as_found(agent);
                let contestant = prepare(workspace, &self.league, agent, &*self.observer)?;
                contestant.remarks().for_each(|note| self.observer.noted(&contestant.agent().name, note));
                Ok(contestant)
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
        let names = agents.map(|agent| agent.name.clone());
        let watching = self.watcher.as_ref().map(|watcher| watcher.watch(names, budgets));
        let mut observer = watching.unwrap_or_else(|| Box::new(NoObserver));
        Ok(play(workspace, &self.league, [&black, &white].map(Participant::Agent), budgets, game.seed, &mut *observer))
    }
}

impl Drop for SandboxedArena {
    /// Removes the folders if they are empty.
    fn drop(&mut self) {
        // Dropping the contestants removes the copies of their agents.
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
            GameRecord::failed(&self.league, names, game.seed, self.league.measurement(&self.sandbox), error)
        })
    }

    fn prepare(&self, agent: &Agent) -> Option<String> {
        self.ready(agent).ok().and_then(|contestant| contestant.title().map(str::to_owned))
    }
}
