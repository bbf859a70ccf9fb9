//! `calibrate match`: games between two players in this process, to tune search and time management.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `checkers`, `loa` | how does a player of each game choose its moves |
//! | `compare` | is a learned evaluation better than another |
//! | `json` | how are players read from the command line |
//! | `help` | how does `--help` describe them |
//! | `runner` | how are several games played at once, and when does a match end |
//! | `tally` | what are the results |
//! | `pairs` | what do pairs of games say about the difference in strength |
//! | `sprt` | do they suffice for a verdict |
//! | `report` | what is printed |

pub(crate) mod checkers;
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
use kingline::figures::{Basis, Figure, FiguresOption, Topic};
use kingline::terminal::{stdout_json, stdout_line};

use crate::openings;
use crate::threads::Threads;
use json::FromJson;
pub(crate) use report::MatchReport;
pub(crate) use runner::play_match;
use runner::play_until_sure;
use sprt::{EloPair, Sprt};
use tally::Tally;

/// Plays games between two players in this process, and reports which one is stronger.
#[derive(clap::Args)]
#[command(after_long_help = help::text())]
pub(crate) struct MatchArguments {
    /// First player as JSON, like '{"nodes": 20000, "params": {"prob_cut": null}}'. --help describes the fields.
    first: String,
    /// Second player as JSON.
    second: String,
    /// Game to play.
    #[arg(long, value_enum, default_value_t = GameChoice::Checkers)]
    game: GameChoice,
    /// Number of openings; with --sprt, their maximum. Each is played twice, with colors exchanged.
    #[arg(long, value_name = "N", default_value_t = 50)]
    openings: usize,
    /// Seed for the openings. The same seed gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of games played at once. Each measures the CPU time of its own thread.
    #[arg(long, value_name = "N", default_value = "2")]
    threads: NonZeroUsize,
    /// End the match once a sequential test accepts that the first player is stronger by ELO0 (H0) or by ELO1 (H1).
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
    /// Name of the match in the row that --figures writes.
    #[arg(long, value_name = "NAME", default_value = "points of the first player", requires = "figures")]
    figure: String,
}

impl MatchArguments {
    fn threads(&self) -> Threads {
        Threads { count: self.threads.get() }
    }

    fn sprt(&self) -> Option<Sprt> {
        let &MatchArguments { sprt, alpha, beta, .. } = self;
        sprt.map(|elo| Sprt { elo, alpha, beta })
    }
}

/// Games that can be played.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum GameChoice {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

/// Plays the match and prints the result.
///
/// # Errors
/// Fails if a player cannot be read or standard output cannot be written.
pub(crate) fn run(arguments: &MatchArguments) -> Result<()> {
    let tally = match arguments.game {
        GameChoice::Checkers => play_checkers(arguments)?,
        GameChoice::Loa => play_loa::<8>(arguments)?,
        GameChoice::Loa6 => play_loa::<6>(arguments)?,
    };
    let report = MatchReport { tally, sprt: arguments.sprt() };
    if arguments.json {
        stdout_json(report.to_json()?)?;
    } else {
        stdout_line(&report)?;
    }
    let figure = Figure::new(&*arguments.figure, report.in_words());
    let basis = match arguments.game {
        GameChoice::Checkers => &[Basis::Checkers, Basis::Tables][..],
        GameChoice::Loa => &[Basis::Loa],
        GameChoice::Loa6 => &[Basis::Loa6],
    };
    arguments.figures.record_on(basis, Topic::Strength, [figure])
}

fn play_checkers(arguments: &MatchArguments) -> Result<Tally> {
    let &MatchArguments { openings: count, seed, .. } = arguments;
    let [first, second] = players(arguments)?;
    let openings = openings::openings(openings::SHARP, count, seed);
    Ok(play_until_sure(&openings, arguments.threads(), "match", arguments.sprt(), |color, opening, game| {
        checkers::play(&first, &second, color, opening, game)
    }))
}

fn play_loa<const N: usize>(arguments: &MatchArguments) -> Result<Tally> {
    /// Number of random plies in an opening: enough for variety, too few to decide a game.
    const PLIES: usize = 4;
    let &MatchArguments { openings: count, seed, .. } = arguments;
    let [first, second]: [loa::LoaPlayer; 2] = players(arguments)?;
    let openings = loa::openings::<N>(PLIES, count, seed);
    Ok(play_until_sure(&openings, arguments.threads(), "match", arguments.sprt(), |color, opening, game| {
        loa::play(&first, &second, color, opening, game)
    }))
}

/// Reads both players of a match.
fn players<P: FromJson>(arguments: &MatchArguments) -> Result<[P; 2]> {
    Ok([json::player(&arguments.first)?, json::player(&arguments.second)?])
}
