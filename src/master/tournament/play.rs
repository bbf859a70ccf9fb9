//! How many games are played at once, and who keeps their results?

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::{TournamentObserver, Workers};
use crate::master::agent::Agent;
use crate::master::record::{EndReason, GameRecord};
use crate::master::schedule::PlannedGame;

/// Prepares agents; hands each one's own name to `keep`.
pub(super) fn prepare<E>(
    agents: &[&Agent],
    workers: &Workers<'_>,
    mut keep: impl FnMut(&Agent, &str) -> Result<(), E>,
) -> Result<(), E> {
    let work = |agent: &&Agent| workers.arena.prepare(agent);
    workers.each(agents, work, |agent, title| title.map_or(Ok(()), |title| keep(agent, &title)))
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
    workers.each(games, work, |game, record| {
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

impl Workers<'_> {
    /// Does `work` for each item on several threads, in order, and calls `keep` with each result on this one. When the
    /// stop flag is set, or `keep` fails, nothing more begins.
    fn each<T: Sync, R: Send, E>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        mut keep: impl FnMut(&T, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let take = || items.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !self.stop.is_requested());
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()) {
                let (sender, take, work) = (sender.clone(), &take, &work);
                scope.spawn(move || while take().is_some_and(|item| sender.send((item, work(item))).is_ok()) {});
            }
            drop(sender);
            let mut kept = Ok(());
            for (item, result) in receiver {
                if kept.is_ok() {
                    kept = keep(item, result).inspect_err(|_| self.stop.request());
                }
            }
            kept
        })
    }
}
