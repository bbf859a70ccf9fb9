//! `calibrate wins find`: takes positions from games before their end, and proves which of them are won.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::evaluate::loa::Evaluation;
use kingline::loa::Position;
use kingline::score::{Meaning, Score};
use kingline::search::{Limits, Prover};
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::lines::Win;
use crate::help::help_end;
use crate::learn::{Learned, game_records};
use crate::progress::Progress;
use crate::threads::Threads;
use kingline_players::exit::BadInput;

/// Finds positions with a proved win in self-play games.
///
/// From each game, a position up to 24 plies before the last is taken in which the winner is to move. It is kept if the
/// solver proves it won, but not within 1,000 nodes, which would be too easy to tell solvers apart.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Loa))]
pub(super) struct FindArguments {
    /// Size of the board: 8 or 6 columns and rows.
    #[arg(value_parser = clap::value_parser!(u8).range(6..=8))]
    board: u8,
    /// Game files, as written by `calibrate selfplay`.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File to write. Only files of the same kind are overwritten.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of positions.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Nodes for each proof.
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed for the choice of games and positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads; the positions do not depend on it. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Plies before the last position of a game from which a position is taken.
const MOST_PLIES: usize = 24;
/// Nodes within which a position is too easy.
const EASY: u64 = 1000;
/// Size of the solver's table, in bytes.
const TABLE: usize = 256 << 20;

const POSITIONS: FileKind = FileKind {
    name: "a file of positions",
    is_start: |start| {
        let start = String::from_utf8_lossy(start);
        start.starts_with(['-', 'b', 'w']) && start.contains('/')
    },
};

/// Finds the positions and writes them.
///
/// # Errors
/// Fails if a file cannot be read or written, or the games have too few such positions.
pub(super) fn run(arguments: &FindArguments) -> Result<()> {
    match arguments.board {
        8 => find::<8>(arguments),
        6 => find::<6>(arguments),
        board => Err(BadInput::new(format!("found a board of {board}, expected 6 or 8")).into()),
    }
}

fn find<const N: usize>(arguments: &FindArguments) -> Result<()> {
    check_target(&arguments.output, POSITIONS)?;
    let mut rng = StdRng::seed_from_u64(arguments.seed);
    let mut taken = Vec::new();
    for path in &arguments.games {
        let records = game_records::<Position<N>>(path)?;
        for game in records.chunk_by(|one, _| !one.last) {
            // The last record's side to move won or lost; the winner is to move in every second one before.
            let won: Vec<_> =
                game.iter().rev().take(MOST_PLIES).filter(|record| record.result.points() == 1.0).collect();
            if !won.is_empty() {
                let record = won[rng.random_range(0..won.len())];
                taken.extend(Position::<N>::unpack(record.turn, record.pieces));
            }
        }
    }
    taken.shuffle(&mut rng);
    let count = arguments.count as usize;
    let threads = Threads::new(arguments.threads);
    let mut progress = Progress::new("proofs", count);
    let (mut found, mut tried): (Vec<Win<N>>, _) = (Vec::new(), 0);
    for batch in taken.chunks(64) {
        tried += batch.len();
        let wins = threads.map(batch, |&position| Ok(prove(position, arguments.nodes)))?;
        for win in wins.into_iter().flatten().take(count - found.len()) {
            if !found.iter().any(|other| other.position == win.position) {
                found.push(win);
                progress.step(&format!("{tried} tried"));
            }
        }
        if found.len() >= count {
            break;
        }
    }
    drop(progress);
    ensure!(
        found.len() == count,
        BadInput::new(format!("found {} won positions in {tried} games; help: name more games", found.len()))
    );
    let mut text = String::new();
    for win in found {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{win}");
    }
    write_whole(&arguments.output, text.as_bytes())?;
    stdout_line(format_args!("{}: {count} positions of {tried} tried", arguments.output.display()))
}

/// Returns the position with the length of its win, if it is proved and not too easy.
fn prove<const N: usize>(position: Position<N>, nodes: u64) -> Option<Win<N>> {
    let mut prover = Prover::new(Evaluation::<N>::default()).with_table_limit(TABLE);
    let proof = prover.prove(position, Limits::nodes(nodes), &mut ());
    match proof.score.map(Score::meaning) {
        Some(Meaning::WinIn(plies)) if proof.nodes > EASY => Some(Win { position, plies }),
        _ => None,
    }
}
