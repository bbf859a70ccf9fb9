//! `calibrate match`: games between two players in this process, to choose the numbers of the search and of its time.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `checkers`, `loa` | how a player of each game chooses its moves |
//! | `compare` | whether a learned evaluation is better than another |
//! | `json` | how players are read from the command line |
//! | `help` | what `--help` says of them |
//! | `runner` | how the games are played, several at a time, and when a match ends |
//! | `tally` | what came out |
//! | `pairs` | what the pairs of games say of the difference in strength |
//! | `sprt` | whether they are enough to be sure |
//! | `report` | what is printed |

pub(crate) mod checkers;
#[cfg(feature = "training")]
pub(crate) mod compare;
mod help;
mod json;
pub(crate) mod loa;
mod pairs;
mod report;
mod runner;
mod sprt;
mod tally;

use std::num::NonZeroUsize;

use anyhow::Result;
use kingline::figures::{Figure, FiguresOption, Topic};
use kingline::terminal::stdout_line;

use crate::openings;
use json::FromJson;
pub(crate) use report::MatchReport;
pub(crate) use runner::play_match;
use runner::play_until_sure;
use sprt::{EloPair, Sprt};
use tally::Tally;

/// Plays games between two players in this process, and prints who is stronger.
#[derive(clap::Args)]
#[command(after_long_help = help::text())]
pub(crate) struct MatchArguments {
    /// The first player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'; --help describes the fields.
    first: String,
    /// The second player, likewise.
    second: String,
    /// The game to play.
    #[arg(long, value_enum, default_value_t = GameChoice::Checkers)]
    game: GameChoice,
    /// Number of openings, or with --sprt the most; each is played twice, colors exchanged.
    #[arg(long, value_name = "N", default_value_t = 50)]
    openings: usize,
    /// Seed of the openings; equal seeds give equal openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of games at a time; each counts the CPU time of its own thread.
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// End the match as soon as a sequential test accepts that the first player is stronger by ELO0 (H0) or by ELO1 (H1).
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloPair>,
    /// Probability of accepting H1 although H0 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = sprt::error_rate, requires = "sprt")]
    alpha: f64,
    /// Probability of accepting H0 although H1 is true, above 0 and below 0.5.
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = sprt::error_rate, requires = "sprt")]
    beta: f64,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
    /// Name of the match in the row of --figures.
    #[arg(long, value_name = "NAME", default_value = "points of the first player", requires = "figures")]
    figure: String,
}

impl MatchArguments {
    fn sprt(&self) -> Option<Sprt> {
        let &MatchArguments { sprt, alpha, beta, .. } = self;
        sprt.map(|elo| Sprt { elo, alpha, beta })
    }
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

/// Plays the match and prints what came out.
///
/// # Errors
/// A player cannot be read, or standard output cannot be written.
pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let tally = match arguments.game {
        GameChoice::Checkers => play_checkers(arguments)?,
        GameChoice::Loa => play_loa::<8>(arguments)?,
        GameChoice::Loa6 => play_loa::<6>(arguments)?,
    };
    let report = MatchReport { tally, sprt: arguments.sprt() };
    if arguments.json {
        stdout_line(report.to_json()?)?;
    } else {
        stdout_line(&report)?;
    }
    let figure = Figure::new(&*arguments.figure, report.in_words());
    arguments.figures.record(Topic::Strength, [figure])
}

fn play_checkers(arguments: &MatchArguments) -> Result<Tally> {
    let &MatchArguments { openings: count, seed, threads, .. } = arguments;
    let [first, second] = players(arguments)?;
    let openings = openings::openings(openings::SHARP, count, seed);
    Ok(play_until_sure(&openings, threads.get(), "match", arguments.sprt(), |color, opening, game| {
        checkers::play(&first, &second, color, opening, game)
    }))
}

fn play_loa<const N: usize>(arguments: &MatchArguments) -> Result<Tally> {
    /// Random plies of an opening: enough for variety, too few to decide a game.
    const PLIES: usize = 4;
    let &MatchArguments { openings: count, seed, threads, .. } = arguments;
    let [first, second]: [loa::LoaPlayer; 2] = players(arguments)?;
    let openings = loa::openings::<N>(PLIES, count, seed);
    Ok(play_until_sure(&openings, threads.get(), "match", arguments.sprt(), |color, opening, game| {
        loa::play(&first, &second, color, opening, game)
    }))
}

/// Both players of a match.
fn players<P: FromJson>(arguments: &MatchArguments) -> Result<[P; 2]> {
    Ok([json::player(&arguments.first)?, json::player(&arguments.second)?])
}
