//! `calibrate match`: games between two players in this process, to choose the numbers of the search and of its time.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `checkers`, `loa` | how a player of each game chooses its moves |
//! | `json` | how players are read from the command line |
//! | `help` | what `--help` says of them |
//! | `runner` | how the games are played, several at a time |
//! | `tally` | what came out |

pub(crate) mod checkers;
mod help;
mod json;
pub(crate) mod loa;
mod runner;
mod tally;

use std::num::NonZeroUsize;

use anyhow::Result;
use kingline::terminal::stdout_line;

use crate::openings;
use json::FromJson;
pub(crate) use runner::play_match;

/// Which players meet in which games.
#[derive(clap::Args)]
#[command(after_long_help = help::text())]
pub(crate) struct MatchArguments {
    /// A player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'; --help describes the fields.
    first: String,
    /// The opponent, likewise.
    second: String,
    /// The game to play.
    #[arg(long, value_enum, default_value_t = GameChoice::Checkers)]
    game: GameChoice,
    /// Number of openings; each is played twice, colors exchanged.
    #[arg(long, default_value_t = 50)]
    openings: usize,
    /// Seed of the openings; equal seeds give equal openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games at a time; each counts the CPU time of its own thread.
    #[arg(long, default_value = "2")]
    threads: NonZeroUsize,
}

/// The games.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum GameChoice {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

/// Plays the match and prints its tally.
///
/// # Errors
/// A player cannot be read, or standard output cannot be written.
pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let &MatchArguments { openings: count, seed, threads, .. } = arguments;
    match arguments.game {
        GameChoice::Checkers => {
            let [first, second] = players(arguments)?;
            let openings = openings::openings(openings::SHARP, count, seed);
            stdout_line(play_match(&openings, threads.get(), "match", |color, opening, game| {
                checkers::play(&first, &second, color, opening, game)
            }))
        }
        GameChoice::Loa => run_loa::<8>(arguments),
        GameChoice::Loa6 => run_loa::<6>(arguments),
    }
}

fn run_loa<const N: usize>(arguments: &MatchArguments) -> Result<()> {
    /// Random plies of an opening: enough for variety, too few to decide a game.
    const PLIES: usize = 4;
    let [first, second]: [loa::LoaPlayer; 2] = players(arguments)?;
    let openings = loa::openings::<N>(PLIES, arguments.openings, arguments.seed);
    stdout_line(play_match(&openings, arguments.threads.get(), "match", |color, opening, game| {
        loa::play(&first, &second, color, opening, game)
    }))
}

/// Both players of a match.
fn players<P: FromJson>(arguments: &MatchArguments) -> Result<[P; 2]> {
    Ok([json::player(&arguments.first)?, json::player(&arguments.second)?])
}
