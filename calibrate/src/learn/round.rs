//! `calibrate round`: learns an evaluation from end to end, and compares it with the one it started from.

use std::fs;
use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::evaluate::checkers::{BLOCKS, Feature, PLACES, is_man};
use kingline::evaluate::loa::quads;
use kingline::evaluate::network::{HIDDEN_ONE, OUTPUT_ONE, Weights};
use kingline::{checkers, loa};
use kingline_players::files::{FileKind, UsedFile, check_different, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;
use serde::Serialize;

use super::fit::{self, FitArguments, FitOptions, LearnedWeights};
use super::game::{Learned, View, view};
use super::selfplay::{self, PlayedGames, SelfplayArguments, checksum_of};
use crate::matches::checkers::CheckersPlayer;
use crate::matches::loa::LoaPlayer;
use crate::matches::{EloPair, Match, MatchReport, Player, Sprt};
use crate::options::{Shard, ThreadsOption, help_end, number};

/// Name of the file with the default initial weights.
const ZERO: &str = "zero.weights";

/// Runs a round of learning from end to end: games, weights, and a match against the weights that played.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct RoundArguments {
    /// Game to learn.
    #[arg(value_enum, default_value = "checkers")]
    game: GameName,
    /// Folder for all files of the round. Games already in it are not played again.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Weights file to play the games with. Default: weights that only count pieces, or in Lines of Action those that touch.
    #[arg(long, value_name = "FILE")]
    begin: Option<PathBuf>,
    /// Game files from earlier rounds, to learn from as well.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    also: Vec<PathBuf>,
    /// Number of games to learn from.
    #[arg(long, value_name = "N", default_value_t = 6000)]
    games: u32,
    /// Nodes per search, in the games to learn from and in the match.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    #[command(flatten)]
    options: FitOptions,
    /// Largest number of openings in the match; each is played twice.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    openings: usize,
    /// Expected gain in Elo. The match ends once a sequential test accepts this gain, or a gain of 0.
    #[arg(long, value_name = "ELO", default_value_t = 20.0, value_parser = number(Excluded(0.0), Included(1000.0)))]
    elo: f64,
    /// Seed for games, weights and openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A round of learning, in history.json: how to repeat it, and its gain. Checksums are sixteen hexadecimal digits.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct History<'a> {
    /// The game: checkers, loa or loa6.
    game: &'static str,
    /// Checksum of the weights that played.
    began_with: String,
    /// Seed.
    seed: u64,
    /// Nodes of each search.
    nodes: u64,
    /// Games to learn from.
    games: u32,
    /// Their positions.
    positions: u64,
    /// Checksums of all game files.
    data: Vec<String>,
    learned: LearnedWeights,
    /// Checksum of the learned weights.
    weights: String,
    /// Match against the weights that the round began with.
    #[serde(rename = "match")]
    played: &'a MatchReport,
}

pub(crate) fn run(arguments: &RoundArguments) -> Result<()> {
    let &RoundArguments { game, ref folder, games, nodes, seed, options, .. } = arguments;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (output, history_path) = (folder.join("learned.weights"), folder.join("history.json"));
    check_outputs(arguments, &output, &history_path)?;
    let begin = match &arguments.begin {
        Some(path) => path.clone(),
        None => {
            let path = folder.join(ZERO);
            write_whole(&path, &initial_weights(game))?;
            path
        }
    };
    let PlayedGames { path, games: played, positions } = selfplay::play_missing(&SelfplayArguments {
        game,
        folder: folder.clone(),
        games,
        nodes,
        seed,
        shard: Shard { number: 1, of: 1 },
        evaluation: Some(begin.clone()),
        threads: ThreadsOption::default(),
    })?;
    stdout_line(format_args!("{played} games, {positions} positions"))?;
    let files: Vec<PathBuf> = arguments.also.iter().cloned().chain([path]).collect();
    let learned = fit::learn(&FitArguments {
        game,
        games: files.clone(),
        output: output.clone(),
        options,
        seed,
        threads: ThreadsOption::default(),
    })?;
    let files_of_match = [&*output, &*begin];
    let report = match game {
        GameName::Checkers => {
            compare::<checkers::Position, _>(arguments, files_of_match, CheckersPlayer::with_evaluation)?
        }
        GameName::Loa => compare::<loa::Position<8>, _>(arguments, files_of_match, LoaPlayer::with_evaluation)?,
        GameName::Loa6 => compare::<loa::Position<6>, _>(arguments, files_of_match, LoaPlayer::with_evaluation)?,
    };
    let history = History {
        game: game.word(),
        began_with: checksum_of(&begin)?,
        seed,
        nodes,
        games: played,
        positions,
        data: files.iter().map(|file| checksum_of(file)).collect::<Result<_>>()?,
        learned,
        weights: checksum_of(&output)?,
        played: &report,
    };
    write_whole(&history_path, (serde_json::to_string_pretty(&history)? + "\n").as_bytes())?;
    stdout_line(report)?;
    stdout_line(format_args!("{} written", history_path.display()))
}

