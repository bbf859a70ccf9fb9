//! `calibrate`: the offline side. It measures the machine and the engine, and builds endgame tables.

mod bench;
mod calibration;
mod costs;
mod depth;
mod endings;
mod figures;
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
use kingline::figures::FiguresOption;
use kingline::game::LineError;
use kingline::help::GuidePage;
use kingline::terminal::{is_broken_pipe, stderr_line};

/// Measures this machine and writes calibration.txt to the current folder; or does what a command says.
///
/// `homework` reads calibration.txt. Its fields other than the measurements are kept.
#[derive(Parser)]
#[command(name = "calibrate", version, after_help = help_end(GuidePage::Turns))]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// How the help of a command ends: with the exit codes, and where the guide says more.
fn help_end(page: GuidePage) -> String {
    format!("Exit codes: 0 done, 1 something failed or is wrong, 2 bad usage or input.\n\n{}", page.line())
}

// Help texts stand on each Arguments type; a doc comment here would override them.
#[derive(Subcommand)]
enum Command {
    /// Measures the engine and prints a table: what was measured, the target, and whether it is met.
    #[command(after_help = help_end(GuidePage::Figures))]
    Bench {
        /// What to measure. Default: all but the longest, which are `frugality`, `tenth`, `requests`, `first-player` and
        /// `second-player`.
        #[arg(value_enum, value_name = "PART")]
        parts: Vec<bench::Part>,
        /// File of endgame tables to measure in `tables`. Default: the one that calibration.txt in this folder names.
        #[arg(long, value_name = "FILE")]
        side_file: Option<PathBuf>,
        #[command(flatten)]
        figures: FiguresOption,
    },
    Figures(figures::FiguresArguments),
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
    Tables(tables::TablesArguments),
    Endings(endings::EndingsArguments),
    Solve(solve::SolveArguments),
    Match(matches::MatchArguments),
    #[cfg(feature = "training")]
    #[command(flatten)]
    Learn(learn::LearnCommand),
    /// Learn evaluations. Not in this build: `cargo build --release --features training` makes one that has them.
    #[cfg(not(feature = "training"))]
    #[command(name = "round, fit, selfplay, positions, judge", aliases = ["round", "fit", "selfplay", "positions", "judge"])]
    Learn {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
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
        Some(Command::Bench { parts, side_file, figures }) => {
            let parts = if parts.is_empty() { &bench::USUAL[..] } else { &parts };
            bench::run(parts, side_file.as_deref(), &figures)?;
        }
        Some(Command::Figures(arguments)) => figures::run(&arguments)?,
        Some(Command::Depth(arguments)) => depth::run(&arguments)?,
        Some(Command::Tables(arguments)) => tables::run(&arguments)?,
        Some(Command::Endings(arguments)) => endings::run(&arguments)?,
        Some(Command::Solve(arguments)) => solve::run(&arguments)?,
        Some(Command::Match(arguments)) => matches::run(&arguments)?,
        #[cfg(feature = "training")]
        Some(Command::Learn(command)) => learn::run(&command)?,
        #[cfg(not(feature = "training"))]
        Some(Command::Learn { .. }) => anyhow::bail!(
            "this build cannot learn evaluations; `cargo build --release --features training` makes one that can"
        ),
        Some(Command::FirstProbe { position, side }) => bench::probe_first(&position, side.as_deref())?,
        Some(Command::Probe { mib }) => costs::probe(mib)?,
    }
    Ok(())
}
