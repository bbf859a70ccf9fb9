//! `calibrate selfplay`: games of the engine against itself, to learn from.
//!
//! Games are numbered, and a number always gives the same game. Shard k of N plays the numbers k-1, k-1+N, ...: no two
//! shards play the same game, and together they play the games of a single run.

mod play;

pub(super) use play::TABLE_BYTES;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use kingline::checkers;
use kingline::knowledge::checksum;
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa;
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;

use super::file::{GameWriter, Header};
use super::game::Learned;
use super::record::Record;
use crate::help::help_end;
use crate::progress::Progress;
use crate::shard::Shard;
use crate::threads::Threads;

/// Plays games of the engine against itself, to learn an evaluation from.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct SelfplayArguments {
    /// Game to play.
    #[arg(value_enum)]
    pub(super) game: GameName,
    /// Folder for the games, with a file for each shard. Run the same command again to continue an interrupted run.
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: PathBuf,
    /// Number of games of all shards together; a later run may ask for more.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) games: u32,
    /// Nodes per search. The same number gives the same games on any machine.
    #[arg(long, value_name = "N", default_value_t = 3000)]
    pub(super) nodes: u64,
    /// Seed for the games. A different seed gives different games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Play only shard K of N, counted from 1, to share the work among machines.
    #[arg(long, default_value = "1/1", value_name = "K/N")]
    pub(super) shard: Shard,
    /// Play with the evaluation in FILE. Default: the embedded one.
    #[arg(long, value_name = "FILE")]
    pub(super) evaluation: Option<PathBuf>,
    /// Number of threads. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
}

/// Plays the missing games.
///
/// # Errors
/// Fails if the evaluation cannot be read, or the folder or the file cannot be written or contains other games.
pub(crate) fn run(arguments: &SelfplayArguments) -> Result<()> {
    let PlayedGames { path, games, positions } = play_missing(arguments)?;
    stdout_line(format_args!("{}: {games} games, {positions} positions", path.display()))
}

/// Contents of a file after all games of its shard were played.
pub(super) struct PlayedGames {
    pub(super) path: PathBuf,
    pub(super) games: u32,
    pub(super) positions: u64,
}

/// Plays as [`run`] does, but prints no summary.
pub(super) fn play_missing(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    match arguments.game {
        GameName::Checkers => play::<checkers::Position>(arguments),
        GameName::Loa => play::<loa::Position<8>>(arguments),
        GameName::Loa6 => play::<loa::Position<6>>(arguments),
    }
}

/// Returns the path of the file with a shard's games.
pub(super) fn path_of(game: GameName, folder: &Path, Shard { number, of }: Shard) -> PathBuf {
    folder.join(format!("{}-{number}-of-{of}.games", game.word()))
}

/// Plays the missing games with the evaluation of this game.
fn play<G: Learned>(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    let evaluation = G::evaluation(arguments.evaluation.as_deref())?;
    let name = evaluation_name::<G>(arguments.evaluation.as_deref())?;
    play_and_keep(arguments, name, &|game| {
        let tables = Tablebase::with_embedded(None);
        play::play(&evaluation, G::knowledge(&tables), arguments.seed, game, arguments.nodes)
    })
}

/// Plays the missing games on all threads, and writes their records in the order of the games' numbers. `evaluation` is
/// the name of the evaluation that plays.
fn play_and_keep(
    arguments: &SelfplayArguments,
    evaluation: String,
    play: &(dyn Fn(u32) -> Vec<Record> + Sync),
) -> Result<PlayedGames> {
    let &SelfplayArguments { ref folder, games, nodes, seed, shard: Shard { number, of }, .. } = arguments;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = path_of(arguments.game, folder, arguments.shard);
    let header = Header {
        game: arguments.game.word().to_owned(),
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
    let keeper = Mutex::new(Keeper {
        writer,
        waiting: BTreeMap::new(),
        next: 0,
        records: found.records,
        progress: Progress::new("selfplay", left as usize),
    });
    let failed = Threads::new(arguments.threads).each(left as usize, |place| {
        let place = place as u32;
        let records = play(first + place * of);
        let taken = keeper.lock().unwrap_or_else(PoisonError::into_inner).take(place, records);
        taken.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    if let ControlFlow::Break(error) = failed {
        return Err(error);
    }
    let positions = keeper.lock().unwrap_or_else(PoisonError::into_inner).records;
    Ok(PlayedGames { path, games: first / of + left, positions })
}

/// Returns the name of the evaluation in game files: the checksum of its weights, whether from a file or embedded.
pub(super) fn evaluation_name<G: Learned>(file: Option<&Path>) -> Result<String> {
    match file {
        Some(path) => checksum_of(path),
        None => Ok(format!("{:016x}", checksum(G::EMBEDDED))),
    }
}

/// Returns the checksum of a file in hexadecimal.
pub(super) fn checksum_of(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{:016x}", checksum(&bytes)))
}

/// Writes games in the order of their numbers, whatever order they end in.
struct Keeper {
    writer: GameWriter,
    /// Games that ended before one with a smaller number.
    waiting: BTreeMap<u32, Vec<super::record::Record>>,
    /// Place of the next game to write.
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
