//! `calibrate`: the offline side. It measures the machine, and the engine on it.

mod arena;
mod bench;
mod calibration;
mod child;
mod endings;
mod measure;
mod openings;
mod progress;
mod spread;
mod tabled;
mod tables;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use arena::read::{self, FromJson};
use clap::{Parser, Subcommand};
use kingline::checkers::Position;
use kingline::score::Depth;
use kingline::search::Params;
use kingline::terminal::{is_broken_pipe, stderr_line, stdout_line};

/// Measures this machine and writes calibration.txt; or, with a command, measures the engine.
#[derive(Parser)]
#[command(name = "calibrate", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Measures the engine's figures and prints them as a table.
    Bench {
        /// What to measure; by default all but the longest, `frugality`, `tenth` and `requests`.
        #[arg(value_enum)]
        parts: Vec<bench::Part>,
        /// A file of endgame tables to be measured with `tables`; by default the one that calibration.txt names here.
        #[arg(long, value_name = "FILE")]
        side_file: Option<PathBuf>,
    },
    /// Nodes and time to a depth.
    Depth {
        /// In plies.
        depth: i16,
        /// Search parameters to change, as JSON.
        #[arg(default_value = "{}", value_parser = params)]
        params: Params,
    },
    /// Tells its CPU clock at the begin and at the end.
    #[command(hide = true)]
    Probe {
        /// Memory to use, in MiB.
        mib: usize,
    },
    /// Probes the endgame tables once, and tells the CPU time in nanoseconds.
    #[command(hide = true)]
    FirstProbe {
        /// In PDN.
        position: Position,
        /// A file of tables, beside those in the program.
        side: Option<PathBuf>,
    },
    /// Builds endgame tables that know the 50-turn rule, looks them over, or tells their longest wins.
    Tables(tables::TablesArguments),
    /// Plays endings by the agent's logic against a perfect opponent: won ones must be won, drawn ones drawn.
    Endings(endings::EndingsArguments),
    /// Plays games between two players in this process.
    Match(MatchArguments),
}

#[derive(clap::Args)]
#[command(after_long_help = arena::help::text())]
struct MatchArguments {
    /// A player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'; --help describes the fields.
    first: String,
    /// Another one.
    second: String,
    /// What they play.
    #[arg(long, value_enum, default_value_t = Rules::Checkers)]
    game: Rules,
    /// How many openings; each is played twice, colors exchanged.
    #[arg(long, default_value_t = 50)]
    openings: usize,
    /// Gives the openings; equal seeds give equal ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time; each counts the CPU time of its own thread.
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,
}

/// The games.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Rules {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

/// Exit codes: 0 done, 1 something failed, 2 bad usage.
fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("calibrate: {error:#}"));
            // Players and parameters come as JSON: what cannot be read is bad usage.
            if error.is::<serde_json::Error>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run(command: Option<Command>) -> Result<()> {
    if let (None | Some(Command::Bench { .. }), Some(warning)) = (&command, child::WARNING) {
        stderr_line(format_args!("warning: {warning}"));
    }
    match command {
        None => measure::calibrate()?,
        Some(Command::Bench { parts, side_file }) => {
            let parts = if parts.is_empty() { &bench::USUAL[..] } else { &parts };
            bench::run(parts, side_file.as_deref())?;
        }
        Some(Command::Depth { depth, params }) => show_depth(Depth(depth), params)?,
        Some(Command::Tables(arguments)) => tables::run(&arguments)?,
        Some(Command::Endings(arguments)) => endings::run(&arguments)?,
        Some(Command::Match(arguments)) => run_match(&arguments)?,
        Some(Command::FirstProbe { position, side }) => bench::probe_first(&position, side.as_deref())?,
        Some(Command::Probe { mib }) => measure::probe(mib)?,
    }
    Ok(())
}

fn run_match(arguments: &MatchArguments) -> Result<()> {
    let &MatchArguments { openings: count, seed, threads, .. } = arguments;
    match arguments.game {
        Rules::Checkers => {
            let [first, second] = players(arguments)?;
            let openings = openings::openings(openings::SHARP, count, seed);
            stdout_line(arena::match_up(&openings, threads.get(), "match", |color, opening, game| {
                arena::checkers::play(&first, &second, color, opening, game)
            }))
        }
        Rules::Loa => run_loa::<8>(arguments),
        Rules::Loa6 => run_loa::<6>(arguments),
    }
}

fn run_loa<const N: usize>(arguments: &MatchArguments) -> Result<()> {
    /// Random plies of an opening: enough for variety, too few to decide a game.
    const PLIES: usize = 4;
    let [first, second]: [arena::loa::Player; 2] = players(arguments)?;
    let openings = arena::loa::openings::<N>(PLIES, arguments.openings, arguments.seed);
    stdout_line(arena::match_up(&openings, arguments.threads.get(), "match", |color, opening, game| {
        arena::loa::play(&first, &second, color, opening, game)
    }))
}

/// Both players of a match.
fn players<P: FromJson>(arguments: &MatchArguments) -> Result<[P; 2]> {
    Ok([read::player(&arguments.first)?, read::player(&arguments.second)?])
}

fn show_depth(depth: Depth, params: Params) -> Result<()> {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (position, some, time) in bench::to_depth(depth, params) {
        stdout_line(format_args!("{some:>12} nodes {:>8.3} s  {position}", time.as_secs_f64()))?;
        nodes += some;
        seconds += time.as_secs_f64();
    }
    stdout_line(format_args!("{nodes:>12} nodes {seconds:>8.3} s  in all"))
}

fn params(text: &str) -> Result<Params, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}; expected parameters like {{\"prob_cut\": null}}"))
}
