//! The command `master tournament`.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `entry` | who takes part, in which tournament? |
//! | `next_round` | what does a new round take over from an earlier one? |
//! | `playing` | how many games are played at a time, and in which sandbox? |
//! | `shards` | how is a tournament played on many machines: plan, play, merge? |
//! | `progress` | how is the progress of a run displayed? |
//! | `table` | how are standings displayed? |
//! | `bracket` | how are elimination rounds displayed? |
//! | `cells` | what do tables and brackets consist of? |
//! | `watched` | how is a tournament shown in the browser? |
//! | `ending` | how did a run end, and which errors are bad input? |

mod bracket;
mod cells;
mod ending;
mod entry;
mod next_round;
mod playing;
mod progress;
mod shards;
mod table;
#[cfg(not(feature = "display"))]
#[path = "tournament/unwatched.rs"]
mod watched;
#[cfg(feature = "display")]
mod watched;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::intake::Builders;
use super::options::{PageOptions, Purpose};
use crate::tournament::arena::SandboxedArena;
use crate::tournament::{self, UnplayedGames, Workers};
use ending::{ended_well, marked};
use entry::{Entered, EntryOptions, FILES, beside};
use kingline_players::help::GuidePage;
use kingline_players::terminal::stderr_line;
use playing::PlayingOptions;
use progress::ProgressDisplay;
use watched::Watched;

const MANY_MACHINES: &str = "On many machines:
  master tournament plan agents/ --games 4      writes agents.plan
  master tournament play agents.plan agents/ --shard 3/10
  master tournament merge agents.db agents.plan.*-of-10
  master tournament table agents.db";

/// Plays all agents of a class against each other: `master tournament agents/`.
///
/// Each folder in agents/ is an agent. Every agent meets every other one, playing both colors from the same opening;
/// with `--pairing elimination` there are rounds, a bracket and winners: an agent that loses more than half of a
/// meeting's games is out, and in checkers the side with less time left loses a drawn game. Every game is stored as it
/// ends, in agents.db or the file given by --store. Run the same command again to continue a stopped tournament. Agents
/// whose files have changed are listed, and only their games are played again.
///
/// A new round, some weeks later, has a store of its own: `master tournament agents/ --store week2.db --since week1.db`.
/// It begins with the games of week1.db between agents whose files are the same, and plays only the others.
///
/// Exit codes: 0 all games are played, 1 some could not be played, most ended because agents could not be started, or
/// it was stopped, 2 bad usage or input.
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
    #[command(flatten)]
    page: PageOptions,
    /// Print only the table, as JSON.
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

/// Runs the command or a subcommand.
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
    let mut watched = None;
    let Entered { mut store, agents, unpacked: _unpacked } = arguments.entry.enter(|league, path| {
        // Opened before this thread has run an agent, and with that has entered a network of its own.
        watched = arguments.page.display.then(|| Watched::open(league, path, arguments.page.port));
        Some(Builders { sandbox: &sandbox, jobs: arguments.playing.wanted(league).get(), stop: &stop })
    })?;
    let watched = watched.transpose()?;
    stderr_line(format_args!("CPU time is measured by {}", store.league().measurement(&sandbox)));
    let league = store.league().clone();
    let jobs = arguments.playing.jobs(&sandbox, &league);
    let files = beside(store.path(), FILES);
    let mut observer = (ProgressDisplay::new("games"), watched);
    let arena = SandboxedArena::new(sandbox, league, &files)?
        .observed_by(observer.0.of_preparation())
        .watched_by(observer.1.as_ref().map(Watched::watcher));
    let workers = Workers { arena: &arena, jobs, stop: &stop };
    let ended = tournament::run(&mut store, &agents, &workers, &mut observer).map_err(marked)?;
    observer.1.iter_mut().for_each(Watched::rank);
    drop(observer);
    table::show(&store, arguments.json)?;
    let unplayed = UnplayedGames::of(&store).map_err(marked)?;
    ended_well(ended, store.rules().pairing, &unplayed)
}
