//! `calibrate endings`: the agent must win won endings and draw drawn ones, against a perfect opponent or the reference
//! agent.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `sampler` | from which positions do games start, and how were they reached |
//! | `agent` | how does the agent take a turn |
//! | `opponent` | how does its opponent take a turn |
//! | `play` | how does a game go, and is its result right |
//! | `report` | what are the results |

mod agent;
mod opponent;
mod play;
mod report;
mod sampler;

use std::sync::Mutex;

use anyhow::{Result, ensure};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline_players::figures::{FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};

use crate::help::help_end;
use crate::progress::Progress;
use crate::tables;
use crate::threads::Threads;
use agent::PlayerKind;
use kingline_players::terminal::in_thousands;
use opponent::OpponentKind;
use play::{Pairing, PlayedEnding};
use report::{EndingsReport, GameStats};
use sampler::{Sampler, StartKind};

/// Plays checkers endings with the agent's logic against an opponent: it must win won positions and must not lose drawn
/// ones.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Endings))]
pub(crate) struct EndingsArguments {
    /// Number of games from won positions; as many are played from drawn ones.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Number of pieces on the board, 2 to 5; five are 3 against 2 or 4 against 1. All positions are equally likely.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=5))]
    pieces: u8,
    /// Seed for the games; the same seed gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Player under test.
    #[arg(long, value_enum, default_value_t = PlayerKind::Agent)]
    player: PlayerKind,
    /// Opponent. A drawn position cannot be won against the perfect one.
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect)]
    opponent: OpponentKind,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Plays the games, prints the report, and prints each game with a wrong result in full.
///
/// # Errors
/// Fails if a game ended with a wrong result.
pub(crate) fn run(arguments: &EndingsArguments) -> Result<()> {
    let threads = Threads::new(arguments.threads);
    let (values, mut materials) = tables::solved(arguments.pieces, threads)?;
    materials.retain(|material| material.pieces() == arguments.pieces);
    let sampler = Sampler::of(materials, &values);
    let [won, drawn] =
        [StartKind::Won, StartKind::Drawn].map(|kind| games(kind, arguments, &sampler, &values, threads));
    let (won, drawn) = (won?, drawn?);
    let report = EndingsReport { won: GameStats::of(&won), drawn: GameStats::of(&drawn) };
    let failures: Vec<_> = won.into_iter().chain(drawn).filter_map(|played| played.failure).collect();
    if arguments.json {
        stdout_json(serde_json::to_string(&serde_json::json!({ "report": report, "failures": failures }))?)?;
    } else {
        failures.iter().try_for_each(stdout_line)?;
        stdout_line(&report)?;
    }
    ensure!(failures.is_empty(), "{} games ended with a wrong result", in_thousands(failures.len() as u64));
    arguments.figures.record(Topic::EndgameTables, report.figures(arguments.pieces, arguments.opponent))
}

/// Plays all games of a kind. Returns them in order.
fn games(
    kind: StartKind,
    arguments: &EndingsArguments,
    sampler: &Sampler,
    values: &SolvedValues,
    threads: Threads,
) -> Result<Vec<PlayedEnding>> {
    let numbers: Vec<u32> = (0..arguments.games).collect();
    let pairing = Pairing { player: arguments.player, opponent: arguments.opponent };
    let progress = Mutex::new((Progress::new(&kind.to_string(), numbers.len()), 0));
    threads.map(&numbers, |&number| {
        let mut rng = kind.rng(arguments.seed, number);
        let played = play::play(kind, number, &sampler.draw(kind, &mut rng)?, pairing, values, &mut rng)?;
        if let Ok(mut locked) = progress.lock() {
            let (progress, failures) = &mut *locked;
            *failures += usize::from(played.failure.is_some());
            progress.step(&format!("{failures} failed"));
        }
        Ok(played)
    })
}
