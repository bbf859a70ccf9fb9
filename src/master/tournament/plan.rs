//! Tournaments on many machines: plans, shards of them, and the results of a shard, which are a store of their own.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::enter::{differences, is_new};
use super::error::TournamentError;
use super::run::{TournamentEnd, TournamentObserver, Workers, is_failed, play, prepare};
use super::shard::Shard;
use crate::intake::agent::Agent;
use crate::league::League;
use crate::tournament::schedule::{PlannedGame, TournamentRules};
use crate::tournament::store::{Store, StoreWriter, StoredAgent};
use kingline_players::files::write_synced;

/// Games to be played: the content of `*.plan`, which `master tournament plan` writes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TournamentPlan {
    tournament: Terms,
    /// The games, both games of a pairing next to each other. Agents are indexes of the tournament's, from 0.
    pub games: Vec<PlannedGame>,
}

/// The tournament to which games belong.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Terms {
    /// Version of the program.
    kingline: String,
    pub(super) league: League,
    /// Games of each pair of agents, an even number.
    games: u32,
    /// Seed of the tournament.
    seed: u64,
    /// The agents, sorted by name.
    pub(super) agents: Vec<StoredAgent>,
}

impl Terms {
    pub(super) fn of(store: &Store) -> Result<Terms, TournamentError> {
        let &TournamentRules { games, seed, .. } = store.rules();
        let kingline = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Terms { kingline, league: store.league().clone(), games, seed, agents: store.agents()? })
    }

    fn rules(&self) -> TournamentRules {
        TournamentRules { pairing: self.league.pairing, games: self.games, seed: self.seed }
    }

    /// Describes the first sign that `other` belongs to another tournament, if there is one.
    pub(super) fn difference(&self, other: &Terms) -> Option<String> {
        let differs = |what: &str, here: &dyn fmt::Debug, there: &dyn fmt::Debug| {
            Some(format!("its {what} is {there:?}, not {here:?}"))
        };
        if self.league.name != other.league.name {
            return differs("league", &self.league.name, &other.league.name);
        }
        if self.league != other.league {
            let differs = differences(&other.league, &self.league).join("; ").replace(" as requested", "");
            return Some(format!("its league {} has different rules or clocks: {differs}", other.league.name));
        }
        if self.seed != other.seed {
            return differs("seed", &self.seed, &other.seed);
        }
        // A plan made before the number of games grew is still part of this tournament.
        if self.games < other.games {
            return differs("number of games", &self.games, &other.games);
        }
        let hashes: HashMap<&str, &str> = self.agents.iter().map(|agent| (&*agent.name, &*agent.hash)).collect();
        other.agents.iter().find_map(|agent| match hashes.get(&*agent.name) {
            None => Some(format!("its agent {:?} is not in this tournament", agent.name)),
            Some(hash) if *hash != agent.hash => Some(format!("its agent {:?} has different files", agent.name)),
            Some(_) => None,
        })
    }
}

impl TournamentPlan {
    /// Returns the games missing from a store; with elimination, at most the rest of a round.
    pub fn of(store: &Store) -> Result<TournamentPlan, TournamentError> {
        Ok(TournamentPlan { tournament: Terms::of(store)?, games: store.schedule(&|_| false)?.missing })
    }

    /// League whose rules apply.
    pub fn league(&self) -> &League {
        &self.tournament.league
    }

