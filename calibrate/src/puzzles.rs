//! `calibrate puzzles`: puzzles from games of the engine against itself.

use std::num::NonZeroUsize;
use std::ops::Bound::Included;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use kingline::game::{History, random_opening};
use kingline::search::{Limits, Searcher};
use kingline::{checkers, loa};
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;
use kingline_players::review::{GameRecord, Puzzle, Reviewed, Settings, puzzle_record, puzzles};
use kingline_players::terminal::stdout_line;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::learn::game_seed;
use crate::options::{ThreadsOption, help_end, number};

/// Collects puzzles from games of the engine against itself, in PDN or SGF.
///
/// A puzzle is a position in which one move wins by force, in five to ten plies, and no other move does. The games are
/// played with few nodes a move, so that wins are missed; the puzzles are verified with ten times the nodes of the search
/// that finds them. The same arguments give the same puzzles, with any number of threads.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Review))]
pub(crate) struct PuzzlesArguments {
    /// Game to play.
    #[arg(value_enum)]
    game: GameName,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of puzzles.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,
    /// Nodes for each move of the games.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds for each position, to find puzzles, counted in nodes as by `review`.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.02, value_parser = number(Included(0.001), Included(600.0)))]
    seconds: f64,
    /// Seed for the games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
}

/// Random plies at the start of each game.
const OPENING: usize = 6;
/// Games between two looks at the count; always as many, so that the number of threads does not matter.
const BATCH: u32 = 16;
const PLIES: usize = 150;
/// Size of the table of a search, in bytes.
const TABLE: usize = 1 << 20;

const RECORDS: FileKind =
    FileKind { name: "a file of games", is_start: |start| start.starts_with(b"[") || start.starts_with(b"(;") };

/// Plays games until there are enough puzzles, and writes these.
pub(crate) fn run(arguments: &PuzzlesArguments) -> Result<()> {
    check_target(&arguments.output, RECORDS)?;
    let (found, games) = match arguments.game {
        GameName::Checkers => collect::<checkers::Position>(arguments)?,
        GameName::Loa => collect::<loa::Position<8>>(arguments)?,
        GameName::Loa6 => collect::<loa::Position<6>>(arguments)?,
    };
    let records: Vec<String> =
        found.iter().map(puzzle_record).collect::<Result<_, _>>().map_err(|error| anyhow!("{error}"))?;
    write_whole(&arguments.output, records.join("\n").as_bytes())?;
    stdout_line(format_args!("{}: {} puzzles from {games} games", arguments.output.display(), found.len()))
}

/// Returns the puzzles, and the number of games that they took.
fn collect<G: Reviewed>(arguments: &PuzzlesArguments) -> Result<(Vec<Puzzle>, u32)> {
    let count = arguments.count as usize;
    let threads = arguments.threads.threads();
    let settings = Settings { seconds: arguments.seconds, ..Settings::default() };
    let mut progress = Progress::new("puzzles", count);
    let (mut found, mut games): (Vec<Puzzle>, u32) = (Vec::new(), 0);
    while found.len() < count {
        let seeds: Vec<u64> = (games..games + BATCH).map(|game| game_seed(arguments.seed, game)).collect();
        let batch = threads.map(&seeds, |&seed| Ok(of_game::<G>(seed, arguments.nodes, settings)))?;
        games += BATCH;
        for puzzle in batch.into_iter().flatten().take(count - found.len()) {
            if !found.iter().any(|other| other.position == puzzle.position) {
                found.push(puzzle);
                progress.step(&format!("{games} games"));
            }
        }
    }
    Ok((found, games))
}

fn of_game<G: Reviewed>(seed: u64, nodes: u64, settings: Settings) -> Vec<Puzzle> {
    let mut rng = StdRng::seed_from_u64(seed);
    let Some(opening) = random_opening::<G>(OPENING, |moves| rng.random_range(0..moves)) else { return Vec::new() };
    let (mut moves, mut history): (_, History<G>) = (opening.moves, opening.history);
    let mut searcher = Searcher::new(G::Evaluation::default()).with_table_limit(TABLE);
    while history.ending().is_none() && moves.len() < PLIES {
        let Some(best) = searcher.search(&history, Limits::nodes(nodes), &mut ()).best else { break };
        history.play(best);
        moves.push(best);
    }
    let record = G::Record::of_line(G::start(), &moves, "");
    puzzles::<G>(&record, settings, NonZeroUsize::MIN, &mut |_| true).unwrap_or_default()
}
