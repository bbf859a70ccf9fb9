//! The commands `master tournament plan`, `play` and `merge`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use tempfile::tempdir;

use super::super::intake::{LayoutOption, agents_found, intake_of};
use super::super::options::{Purpose, beside};
use super::entry::{EntryOptions, playable};
use super::{PlayingOptions, ProgressDisplay, ended_well, marked};
use crate::tournament::arena::SandboxedArena;
use crate::tournament::schedule::PlannedGame;
use crate::tournament::store::{StoreWriter, StoredAgent};
use crate::tournament::{self, Merged, Shard, ShardSpec, UnplayedGames, Workers};
use kingline_players::exit::BadInput;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{escaped, stderr_line, stdout_json, stdout_line};

/// Writes the list of games to be played, as JSON: `master tournament plan agents/`.
///
/// Creates the store, or updates its agents. Games already in the store are not planned again. With elimination, a plan
/// is one round: play and merge it, then plan the next one. With --since, the games that are taken over are in the store
/// and not in the plan.
///
/// Exit codes: 0 the plan is written, 1 something failed, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct PlanArguments {
    #[command(flatten)]
    entry: EntryOptions,
    /// File to write the plan to; only an earlier plan is overwritten. Default: the store's name with .plan in place of
    /// .db.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print only a summary, as JSON.
    #[arg(long)]
    json: bool,
}

/// Plays one shard of a plan into a store of its own: `master tournament play agents.plan agents/ --shard 3/10`.
///
/// In a task of a job array (Slurm, Grid Engine, PBS, LSF, HyperQueue) or of GNU parallel, the default shard is the
/// task's, if tasks are numbered from 1. If the environment lacks the number of tasks, give it as `--shard /10`. Games
/// in the results are not played again, so a shard can be started any number of times.
///
/// Exit codes: 0 all games are played, 1 some could not be played, most ended because agents could not be started, or
/// it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct PlayShardArguments {
    /// File that `plan` wrote.
    plan: PathBuf,
    /// Folders with a folder or an archive for each agent: the same files as when the plan was made.
    #[arg(required = true, value_name = "FOLDER")]
    agents: Vec<PathBuf>,
    #[command(flatten)]
    layout: LayoutOption,
    /// Shard to play: K of N, counted from 1, like 3/10. Default: the task's shard; see above.
    #[arg(long, value_name = "K/N")]
    shard: Option<ShardSpec>,
    /// Store for the results. Default: the plan's name with .K-of-N appended.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Print only a summary, as JSON.
    #[arg(long)]
    json: bool,
}

/// Adds the results of shards to the store: `master tournament merge agents.db agents.plan.*-of-10`.
///
/// A file is merged completely or not at all. It is refused if it is incomplete, belongs to another plan or other
/// agents, or contradicts known results. Every game is replayed by the rules: if its moves or clocks contradict its
/// verdict, the game is reported and its file is refused. Lists the games that are still missing.
///
/// Exit codes: 0 all files are merged, 1 most games ended because agents could not be started, or something failed, 2
/// files were refused, or bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct MergeArguments {
    /// File that stores the tournament.
    store: PathBuf,
    /// Stores that `play` wrote.
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// Print only a summary, as JSON.
    #[arg(long)]
    json: bool,
}

impl PlanArguments {
    pub(super) fn run(&self) -> Result<()> {
        let store = self.entry.enter(|_, _| None)?.store;
        let plan = tournament::TournamentPlan::of(&store).map_err(marked)?;
        let out = self.out.clone().unwrap_or_else(|| store.path().with_extension("plan"));
        plan.write(&out).map_err(marked)?;
        let (games, path) = (plan.games.len(), out.display());
        if self.json {
            return stdout_json(json!(WrittenPlan { plan: &out, store: store.path(), games }));
        }
        stdout_line(if games == 0 {
            "nothing is left to play".to_owned()
        } else {
            format!("{games} games to play: {path}")
        })
    }
}

