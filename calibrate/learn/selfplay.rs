//! `calibrate selfplay`: games of the engine with itself, to learn from.
//!
//! Games are numbered, and each number gives its own game: shard k of N plays the numbers k-1, k-1+N, ..., so shards
//! never play the same game twice, and all of them together play what one run alone would.

mod play;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use kingline::checkers;
use kingline::help::GuidePage;
use kingline::knowledge::tablebase::Tablebase;
use kingline::knowledge::tablebase::build::checksum;
use kingline::loa;
use kingline::terminal::stdout_line;

use super::file::{GameWriter, Header};
use super::game::Learned;
use super::record::Record;
use super::{GameName, Shard};
use crate::help_end;
use crate::progress::Progress;
use crate::tables::Threads;

/// Plays games of the engine with itself, to learn an evaluation from.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct SelfplayArguments {
    /// The game to play.
    #[arg(value_enum)]
    pub(super) game: GameName,
    /// Folder for the games, with a file for each shard. Run the same command again to continue an interrupted run.
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: PathBuf,
    /// Number of games, of all shards together; a later run may ask for more.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) games: u32,
    /// Nodes of a search; equal numbers give equal games on any machine.
    #[arg(long, value_name = "N", default_value_t = 3000)]
    pub(super) nodes: u64,
    /// Seed of the games; another seed gives other games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Play only shard K of N, counted from 1, for many machines.
    #[arg(long, default_value = "1/1", value_name = "K/N")]
    pub(super) shard: Shard,
    /// Play with the evaluation in FILE. Default: the embedded one.
    #[arg(long, value_name = "FILE")]
    pub(super) evaluation: Option<PathBuf>,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<u16>,
}

/// Plays the games that are missing.
///
/// # Errors
/// The evaluation cannot be read; the folder or the file cannot be written, or is of other games.
pub(crate) fn run(arguments: &SelfplayArguments) -> Result<()> {
    let PlayedGames { path, games, positions } = play_missing(arguments)?;
    stdout_line(format_args!("{}: {games} games, {positions} positions", path.display()))
}

/// What a file holds once all games of its shard are played.
pub(super) struct PlayedGames {
    pub(super) path: PathBuf,
    pub(super) games: u32,
    pub(super) positions: u64,
}

/// [`run`], without its last line.
pub(super) fn play_missing(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    match arguments.game {
        GameName::Checkers => play::<checkers::Position>(arguments),
        GameName::Loa => play::<loa::Position<8>>(arguments),
        GameName::Loa6 => play::<loa::Position<6>>(arguments),
    }
}

/// The file of a shard's games.
pub(super) fn path_of(game: GameName, folder: &Path, Shard { number, of }: Shard) -> PathBuf {
    folder.join(format!("{}-{number}-of-{of}.games", game.packing().name))
}

/// Games whose evaluation is this game's.
fn play<G: Learned>(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    let evaluation = G::evaluation(arguments.evaluation.as_deref())?;
    let name = evaluation_name::<G>(arguments.evaluation.as_deref())?;
    play_and_keep(arguments, name, &|game| {
        let tables = Tablebase::with_embedded(None);
        play::play(&evaluation, G::knowledge(&tables), arguments.seed, game, arguments.nodes)
    })
}

/// Plays the games that are missing, on all threads, and keeps their records in the order of their numbers. `evaluation`
/// is the name of what plays them.
fn play_and_keep(
    arguments: &SelfplayArguments,
    evaluation: String,
    play: &(dyn Fn(u32) -> Vec<Record> + Sync),
) -> Result<PlayedGames> {
    let &SelfplayArguments { ref folder, games, nodes, seed, shard: Shard { number, of }, .. } = arguments;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = path_of(arguments.game, folder, arguments.shard);
    let header = Header {
        game: arguments.game.packing().name.to_owned(),
        seed: Some(seed),
        shard: Some((number, of)),
        nodes: Some(nodes),
        evaluation,
    };
    let (writer, found) = GameWriter::open(&path, &header)?;
    if found.removed > 0 {
        stdout_line(format_args!("{}: removed {} bytes of a broken game", path.display(), found.removed))?;
    }
    let first = found.last_game.map_or(number - 1, |last| last + of);
    let left = games.saturating_sub(first).div_ceil(of);
    let next = AtomicU32::new(0);
    let failed = AtomicBool::new(false);
    let keeper = Mutex::new(Keeper {
        writer,
        waiting: BTreeMap::new(),
        next: 0,
        records: found.records,
        progress: Progress::new("selfplay", left as usize),
    });
    let work = || -> Result<()> {
        while !failed.load(Relaxed) {
            let place = next.fetch_add(1, Relaxed);
            if place >= left {
                break;
            }
            let records = play(first + place * of);
            keeper
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(place, records)
                .inspect_err(|_| failed.store(true, Relaxed))?;
        }
        Ok(())
    };
    let threads = Threads::new(arguments.threads);
    threads.map(&vec![(); threads.count], |()| work())?;
    let positions = keeper.lock().unwrap_or_else(PoisonError::into_inner).records;
    Ok(PlayedGames { path, games: first / of + left, positions })
}

/// How files of games name the evaluation: by the checksum of its weights, also of those inside the program.
fn evaluation_name<G: Learned>(file: Option<&Path>) -> Result<String> {
    match (file, G::EMBEDDED) {
        (Some(path), _) => checksum_of(path),
        (None, Some(weights)) => Ok(format!("{:016x}", checksum(weights))),
        (None, None) => Ok("hand-written".to_owned()),
    }
}

/// The checksum of a file, as people read it.
pub(super) fn checksum_of(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{:016x}", checksum(&bytes)))
}

/// Writes games in the order of their numbers, in whatever order they end.
struct Keeper {
    writer: GameWriter,
    /// Games that ended before one with a smaller number.
    waiting: BTreeMap<u32, Vec<super::record::Record>>,
    /// The place of the next game to write.
    next: u32,
    records: u64,
    progress: Progress,
}

impl Keeper {
    fn take(&mut self, place: u32, records: Vec<super::record::Record>) -> Result<()> {
        self.waiting.insert(place, records);
        while let Some(records) = self.waiting.remove(&self.next) {
            self.writer.add(&records)?;
            self.next += 1;
            self.records += records.len() as u64;
            self.progress.step(&format!("{} positions", self.records));
        }
        Ok(())
    }
}
