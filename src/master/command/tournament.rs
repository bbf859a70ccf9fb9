//! What does `master tournament` do?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `shards` | the same on many machines: plan, play, merge |
//! | `progress` | how a run is shown |
//! | `table` | how standings are shown |
//! | `bracket` | how the rounds of an elimination are shown |

mod bracket;
mod progress;
mod shards;
mod table;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use tempfile::TempDir;

use super::intake::{agents_found, build_all, intake};
use super::options::{LeagueOptions, Purpose, SandboxOptions, Unusable};
use crate::help::GuidePage;
use crate::master::agent::{Agent, FoundAgents};
use crate::master::arena::SandboxedArena;
use crate::master::clock_rules::Allowance;
use crate::master::league::{League, Pairing};
use crate::master::sandbox::Sandbox;
use crate::master::store::{Changes, Store, StoreWriter};
use crate::master::tournament::{self, TournamentEnd, TournamentError, TournamentTerms, UnplayedGames, Workers};
use crate::terminal::stderr_line;
use progress::ProgressDisplay;

const MANY_MACHINES: &str = "On many machines:
  master tournament plan agents/ --games 4      writes agents.plan
  master tournament play agents.plan agents/ --shard 3/10
  master tournament merge agents.db agents.plan.*-of-10
  master tournament table agents.db";

/// Plays all agents of a class against each other: `master tournament agents/`.
///
/// Each folder in agents/ is an agent. Every agent meets every other one, with both colors from the same opening; with
/// `--pairing elimination` there are rounds, a bracket and winners. Every game is stored as it ends, in agents.db unless
/// --store says otherwise: run the same command again to continue a tournament that was stopped. Agents whose files have
/// changed are listed, and only their games are played again.
///
/// Exit codes: 0 all games are played, 1 some could not be, most ended because agents could not be started, or it was
/// stopped, 2 bad usage or input.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = GuidePage::Tournaments.line())]
#[command(after_long_help = format!("{MANY_MACHINES}\n\n{}", GuidePage::Tournaments.line()))]
pub(super) struct TournamentArguments {
    #[command(subcommand)]
    part: Option<TournamentCommand>,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Print the table as JSON, and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum TournamentCommand {
    Plan(shards::PlanArguments),
    Play(shards::PlayShardArguments),
    Merge(shards::MergeArguments),
    Table(table::TableArguments),
}

/// Who takes part, in which tournament.
#[derive(Args)]
struct EntryOptions {
    /// Folders with a folder or an archive for each agent.
    #[arg(required = true, value_name = "FOLDER")]
    agents: Vec<PathBuf>,
    /// File that stores the tournament. Default: the name of the first folder with .db, beside it.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    rules: LeagueOptions,
    /// Who meets whom: round-robin or elimination. Default: the league's.
    #[arg(long, value_parser = pairing)]
    pairing: Option<Pairing>,
    /// Number of games of two agents that meet, even. In a tournament that has begun a larger number adds games. Default: 2,
    /// or what the tournament has.
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u32>,
    /// Seed of the openings, and of who meets whom in elimination rounds. Default: 1, or what the tournament has.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Leave out agents that cannot play. Default: they are an error.
    #[arg(long)]
    skip_broken: bool,
}

/// How games are played.
#[derive(Args)]
struct PlayingOptions {
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Number of games at a time. Default: one for each core, or half of that if wall time counts.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// Runs the command, or a subcommand.
pub(super) fn run(arguments: &TournamentArguments) -> Result<()> {
    match &arguments.part {
        Some(TournamentCommand::Plan(plan)) => plan.run(),
        Some(TournamentCommand::Play(play)) => play.run(),
        Some(TournamentCommand::Merge(merge)) => merge.run(),
        Some(TournamentCommand::Table(table)) => table.run(),
        None => play_here(arguments),
    }
}

fn play_here(arguments: &TournamentArguments) -> Result<()> {
    let (sandbox, stop) = arguments.playing.sandbox.sandbox(Purpose::Official, &arguments.entry.private())?;
    let Entered { mut store, agents, unpacked: _unpacked } = arguments.entry.enter(Some(&sandbox))?;
    stderr_line(format_args!("CPU time is measured by {}", sandbox.measurement()));
    let league = store.league().clone();
    let jobs = arguments.playing.jobs(&league);
    let files = beside(store.path(), FILES);
    let arena = SandboxedArena::new(sandbox, league, &files)?;
    let workers = Workers { arena: &arena, jobs, stop: &stop };
    let ended = tournament::run(&mut store, &agents, &workers, &mut ProgressDisplay::new("games")).map_err(marked)?;
    table::show(&store, arguments.json)?;
    let unplayed = UnplayedGames::of(&store).map_err(marked)?;
    ended_well(ended, store.rules().pairing, &unplayed)
}

/// An error unless all games were played, and most of them by both agents.
fn ended_well(ended: TournamentEnd, pairing: Pairing, unplayed: &UnplayedGames) -> Result<()> {
    if unplayed.are_most() {
        stderr_line(format_args!("master: {unplayed}"));
    }
    match (ended, pairing) {
        (TournamentEnd::Complete, _) if unplayed.are_most() => bail!("most games were not played, see above"),
        (TournamentEnd::Complete, _) => Ok(()),
        (TournamentEnd::Failed(games), Pairing::RoundRobin) => {
            bail!("{games} games failed through no agent's fault; run the same command again to repeat them")
        }
        (TournamentEnd::Failed(games), Pairing::Elimination) => bail!(
            "{games} games failed through no agent's fault, and the next round waits for them; run the same \
             command again to repeat them"
        ),
        (TournamentEnd::Stopped, _) => bail!("stopped; run the same command again to continue"),
    }
}

impl EntryOptions {
    /// The folders of the agents, and the store.
    fn private(&self) -> Vec<&Path> {
        self.agents.iter().chain(&self.store).map(PathBuf::as_path).collect()
    }

