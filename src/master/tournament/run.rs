//! Playing a tournament on this machine, from where it stopped.

use std::collections::HashSet;

use super::error::TournamentError;
use super::play::{is_failed, play, prepare};
use super::workers::{TournamentObserver, Workers};
use crate::intake::agent::Agent;
use crate::tournament::store::{StoreError, StoreWriter};

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All games of the tournament were played.
    Complete,
    /// The referee failed in the given number of games; the next run retries them.
    Failed(usize),
    /// The stop flag was set; the next run continues.
    Stopped,
}

/// Plays the missing games, round after round. Records each game when it ends, so that the next run continues from
/// there, however this one ends.
///
/// # Errors
/// The store cannot be written, or `agents` are not the store's agents in the store's order.
pub fn run(
    store: &mut StoreWriter,
    agents: &[Agent],
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
) -> Result<TournamentEnd, TournamentError> {
    let entered = store.agents()?;
    let entered = entered.iter().map(|agent| (&agent.name, &agent.hash));
    if !entered.eq(agents.iter().map(|agent| (&agent.name, &agent.hash))) {
        return Err(TournamentError::Agents(vec!["the store has different agents".to_owned()]));
    }
    let mut given_up = HashSet::new();
    let mut ready = HashSet::new();
    loop {
        let standing = store.schedule(&|game| given_up.contains(game))?;
        if workers.stop.is_requested() {
            return Ok(TournamentEnd::Stopped);
        }
        if standing.missing.is_empty() {
            let failed = standing.failed.len();
            return Ok(if failed == 0 { TournamentEnd::Complete } else { TournamentEnd::Failed(failed) });
        }
        observer.begin(standing.missing.len());
        let playing = standing.missing.iter().flat_map(|game| game.agents);
        let unready: Vec<&Agent> = playing.filter(|&agent| ready.insert(agent)).map(|agent| &agents[agent]).collect();
        prepare(&unready, workers, |agent, title| store.set_title(&agent.name, title))?;
        play(&standing.missing, agents, workers, observer, |game, record| {
            if is_failed(record) {
                given_up.insert(*game);
            }
            store.record(game, record).map(drop)
        })
        .map_err(|error: StoreError| TournamentError::Store(error))?;
    }
}
