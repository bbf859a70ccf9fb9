//! Playing a shard, from where it stopped.

use std::collections::HashMap;
use std::path::Path;

use super::array::Shard;
use super::error::TournamentError;
use super::lines::Sheet;
use super::partial_results::PartialResults;
use super::plan::TournamentPlan;
use super::play::{is_failed, play, prepare};
use super::run::TournamentEnd;
use super::workers::{TournamentObserver, Workers};
use crate::intake::agent::Agent;
use crate::tournament::schedule::PlannedGame;

/// Plays a shard of a plan and writes its results into a file, which appears once all games are played. Until then,
/// finished games are kept beside it, in a file whose name ends in `.part`. Games in either file are not played again.
///
/// # Errors
/// Agents are missing or have changed since the plan was made, the files belong to another plan, another process is
/// playing this shard, or a file cannot be written.
pub fn play_shard(
    plan: &TournamentPlan,
    shard: Shard,
    agents: &[Agent],
    results: &Path,
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
) -> Result<TournamentEnd, TournamentError> {
    let agents = planned(plan, agents)?;
    let mut part = PartialResults::open(results, Sheet { shard: Some(shard), ..plan.sheet.clone() })?;
    let games: Vec<PlannedGame> = plan.shard(shard).into_iter().filter(|game| !part.has(game)).collect();
    if games.is_empty() && part.adds_nothing() {
        part.leave()?;
        return Ok(TournamentEnd::Complete);
    }
    observer.begin(games.len());
    let mut playing: Vec<usize> = games.iter().flat_map(|game| game.agents).collect();
    playing.sort_unstable();
    playing.dedup();
    let playing: Vec<&Agent> = playing.into_iter().map(|agent| &agents[agent]).collect();
    prepare(&playing, workers, |agent, title| {
        part.set_title(&agent.name, title);
        Ok::<_, TournamentError>(())
    })?;
    part.begin()?;
    let mut failed = 0;
    play(&games, &agents, workers, observer, |game, record| {
        failed += usize::from(is_failed(record));
        part.add(game, record)
    })?;
    if workers.stop.is_requested() {
        return Ok(TournamentEnd::Stopped);
    }
    part.finish()?;
    Ok(if failed == 0 { TournamentEnd::Complete } else { TournamentEnd::Failed(failed) })
}

/// Returns the plan's agents in its order; their files must not have changed since it was made.
fn planned(plan: &TournamentPlan, agents: &[Agent]) -> Result<Vec<Agent>, TournamentError> {
    let by_name: HashMap<&str, &Agent> = agents.iter().map(|agent| (agent.name.as_str(), agent)).collect();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for planned in &plan.sheet.agents {
        match by_name.get(planned.name.as_str()) {
            Some(agent) if agent.hash == planned.hash => found.push((*agent).clone()),
            Some(_) => problems.push(format!("{}: its files have changed since the plan was made", planned.name)),
            None => problems.push(format!("{}: it is missing", planned.name)),
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(TournamentError::Agents(problems)) }
}