    /// The store of the tournament, and who takes part; prints what has changed. What comes as source is built in
    /// `sandbox`, so that what cannot be built is reported before the first game; without one it is built for its first game.
    fn enter(&self, sandbox: Option<&Sandbox>) -> Result<Entered> {
        let path = self.store()?;
        let terms = TournamentTerms {
            league: self.rules.requested()?,
            pairing: self.pairing,
            games: self.games,
            seed: self.seed,
        };
        let settled = terms.settle(&path).map_err(marked)?;
        let intake = intake(&settled.0)?;
        let broken = if self.skip_broken { BrokenAgents::LeftOut } else { BrokenAgents::Refused };
        let mut found = agents_found(&self.agents, &intake)?;
        if let Some(sandbox) = sandbox {
            build_all(sandbox, &settled.0, &beside(&path, FILES), &mut found)?;
        }
        let agents = fit(found, broken)?;
        if agents.len() < 2 {
            return Err(Unusable(format!("found {} agents that can play, expected 2 or more", agents.len())).into());
        }
        let before = Store::open(&path).ok().map(|store| *store.rules());
        let (store, changes) = tournament::enter(&path, &settled, &agents).map_err(marked)?;
        stderr_line(format_args!("{} agents, store {}", agents.len(), path.display()));
        let is_new = before.is_none();
        if let Some(before) = before.filter(|before| before.games < settled.1.games) {
            let decided = match before.pairing {
                Pairing::RoundRobin => "",
                Pairing::Elimination => "; rounds that were over are decided anew",
            };
            stderr_line(format_args!("{} games of two agents, {} before{decided}", settled.1.games, before.games));
        }
        if !is_new {
            print_changes(&changes);
        }
        Ok(Entered { store, agents, unpacked: intake.into_unpacked() })
    }

    /// Where the store is, or will be.
    fn store(&self) -> Result<PathBuf> {
        match (&self.store, self.agents.first()) {
            (Some(path), _) => Ok(path.clone()),
            (None, Some(directory)) => {
                // So that `.` has a name too.
                let directory =
                    directory.canonicalize().with_context(|| format!("cannot read {}", directory.display()))?;
                Ok(beside(&directory, ".db"))
            }
            (None, None) => bail!("no folder of agents"),
        }
    }
}

impl PlayingOptions {
    /// How many games are played at a time.
    fn jobs(&self, league: &League) -> usize {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let usual = match league.clock.counts {
            Allowance::Cpu => cores,
            Allowance::Wall => cores.div_ceil(2),
        };
        self.jobs.map_or(usual, NonZeroUsize::get)
    }
}

/// What is done with agents that cannot play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BrokenAgents {
    /// They are an error.
    Refused,
    /// They are left out.
    LeftOut,
}

/// What is kept of agents beside a store: builds and calibrations.
const FILES: &str = ".files";

/// Who takes part.
struct Entered {
    store: StoreWriter,
    agents: Vec<Agent>,
    /// Where those that came as archives are; removed when dropped.
    unpacked: TempDir,
}

/// The agents that can play.
fn fit(found: FoundAgents, broken: BrokenAgents) -> Result<Vec<Agent>> {
    if !found.refused.is_empty() && broken == BrokenAgents::Refused {
        let why = TournamentError::Refused(found.refused);
        return Err(Unusable(format!("{why}\n--skip-broken plays without them")).into());
    }
    for refused in &found.refused {
        stderr_line(format_args!("master: left out: {refused}"));
    }
    Ok(found.agents)
}

fn print_changes(changes: &Changes) {
    let Changes { added, changed, removed } = changes;
    for (names, what) in [
        (added, "new"),
        (changed, "changed since; only their games are played again"),
        (removed, "gone; their games are kept, but do not count"),
    ] {
        if !names.is_empty() {
            stderr_line(format_args!("{}: {what}", names.join(", ")));
        }
    }
}

/// Marks errors that are bad input.
fn marked(error: impl Into<TournamentError>) -> anyhow::Error {
    let error = error.into();
    if error.is_bad_input() { Unusable(error.to_string()).into() } else { error.into() }
}

/// A path with `ending` appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

fn pairing(text: &str) -> Result<Pairing, String> {
    serde_json::from_value(text.into()).map_err(|_| format!("found \"{text}\", expected round-robin or elimination"))
}

/// Parses an even number above 0.
fn even(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&number: &u32| number > 0 && number.is_multiple_of(2));
    number.ok_or_else(|| format!("found \"{text}\", expected an even number above 0: each opening is played twice"))
}
