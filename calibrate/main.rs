//! `calibrate`: the offline side. It measures the machine, and the engine on it.

mod arena;
mod bench;
mod child;
mod measure;
mod openings;
mod progress;
mod say;

use std::process::ExitCode;

use anyhow::Result;
use arena::Player;
use clap::{Parser, Subcommand};
use kingline::score::Depth;
use kingline::search::Params;
use say::{complain, is_unread, say};

/// Measures this machine and writes calibration.txt; or, with a command, measures the engine.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Measures the engine's figures and prints them as a table.
    Bench {
        /// What to measure; by default all but the longest, `frugality`.
        #[arg(value_enum)]
        parts: Vec<bench::Part>,
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
    /// Plays games between two players in this process.
    Match(MatchArguments),
}

#[derive(clap::Args)]
struct MatchArguments {
    /// A player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'.
    #[arg(value_parser = player)]
    first: Player,
    /// Another one.
    #[arg(value_parser = player)]
    second: Player,
    /// Openings; each is played twice, colors exchanged.
    #[arg(long, default_value_t = 50)]
    openings: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Exit codes: 0 done, 1 something failed, 2 bad usage.
fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("calibrate: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Option<Command>) -> Result<()> {
    match command {
        None => measure::calibrate()?,
        Some(Command::Bench { parts }) if parts.is_empty() => bench::run(&bench::USUAL)?,
        Some(Command::Bench { parts }) => bench::run(&parts)?,
        Some(Command::Depth { depth, params }) => show_depth(Depth(depth), params)?,
        Some(Command::Match(arguments)) => run_match(&arguments)?,
        Some(Command::Probe { mib }) => measure::probe(mib)?,
    }
    Ok(())
}

fn run_match(arguments: &MatchArguments) -> Result<()> {
    let openings = openings::openings(openings::SHARP, arguments.openings, arguments.seed);
    let tally = arena::match_up(&arguments.first, &arguments.second, &openings, arguments.threads, "match");
    say(tally)
}

fn show_depth(depth: Depth, params: Params) -> Result<()> {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (position, some, time) in bench::to_depth(depth, params) {
        say(format_args!("{some:>12} nodes {:>8.3} s  {position}", time.as_secs_f64()))?;
        nodes += some;
        seconds += time.as_secs_f64();
    }
    say(format_args!("{nodes:>12} nodes {seconds:>8.3} s  in all"))
}

fn player(text: &str) -> Result<Player, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}; expected a player like {{\"nodes\": 20000}}"))
}

fn params(text: &str) -> Result<Params, String> {
    serde_json::from_str(text).map_err(|error| format!("{error}; expected parameters like {{\"prob_cut\": null}}"))
}
