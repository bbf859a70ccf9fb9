//! How many games are played at once, and who keeps their results?

use super::{TournamentObserver, Workers};
use crate::master::agent::Agent;
use crate::master::record::{EndReason, GameRecord};
use crate::master::schedule::PlannedGame;
use crate::master::threads::spread;

/// Prepares agents; hands each one's own name to `keep`.
pub(super) fn prepare<E>(
    agents: &[&Agent],
    workers: &Workers<'_>,
    mut keep: impl FnMut(&Agent, &str) -> Result<(), E>,
) -> Result<(), E> {
    let work = |agent: &&Agent| workers.arena.prepare(agent);
    spread(agents, workers.jobs, workers.stop, work, |agent, title| title.map_or(Ok(()), |title| keep(agent, &title)))
}

/// Plays games, and hands each to `keep` as it ends. Those that the arena gives up because the stop flag is set are not
/// kept.
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

/// Whether the referee failed.
pub(super) fn is_failed(record: &GameRecord) -> bool {
    matches!(record.verdict.reason, EndReason::Failed { .. })
}
