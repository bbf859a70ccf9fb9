//! `calibrate`: measures the machine and the engine, learns evaluations, builds endgame tables, and solves games.

mod batch_file;
mod bench;
mod calibration;
mod costs;
mod figures;
mod learn;
mod matches;
mod openings;
mod options;
mod program;
mod puzzles;
#[cfg(feature = "schemas")]
pub mod schemas;
mod solve;
mod tables;
mod tune;
mod won_positions;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use kingline_players::exit::ExitStatus;
use kingline_players::figures::FiguresOption;
use kingline_players::help::GuidePage;
use kingline_players::play::arguments::{given, refuse};
use kingline_players::terminal::stderr_line;

use options::help_end;

/// Measures this machine and writes calibration.txt to the current folder, or runs a command.
///
/// `homework` reads calibration.txt. Fields other than the measurements keep their values.
#[derive(Parser)]
#[command(name = "calibrate", version, after_help = help_end(GuidePage::Turns))]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

// The help texts are on the Arguments types; a doc comment here would override them.
#[derive(Subcommand)]
enum Command {
    /// Measures the engine and prints a table of measurements, targets, and whether they are met.
    #[command(after_help = help_end(GuidePage::Figures))]
    Bench {
        /// Parts to measure. Default: all but the longest, which are `threads`, `frugality`, `first-player`,
        /// `busy-player` and `second-player`.
        #[arg(value_enum, value_name = "PART")]
        parts: Vec<bench::Part>,
        /// Endgame table file to measure in `tables`. Default: the one named in calibration.txt in this folder.
        #[arg(long, value_name = "FILE")]
        side_file: Option<PathBuf>,
        #[command(flatten)]
        figures: FiguresOption,
    },
    Figures(figures::FiguresArguments),
    Depth(bench::DepthArguments),
    /// Prints the CPU clock of the process at its start and at its end.
    #[command(hide = true)]
    Probe {
        /// Memory to use, in MiB.
        mib: usize,
    },
    Tables(tables::TablesArguments),
    Solve(solve::SolveArguments),
    Match(matches::MatchArguments),
    Tune(tune::TuneArguments),
    WonPositions(won_positions::WonArguments),
    Puzzles(puzzles::PuzzlesArguments),
    #[command(flatten)]
    Learn(learn::LearnCommand),
}

/// Returns the command line with all commands, to generate manual pages and completions from.
#[must_use]
pub fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program with the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = command().try_get_matches_from(given()).and_then(|found| Arguments::from_arg_matches(&found));
    let arguments = arguments.unwrap_or_else(|error| refuse(&error));
    ExitStatus::of("calibrate", run_command(arguments.command)).into()
}

fn run_command(command: Option<Command>) -> Result<()> {
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
        Some(Command::Depth(arguments)) => bench::to_depth(&arguments)?,
        Some(Command::Tables(arguments)) => tables::run(&arguments)?,
        Some(Command::Solve(arguments)) => solve::run(&arguments)?,
        Some(Command::Match(arguments)) => matches::run(&arguments)?,
        Some(Command::Tune(arguments)) => tune::run(&arguments)?,
        Some(Command::WonPositions(arguments)) => won_positions::run(&arguments)?,
        Some(Command::Puzzles(arguments)) => puzzles::run(&arguments)?,
        Some(Command::Learn(command)) => learn::run(&command)?,
        Some(Command::Probe { mib }) => costs::probe(mib)?,
    }
    Ok(())
}
