//! The command `master tournament`.

mod entry;
pub(crate) mod shards;
pub(crate) mod table;
#[cfg(feature = "display")]
mod watched;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use entry::{Entered, EntryOptions, FILES};

use super::intake::Builders;
use super::options::{PageOptions, Purpose, SandboxOptions, beside, games_at_once};
use super::screen::{Running, progress_bar};
use crate::league::clock_rules::Allowance;
use crate::league::{League, Pairing};
use crate::record::{EndReason, GameRecord};
use crate::sandbox::Sandbox;
use crate::tournament::arena::{GameWatcher, SandboxedArena};
use crate::tournament::schedule::PlannedGame;
use crate::tournament::{self, TournamentEnd, TournamentError, TournamentObserver, UnplayedGames, Workers};
use kingline_players::exit::BadInput;
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;
use kingline_players::terminal::{escaped, stderr_line};

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

pub(super) fn run(arguments: &TournamentArguments) -> Result<()> {
    match &arguments.part {
        Some(TournamentCommand::Plan(plan)) => plan.run(),
        Some(TournamentCommand::Play(play)) => play.run(),
        Some(TournamentCommand::Merge(merge)) => merge.run(),
        Some(TournamentCommand::Table(table)) => table.run(),
        None => play_here(arguments),
    }
}

/// A page that shows a tournament, and the watcher of its games.
type Watched = (Box<dyn TournamentObserver>, Arc<dyn GameWatcher>);

#[cfg(feature = "display")]
fn watch(league: &League, store: &Path, port: Option<u16>) -> Result<Watched> {
    watched::open(league, store, port)
}

#[cfg(not(feature = "display"))]
fn watch(_: &League, _: &Path, _: Option<u16>) -> Result<Watched> {
    Err(super::page::missing())
}

fn play_here(arguments: &TournamentArguments) -> Result<()> {
    let (sandbox, stop) = arguments.playing.sandbox.sandbox(Purpose::Official, &arguments.entry.private())?;
    let mut watched = None;
    let Entered { mut store, agents, unpacked: _unpacked } = arguments.entry.enter(|league, path| {
        // Opened before this thread has run an agent, and with that has entered a network of its own.
        watched = arguments.page.display.then(|| watch(league, path, arguments.page.port));
        Some(Builders { sandbox: &sandbox, jobs: arguments.playing.wanted(league).get(), stop: &stop })
    })?;
    let (watched, watcher) = watched.transpose()?.unzip();
    stderr_line(format_args!("CPU time is measured by {}", store.league().measurement(&sandbox)));
    let league = store.league().clone();
    let jobs = arguments.playing.jobs(&sandbox, &league);
    let files = beside(store.path(), FILES);
    let mut observer = (ProgressDisplay::new("games"), watched);
    let arena =
        SandboxedArena::new(sandbox, league, &files)?.observed_by(observer.0.of_preparation()).watched_by(watcher);
    let workers = Workers { arena: &arena, jobs, stop: &stop };
    let ended = tournament::run(&mut store, &agents, &workers, &mut observer).map_err(marked)?;
    drop(observer);
    table::show(&store, arguments.json)?;
    let unplayed = UnplayedGames::of(&store).map_err(marked)?;
    ended_well(ended, store.rules().pairing, &unplayed)
}

/// Returns an error unless all games were played, most of them by both agents.
pub(super) fn ended_well(ended: TournamentEnd, pairing: Pairing, unplayed: &UnplayedGames) -> Result<()> {
    if unplayed.are_most() {
        stderr_line(format_args!("master: {unplayed}"));
    }
    match (ended, pairing) {
        (TournamentEnd::Complete, _) if unplayed.are_most() => bail!("most games were not played; see above"),
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

/// Marks bad-input errors, which have their own exit code.
pub(super) fn marked(error: impl Into<TournamentError>) -> anyhow::Error {
    let error = error.into();
    if error.is_bad_input() { BadInput::new(error.to_string()).into() } else { error.into() }
}

/// Options for playing games.
#[derive(Args)]
pub(super) struct PlayingOptions {
    #[command(flatten)]
    pub(super) sandbox: SandboxOptions,
    /// Number of games at a time, if the memory of this machine suffices. Default: one for each core, or half of that if
    /// wall time counts.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl PlayingOptions {
    /// Returns the number of games played at a time: as many as fit in memory.
    pub(super) fn jobs(&self, sandbox: &Sandbox, league: &League) -> usize {
        games_at_once(sandbox, league, self.wanted(league)).get()
    }

    /// Returns the number of games to play at a time, if they fit in memory.
    pub(super) fn wanted(&self, league: &League) -> NonZeroUsize {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let usual = match league.clock.counts {
            Allowance::Cpu | Allowance::User => cores,
            Allowance::Wall => cores.div_ceil(2),
        };
        self.jobs.or_else(|| NonZeroUsize::new(usual)).unwrap_or(NonZeroUsize::MIN)
    }
}

/// A display of progress on standard error.
pub(super) struct ProgressDisplay {
    what: &'static str,
    bar: Progress,
    start: Instant,
    done: usize,
    total: usize,
    /// Games that do not show who plays better.
    pub(super) unplayed: UnplayedGames,
}

impl ProgressDisplay {
    pub(super) fn new(what: &'static str) -> ProgressDisplay {
        let bar = progress_bar(0, "{bar:30} {pos}/{len} {prefix}{speed}{left}  {msg}");
        bar.set_prefix(what);
        ProgressDisplay { what, bar, start: Instant::now(), done: 0, total: 0, unplayed: UnplayedGames::default() }
    }

    /// A display of agents that are prepared, in the same bar.
    pub(super) fn of_preparation(&self) -> Running {
        Running::of(&self.bar)
    }

    fn sum(&self) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let an_hour = self.done as f64 / seconds.max(1e-3) * 3600.0;
        format!("{} of {} {} in {seconds:.1} s, {an_hour:.0} per hour", self.done, self.total, self.what)
    }
}

impl TournamentObserver for ProgressDisplay {
    fn begin(&mut self, games: usize) {
        if self.total == 0 {
            // Preparing agents takes no part of the time of a game.
            self.bar.reset_elapsed();
        }
        self.bar.set_length((self.total + games) as u64);
        self.total += games;
    }

    fn ended(&mut self, _: &PlannedGame, record: &GameRecord) {
        let [black, white] = record.names.each_ref().map(|name| escaped(name));
        if let EndReason::Failed(failure) = &record.verdict.reason {
            self.bar.suspend(|| stderr_line(format_args!("master: {black} against {white} failed: {failure}")));
        }
        self.unplayed.add_record(record);
        self.done += 1;
        self.bar.set_message(format!("last: {black} - {white}"));
        self.bar.inc(1);
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        if self.done > 0 {
            stderr_line(self.sum());
        }
    }
}
