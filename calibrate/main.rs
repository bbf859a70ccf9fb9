//! `calibrate`: the offline side. It measures the machine and the engine, and builds endgame tables.

mod bench;
mod calibration;
mod costs;
mod depth;
mod endings;
mod learn;
mod matches;
mod openings;
mod program;
mod progress;
mod spread;
mod tabled;
mod tables;

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
        /// What to measure; by default everything but the longest: `frugality`, `tenth` and `requests`.
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
    /// Plays games between two players in this process.
    Match(matches::MatchArguments),
    /// A round of learning from end to end: games, weights, and a match against what it began with.
    Round(learn::round::RoundArguments),
    /// Learns an evaluation from games.
    Fit(learn::fit::FitArguments),
    /// Plays games of the engine with itself, to learn an evaluation from.
    Selfplay(learn::selfplay::SelfplayArguments),
    /// Looks over files of games; merges them, thins them, and holds a part of them out.
    Positions(learn::positions::PositionsArguments),
    /// Tells how well an evaluation tells the results of games from positions in a file.
    Judge(learn::judge::JudgeArguments),
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
        Some(Command::Match(arguments)) => matches::run(&arguments)?,
        Some(Command::Round(arguments)) => learn::round::run(&arguments)?,
        Some(Command::Fit(arguments)) => learn::fit::run(&arguments)?,
        Some(Command::Selfplay(arguments)) => learn::selfplay::run(&arguments)?,
        Some(Command::Positions(arguments)) => learn::positions::run(&arguments)?,
        Some(Command::Judge(arguments)) => learn::judge::run(&arguments)?,
        Some(Command::FirstProbe { position, side }) => bench::probe_first(&position, side.as_deref())?,
        Some(Command::Probe { mib }) => costs::probe(mib)?,
    }
    Ok(())
}