/// Plays the evaluations in two files against each other, with equal node limits, each in the player that `with` returns.
fn compare<G: Learned, P: Player>(
    arguments: &RoundArguments,
    [first, second]: [&Path; 2],
    with: fn(G::Evaluation, u64) -> P,
) -> Result<MatchReport> {
    let &RoundArguments { nodes, openings, seed, elo, .. } = arguments;
    let [first, second] = [with(G::evaluation(Some(first))?, nodes), with(G::evaluation(Some(second))?, nodes)];
    let openings = P::openings_of_match(openings, seed);
    let sprt = Some(Sprt { elo: EloPair { elo0: 0.0, elo1: elo }, alpha: 0.05, beta: 0.05 });
    let threads = ThreadsOption::default().threads();
    Match { openings: &openings, threads, title: "match", sprt, record: None }.between([&first, &second])
}

/// Checks before the first game that the round replaces only files from an earlier round, and none of its inputs.
fn check_outputs(arguments: &RoundArguments, output: &Path, history: &Path) -> Result<()> {
    const HISTORY: FileKind = FileKind {
        name: "the history of a round",
        is_start: |start| String::from_utf8_lossy(start).contains("\"began_with\""),
    };
    let RoundArguments { game, folder, begin, also, .. } = arguments;
    check_target(history, HISTORY)?;
    fit::check_output(output)?;
    if begin.is_none() {
        check_target(&folder.join(ZERO), fit::WEIGHTS)?;
    }
    let games = selfplay::path_of(*game, folder, Shard { number: 1, of: 1 });
    let begin = begin.iter().map(|path| UsedFile::named("--begin", path));
    let also = also.iter().map(|path| UsedFile::named("--also", path));
    let written = [("the round's games", &*games), ("the round's weights", output)];
    check_different(&begin.chain(also).collect::<Vec<_>>(), &written.map(|(role, path)| UsedFile::named(role, path)))
}

/// Returns the initial weights of a game. In checkers, a man is worth 100 and a king 125. In Lines of Action, each
/// quad in which own pieces touch is worth 25.
fn initial_weights(game: GameName) -> Vec<u8> {
    match game {
        GameName::Checkers => counting(view(game), [MAN, 100], material),
        GameName::Loa => counting(view(game), [1, 25], |feature| touching(8, feature)),
        GameName::Loa6 => counting(view(game), [1, 25], |feature| touching(6, feature)),
    }
}

/// Weight of a man in neuron 0. A lead of 12 kings fits the neuron's range.
const MAN: i16 = 8;
const KING: i16 = 10;

/// Returns the weight of a checkers feature: the sum over its pieces. Columns weigh nothing, since blocks hold each piece
/// once.
fn material(number: usize) -> i16 {
    let worth = |place: usize| {
        let piece = if is_man(place) { MAN } else { KING };
        if place < PLACES / 2 { piece } else { -piece }
    };
    let feature = Feature::numbered(number);
    if feature.tile < BLOCKS { feature.places().map(worth).sum() } else { 0 }
}

/// Returns 1 for a quad in which own pieces touch, -1 for one in which the other side's pieces do, 0 for both or neither.
fn touching(n: usize, feature: usize) -> i16 {
    let touch = |is_own: bool| quads::places(n, feature).filter(|place| (*place < 64) == is_own).count() > 1;
    i16::from(touch(true)) - i16::from(touch(false))
}

/// Returns a network whose value is the lead in the sum of the features' weights; a lead of `lead` is worth `worth`.
///
/// Entry 0 of a side's accumulator is 1/2 plus its lead, so that the squares of both sides differ by twice the lead.
fn counting(view: &View, [lead, worth]: [i16; 2], weight: impl Fn(usize) -> i16) -> Vec<u8> {
    let first = |number: i16| {
        let mut row = vec![0; view.hidden];
        row[0] = number;
        row
    };
    let inputs: Vec<_> = (0..view.shape.inputs).map(|feature| first(weight(feature))).collect();
    let buckets = vec![(first(OUTPUT_ONE), first(-OUTPUT_ONE), 0); view.buckets];
    let unit = i32::from(worth) * i32::from(HIDDEN_ONE) / (2 * i32::from(lead));
    Weights {
        game: view.shape.game,
        unit: unit as i16,
        inputs: &inputs,
        biases: &vec![first(HIDDEN_ONE / 2); view.stages],
        buckets: &buckets,
        direct: &vec![0; view.shape.direct],
    }
    .to_bytes()
}
