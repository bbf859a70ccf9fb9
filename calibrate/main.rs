//! `calibrate`: the offline side. It measures the machine and the engine, and builds endgame tables.

mod bench;
mod calibration;
mod costs;
mod depth;
mod endings;
#[cfg(feature = "training")]
mod learn;
mod matches;
mod openings;
mod program;
mod progress;
mod solve;
mod spread;
mod tabled;
mod tables;

#[cfg(not(feature = "training"))]
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use kingline::checkers::Position;
use kingline::game::LineError;
use kingline::terminal::{is_broken_pipe, stderr_line};

/// Measures this machine and writes calibration.txt; or, with a command, measures the engine.
#[derive(Parser)]
#[command(name = "calibrate", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Measures the engine and prints a table: what was measured, the target, and whether it is met.
    Bench {
        /// What to measure; by default everything but the longest: `frugality`, `tenth`, `requests`, `first-player` and
        /// `second-player`.
        #[arg(value_enum)]
        parts: Vec<bench::Part>,
        /// A file of endgame tables to measure with `tables`; by default the one that calibration.txt names here.
        #[arg(long, value_name = "FILE")]
        side_file: Option<PathBuf>,
    },
    /// Counts nodes and time to a depth.
    Depth(depth::DepthArguments),
    /// Prints its CPU clock at start and at the end.
    #[command(hide = true)]
    Probe {
        /// Memory to use, in MiB.
        mib: usize,
    },
    /// Probes the endgame tables once and prints the CPU time in nanoseconds.
    #[command(hide = true)]
    FirstProbe {
        /// In PDN.
        position: Position,
        /// A file of tables, in addition to the embedded ones.
        side: Option<PathBuf>,
    },
    /// Builds endgame tables that know the 50-turn rule, looks them over, or tells their longest wins.
    Tables(tables::TablesArguments),
    /// Plays endings by the agent's logic against a perfect opponent: won ones must be won, drawn ones drawn.
    Endings(endings::EndingsArguments),
    /// Proves that the first player of a small game of Lines of Action wins, and verifies the strategy.
    Solve(solve::SolveArguments),
    /// Plays games between two players in this process.
    Match(matches::MatchArguments),
    #[cfg(feature = "training")]
    #[command(flatten)]
    Learn(learn::LearnCommand),
    /// Learn evaluations: not in this build, but in that of `cargo build --release --features training`.
    #[cfg(not(feature = "training"))]
    #[command(name = "round, fit, selfplay, positions, judge", aliases = ["round", "fit", "selfplay", "positions", "judge"])]
    Learn {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

/// Exit codes: 0 done, 1 something failed, 2 bad usage or input.
fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("calibrate: {error:#}"));
            // Players and parameters are given as JSON, positions in lines: what cannot be read is bad input.
            let is_bad_input = error.is::<serde_json::Error>() || error.is::<LineError>();
            if is_bad_input { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn run(command: Option<Command>) -> Result<()> {
    if let (None | Some(Command::Bench { .. }), Some(warning)) = (&command, program::WARNING) {
        stderr_line(format_args!("warning: {warning}"));
    }
    match command {
        None => costs::calibrate()?,
        Some(Command::Bench { parts, side_file }) => {
            let parts = if parts.is_empty() { &bench::USUAL[..] } else { &parts };
            bench::run(parts, side_file.as_deref())?;
        }
        Some(Command::Depth(arguments)) => depth::run(&arguments)?,
        Some(Command::Tables(arguments)) => tables::run(&arguments)?,
        Some(Command::Endings(arguments)) => endings::run(&arguments)?,
        Some(Command::Solve(arguments)) => solve::run(&arguments)?,
        Some(Command::Match(arguments)) => matches::run(&arguments)?,
        #[cfg(feature = "training")]
        Some(Command::Learn(command)) => learn::run(&command)?,
        #[cfg(not(feature = "training"))]
        Some(Command::Learn { .. }) => anyhow::bail!(
            "this build does not learn evaluations; make one that does by `cargo build --release --features training`"
        ),
        Some(Command::FirstProbe { position, side }) => bench::probe_first(&position, side.as_deref())?,
        Some(Command::Probe { mib }) => costs::probe(mib)?,
    }
    Ok(())
}
