//! `calibrate`: the offline side. It measures the machine, and the engine on it.

mod arena;
mod bench;
mod child;
mod measure;
mod openings;
mod progress;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use kingline::score::Depth;

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
        #[arg(default_value = "{}")]
        params: String,
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
    first: String,
    /// Another one.
    second: String,
    /// Openings; each is played twice, colors exchanged.
    #[arg(long, default_value_t = 50)]
    openings: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        None => measure::calibrate(),
        Some(Command::Bench { parts }) if parts.is_empty() => bench::run(&bench::USUAL),
        Some(Command::Bench { parts }) => bench::run(&parts),
        Some(Command::Depth { depth, params }) => show_depth(Depth(depth), &params),
        Some(Command::Probe { mib }) => {
            measure::probe(mib);
            Ok(())
        }
        Some(Command::Match(arguments)) => run_match(&arguments),
    }
}

fn run_match(arguments: &MatchArguments) -> Result<()> {
    let first = serde_json::from_str(&arguments.first).context("the first player")?;
    let second = serde_json::from_str(&arguments.second).context("the second player")?;
    let openings = openings::openings(arguments.openings, arguments.seed);
    let tally = arena::match_up(&first, &second, &openings, arguments.threads, "match");
    println!(
        "+{} ={} -{}  points {:.1} % ± {:.1}  course {:.1} %  CPU {:.2}/{:.2} s a game, most {:.2}/{:.2}  {} turns a game, {} by quiet turns, {} won positions given away, {}/{} late",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.share(),
        100.0 * tally.error(),
        100.0 * tally.course_share(),
        tally.used[0] / tally.games().max(1) as f64,
        tally.used[1] / tally.games().max(1) as f64,
        tally.most[0],
        tally.most[1],
        tally.turns / tally.games().max(1),
        tally.by_quiet_turns,
        tally.given_away,
        tally.late[0],
        tally.late[1],
    );
    Ok(())
}

fn show_depth(depth: Depth, params: &str) -> Result<()> {
    let params = serde_json::from_str(params).context("the parameters")?;
    let (mut nodes, mut seconds) = (0, 0.0);
    for (position, some, time) in bench::to_depth(depth, params) {
        println!("{some:>12} nodes {:>8.3} s  {position}", time.as_secs_f64());
        nodes += some;
        seconds += time.as_secs_f64();
    }
    println!("{nodes:>12} nodes {seconds:>8.3} s  in all");
    Ok(())
}