impl PlayShardArguments {
    pub(super) fn run(&self) -> Result<()> {
        let private: Vec<&Path> = self.agents.iter().chain([&self.plan]).map(PathBuf::as_path).collect();
        let (sandbox, stop) = self.playing.sandbox.sandbox(Purpose::Official, &private)?;
        let shard = self.shard.unwrap_or_default().settle(|name| std::env::var(name).ok());
        let shard = shard.map_err(|error| BadInput::new(error.to_string()))?;
        let plan = tournament::TournamentPlan::read(&self.plan).map_err(marked)?;
        let league = plan.league().clone();
        // Agents that are not in the plan, or cannot play, do not matter here.
        let intake = intake_of(&league, &self.layout)?;
        let agents = playable(agents_found(&self.agents, &intake)?, true)?;
        let ending = format!(".{}-of-{}", shard.number(), shard.of());
        let results = self.results.clone().unwrap_or_else(|| beside(&self.plan, &ending));
        stderr_line(format_args!(
            "shard {shard} of {}, CPU time is measured by {}",
            self.plan.display(),
            league.measurement(&sandbox)
        ));
        let jobs = self.playing.jobs(&sandbox, &league);
        let files = tempdir().context("cannot create a folder for the games")?;
        let mut progress = ProgressDisplay::new("games");
        let arena = SandboxedArena::new(sandbox, league.clone(), files.path())?;
        let arena = arena.observed_by(progress.of_preparation());
        let workers = Workers { arena: &arena, jobs, stop: &stop };
        let ended = tournament::play_shard(&plan, shard, &agents, &results, &workers, &mut progress).map_err(marked)?;
        let unplayed = progress.unplayed.clone();
        drop(progress);
        ended_well(ended, league.pairing, &unplayed)?;
        if self.json {
            return stdout_json(json!(PlayedShard { shard, results: &results, games: plan.shard(shard).len() }));
        }
        stdout_line(format_args!("all {} games of shard {shard}: {}", plan.shard(shard).len(), results.display()))
    }
}

impl MergeArguments {
    pub(super) fn run(&self) -> Result<()> {
        let mut store = StoreWriter::resume(&self.store).map_err(marked)?;
        let merged = tournament::merge(&mut store, &self.results).map_err(marked)?;
        let agents = store.agents().map_err(marked)?;
        if self.json {
            stdout_json(json!(MergedResults::of(&merged, &agents)))?;
        } else {
            for_people(&merged, &agents)?;
        }
        let unplayed = UnplayedGames::of(&store).map_err(marked)?;
        if unplayed.are_most() {
            stderr_line(format_args!("master: {unplayed}"));
        }
        match merged.refused.len() {
            0 if unplayed.are_most() => bail!("most games were not played; see above"),
            0 => Ok(()),
            refused => Err(BadInput::new(format!("{refused} of {} files were refused", self.results.len())).into()),
        }
    }
}

/// A written plan: the output of `master tournament plan --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct WrittenPlan<'a> {
    /// Path of the plan.
    plan: &'a Path,
    /// Path of the store.
    store: &'a Path,
    /// Games to be played.
    games: usize,
}

/// A played shard: the output of `master tournament play --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PlayedShard<'a> {
    shard: Shard,
    /// Path of the results.
    results: &'a Path,
    /// Games of the shard, all of them played.
    games: usize,
}

/// Merged results: the output of `master tournament merge --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct MergedResults<'a> {
    /// Games added to the store.
    added: usize,
    /// Games that the store already had with the same result.
    known: usize,
    /// Files that were refused, and why.
    refused: Vec<String>,
    /// Shards without a file.
    absent: &'a [Shard],
    /// Games still to be played, failed ones included.
    missing: Vec<MissingGame<'a>>,
}

/// A game still to be played.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct MissingGame<'a> {
    /// Round, from 1.
    round: u32,
    /// Number of the opening of the pair.
    opening: u32,
    /// Name of Black's agent.
    black: &'a str,
    /// Name of White's agent.
    white: &'a str,
}

impl<'a> MergedResults<'a> {
    fn of(merged: &'a Merged, agents: &'a [StoredAgent]) -> MergedResults<'a> {
        let game = |&PlannedGame { round, opening, agents: sides, .. }: &PlannedGame| {
            let [black, white] = sides.map(|agent| &*agents[agent].name);
            MissingGame { round, opening, black, white }
        };
        let &Merged { added, known, ref refused, ref absent, ref missing } = merged;
        let refused = refused.iter().map(ToString::to_string).collect();
        MergedResults { added, known, refused, absent, missing: missing.iter().map(game).collect() }
    }
}

fn for_people(merged: &Merged, agents: &[StoredAgent]) -> Result<()> {
    /// Number of games printed from a long list.
    const SHOWN: usize = 20;
    let Merged { added, known, refused, missing, absent } = merged;
    for error in refused {
        stderr_line(format_args!("master: refused: {error}"));
    }
    stdout_line(format_args!("{added} games added, {known} already known, {} missing", missing.len()))?;
    for game in missing.iter().take(SHOWN) {
        let [black, white] = game.agents.map(|agent| escaped(&agents[agent].name));
        stdout_line(format_args!("  round {} opening {}: {black} (Black) against {white}", game.round, game.opening))?;
    }
    if missing.len() > SHOWN {
        stdout_line(format_args!("  and {} more; --json lists all", missing.len() - SHOWN))?;
    }
    if !absent.is_empty() {
        let names: Vec<String> = absent.iter().map(ToString::to_string).collect();
        stdout_line(format_args!("no results from shard {}", names.join(", ")))?;
    }
    Ok(())
}
