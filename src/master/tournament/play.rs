//! Playing many games at once.

use super::workers::{TournamentObserver, Workers};
use crate::intake::agent::Agent;
use crate::record::{EndReason, GameRecord};
use crate::threads::spread;
use crate::tournament::schedule::PlannedGame;

/// Prepares agents, and passes the name that each gives itself to `keep`.
pub(super) fn prepare<E>(
    agents: &[&Agent],
    workers: &Workers<'_>,
    mut keep: impl FnMut(&Agent, &str) -> Result<(), E>,
) -> Result<(), E> {
    let work = |agent: &&Agent| workers.arena.prepare(agent);
    spread(agents, workers.jobs, workers.stop, work, |agent, title| title.map_or(Ok(()), |title| keep(agent, &title)))
}

/// Plays games, and passes each to `keep` as it ends. Drops games that fail because the stop flag is set.
pub(super) fn play<E>(
    games: &[PlannedGame],
    agents: &[Agent],
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
    mut keep: impl FnMut(&PlannedGame, &GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let work = |game: &PlannedGame| workers.arena.play(game, game.agents.map(|agent| &agents[agent]));
    spread(games, workers.jobs, workers.stop, work, |game, record| {
        if !(workers.stop.is_requested() && is_failed(&record)) {
            keep(game, &record)?;
            observer.ended(game, &record);
        }
        Ok(())
    })
}

/// Returns true if the referee failed.
pub(super) fn is_failed(record: &GameRecord) -> bool {
    matches!(record.verdict.reason, EndReason::Failed(_))
}