    /// Writes the plan, completely or not at all. Replaces another plan or an empty file, but neither a store nor
    /// results.
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
        let write = || write_synced(path, &[&serde_json::to_vec(self)?, b"\n"]);
        write().map_err(|error| {
            let error = error.downcast::<io::Error>().unwrap_or_else(io::Error::other);
            TournamentError::File("write", path.to_owned(), error)
        })
    }

    /// Reads a plan that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// The file cannot be read, or is not a plan.
    pub fn read(path: &Path) -> Result<TournamentPlan, TournamentError> {
        let bytes = fs::read(path).map_err(|error| TournamentError::File("read", path.to_owned(), error))?;
        let refuse = |found: String| TournamentError::Content(path.to_owned(), format!("{found}, expected a plan"));
        let plan: TournamentPlan =
            serde_json::from_slice(&bytes).map_err(|error| refuse(format!("found another kind of file ({error})")))?;
        let Terms { games, agents, .. } = &plan.tournament;
        let is_known = |game: &PlannedGame| game.agents.iter().all(|&agent| agent < agents.len());
        let is_sound = *games > 0 && games.is_multiple_of(2) && agents.is_sorted_by(|one, other| one.name < other.name);
        if is_sound && plan.games.iter().all(is_known) {
            return Ok(plan);
        }
        Err(refuse("found agents or games that contradict each other".to_owned()))
    }

    /// Returns the games of a shard. Pairings are dealt out to the shards in turn, both games of a pairing together.
    pub fn shard(&self, shard: Shard) -> Vec<PlannedGame> {
        let pairings = (0..).zip(self.games.chunk_by(|a, b| a.pairing == b.pairing));
        let own = pairings.filter(|(place, _)| place % shard.of() == shard.number() - 1);
        own.flat_map(|(_, games)| games).copied().collect()
    }

    /// Returns the plan's agents in its order; their files must not have changed since it was made.
    fn agents(&self, agents: &[Agent]) -> Result<Vec<Agent>, TournamentError> {
        let by_name: HashMap<&str, &Agent> = agents.iter().map(|agent| (agent.name.as_str(), agent)).collect();
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for planned in &self.tournament.agents {
            match by_name.get(planned.name.as_str()) {
                Some(agent) if agent.hash == planned.hash => found.push((*agent).clone()),
                Some(_) => problems.push(format!("{}: its files have changed since the plan was made", planned.name)),
                None => problems.push(format!("{}: it is missing", planned.name)),
            }
        }
        if problems.is_empty() { Ok(found) } else { Err(TournamentError::Agents(problems)) }
    }

    /// Opens or creates the results of a shard, and checks that they belong to it.
    fn results(&self, shard: Shard, path: &Path) -> Result<StoreWriter, TournamentError> {
        let own = &self.tournament;
        if is_new(path) {
            return Ok(StoreWriter::create_as(path, &own.league, &own.rules(), Some((shard, &own.agents)))?);
        }
        let store = StoreWriter::resume(path)?;
        let found = Terms::of(&store)?;
        let games =
            (found.games != own.games).then(|| format!("its number of games is {}, not {}", found.games, own.games));
        let is_shard = store.part().is_some_and(|part| part.shard == shard);
        let part = (!is_shard).then(|| "its shard differs".to_owned());
        match own.difference(&found).or(games).or(part) {
            None => Ok(store),
            Some(what) => {
                let help = "help: name another file, or move this one away";
                let what = format!("found results of another plan: {what}\n{help}");
                Err(TournamentError::Content(path.to_owned(), what))
            }
        }
    }
}

/// Plays a shard of a plan, and records its games in the store `results`. Games that are there are not played again.
///
/// # Errors
/// Agents are missing or have changed since the plan was made, the store belongs to another plan, another process is
/// playing this shard, or the store cannot be written.
pub fn play_shard(
    plan: &TournamentPlan,
    shard: Shard,
    agents: &[Agent],
    results: &Path,
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
) -> Result<TournamentEnd, TournamentError> {
    let agents = plan.agents(agents)?;
    let mut store = plan.results(shard, results)?;
    let known = store.played()?;
    let is_played = |game: &PlannedGame| known.get(&game.key()).is_some_and(|found| !found.is_failed());
    let games: Vec<PlannedGame> = plan.shard(shard).into_iter().filter(|game| !is_played(game)).collect();
    if games.is_empty() && store.part().is_some_and(|part| part.is_complete) {
        return Ok(TournamentEnd::Complete);
    }
    store.set_complete(false)?;
    observer.begin(games.len());
    let mut playing: Vec<usize> = games.iter().flat_map(|game| game.agents).collect();
    playing.sort_unstable();
    playing.dedup();
    let playing: Vec<&Agent> = playing.into_iter().map(|agent| &agents[agent]).collect();
    prepare(&playing, workers, |agent, title| store.set_title(&agent.name, title))?;
    let mut failed = 0;
    play(&games, &agents, workers, observer, |game, record| {
        failed += usize::from(is_failed(record));
        store.record(game, record).map(drop)
    })?;
    if workers.stop.is_requested() {
        return Ok(TournamentEnd::Stopped);
    }
    store.set_complete(true)?;
    Ok(if failed == 0 { TournamentEnd::Complete } else { TournamentEnd::Failed(failed) })
}
