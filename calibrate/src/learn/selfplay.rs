//! `calibrate selfplay`: games of the engine against itself, to learn from.
//!
//! Games are numbered, and a number always gives the same game. Shard k of N plays the numbers k-1, k-1+N, ...: no two
//! shards play the same game, and together they play the games of a single run.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use kingline::game::{Ending, Evaluator, History, Knowledge, Rules, Wdl, random_opening};
use kingline::knowledge::checksum;
use kingline::knowledge::tablebase::Tablebase;
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use kingline::{checkers, loa};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;
use kingline_players::terminal::stdout_line;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::file::{GameWriter, Header};
use super::game::{Learned, game_seed};
use super::record::{GameResult, Record};
use crate::options::{Shard, ThreadsOption, help_end};

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
    #[command(flatten)]
    pub(super) threads: ThreadsOption,
}

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

/// Plays the missing games as [`run`] does, but prints no summary.
pub(super) fn play_missing(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    match arguments.game {
        GameName::Checkers => play_all::<checkers::Position>(arguments),
        GameName::Loa => play_all::<loa::Position<8>>(arguments),
        GameName::Loa6 => play_all::<loa::Position<6>>(arguments),
    }
}

pub(super) fn path_of(game: GameName, folder: &Path, Shard { number, of }: Shard) -> PathBuf {
    folder.join(format!("{}-{number}-of-{of}.games", game.word()))
}

/// Plays the missing games on all threads, and writes their records in the order of the games' numbers.
fn play_all<G: Learned>(arguments: &SelfplayArguments) -> Result<PlayedGames> {
    let evaluator = G::evaluation(arguments.evaluation.as_deref())?;
    let &SelfplayArguments { ref folder, games, nodes, seed, shard: Shard { number, of }, .. } = arguments;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = path_of(arguments.game, folder, arguments.shard);
    let header = Header {
        game: arguments.game.word().to_owned(),
        seed: Some(seed),
        shard: Some((number, of)),
        nodes: Some(nodes),
        evaluation: evaluation_name::<G>(arguments.evaluation.as_deref())?,
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
    let failed = arguments.threads.threads().each(left as usize, |place| {
        let place = place as u32;
        let tables = Tablebase::with_embedded(None);
        let records = play(&evaluator, G::knowledge(&tables), seed, first + place * of, nodes);
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

pub(super) fn checksum_of(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("{:016x}", checksum(&bytes)))
}

/// Writes games in the order of their numbers, whatever order they end in.
struct Keeper {
    writer: GameWriter,
    /// Games that ended before one with a smaller number.
    waiting: BTreeMap<u32, Vec<Record>>,
    /// Place of the next game to write.
    next: u32,
    records: u64,
    progress: Progress,
}

impl Keeper {
    fn take(&mut self, place: u32, records: Vec<Record>) -> Result<()> {
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

/// Size of the transposition table in bytes. The table is kept for the whole game.
pub(super) const TABLE_BYTES: usize = 8 << 20;
/// Number of consecutive searches with a drawish score after which a game is dead.
const DEAD_SEARCHES: u32 = 12;
/// Largest drawish score, in the evaluation's unit.
const DEAD_SCORE: i16 = 10;
/// Smallest number of quiet turns in a dead game.
const DEAD_QUIET_TURNS: u16 = 16;

/// Plays game number `game` of `seed` and returns its records. Each position is searched for `nodes` nodes; the same
/// numbers give the same game. A game ends by the rules, when a proof or a table gives its result, when it is dead, or
/// at the turn limit.
fn play<G: Learned>(
    evaluation: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    seed: u64,
    game: u32,
    nodes: u64,
) -> Vec<Record> {
    let mut rng = StdRng::seed_from_u64(game_seed(seed, game));
    let (mut history, mut ply) = opening(evaluation, knowledge, nodes, &mut rng);
    let mut searcher = Searcher::new(evaluation.clone()).with_table_limit(TABLE_BYTES).with_knowledge(knowledge);
    let mut records = Vec::new();
    let mut dead = 0;
    let winner = loop {
        let position: G = history.position();
        match history.ending() {
            Some(Ending::Win(winner)) => break Some(winner),
            Some(Ending::Draw(_)) => break None,
            None => {}
        }
        if let Some(known) = knowledge.probe(&position, history.quiet_turns(), Rules::Course) {
            break match known.outcome() {
                Wdl::Win => Some(position.turn()),
                Wdl::Draw => None,
                Wdl::Loss => Some(!position.turn()),
            };
        }
        if ply >= G::LONGEST || dead >= DEAD_SEARCHES && history.quiet_turns() >= DEAD_QUIET_TURNS {
            break None;
        }
        let list = position.legal_moves();
        let mut mv = list[0];
        if list.len() > 1 {
            let report = searcher.search(&history, Limits::nodes(nodes), &mut ());
            if report.score.is_decided() {
                break Some(if report.score.is_win() { position.turn() } else { !position.turn() });
            }
            mv = report.best.unwrap_or(mv);
            dead = if report.score.value().abs() <= DEAD_SCORE { dead + 1 } else { 0 };
            records.push(Record {
                pieces: position.pack(),
                turn: position.turn(),
                game,
                score: report.score.value(),
                ply,
                quiet_turns: G::quiet_turns(&history),
                captures: position.has_captures(),
                threatened: position.turned().has_captures(),
                last: false,
                result: GameResult::Drawn,
                depth: u8::try_from(report.depth.0).unwrap_or(u8::MAX),
            });
        }
        history.play(mv);
        ply += 1;
    };
    for record in &mut records {
        record.result = GameResult::of(winner, record.turn);
    }
    if let Some(last) = records.last_mut() {
        last.last = true;
    }
    records
}

/// Plays random turns to a roughly level position. Returns the game and the number of turns.
fn opening<G: Learned>(
    evaluation: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    nodes: u64,
    rng: &mut StdRng,
) -> (History<G>, u16) {
    loop {
        let plies = rng.random_range(G::OPENING);
        let Some(opening) = random_opening::<G>(plies, |moves| rng.random_range(0..moves)) else { continue };
        let searcher = Searcher::new(evaluation.clone()).with_table_limit(TABLE_BYTES);
        let mut searcher = searcher.with_knowledge(knowledge);
        let history = opening.history.under(Rules::Course);
        let report = searcher.search(&history, Limits::nodes(nodes), &mut ());
        if (Score::estimate(-i32::from(G::LEVEL))..=Score::estimate(G::LEVEL.into())).contains(&report.score) {
            return (history, plies as u16);
        }
    }
}
