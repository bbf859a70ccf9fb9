//! `calibrate round`: learns an evaluation from end to end, and compares it with the one it started from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::{checkers, loa};
use kingline_players::files::{FileKind, UsedFile, check_different, check_target, write_whole};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;
use serde::Serialize;

use super::fit::{self, FitArguments, FitOptions, LearnedWeights};
use super::game::Learned;
use super::selfplay::{self, PlayedGames, SelfplayArguments, checksum_of};
use super::zero;
use crate::help::help_end;
use crate::matches::MatchReport;
use crate::matches::compare::{self, Comparison};
use crate::shard::Shard;

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
    #[arg(long, value_name = "ELO", default_value_t = 20.0)]
    elo: f64,
    /// Seed for games, weights and openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// History of a round: how to repeat it, and its gain.
#[derive(Serialize)]
struct History<M> {
    game: &'static str,
    /// Checksum of the weights that played.
    began_with: String,
    seed: u64,
    nodes: u64,
    games: u32,
    positions: u64,
    /// Checksums of all game files.
    data: Vec<String>,
    learned: LearnedWeights,
    /// Checksum of the learned weights.
    weights: String,
    /// Match against the weights that the round began with.
    #[serde(rename = "match")]
    played: M,
}

/// Plays games, learns from them, and plays a match between the learned and the initial weights.
///
/// # Errors
/// Fails if a file cannot be read or written, or contains other games.
pub(crate) fn run(arguments: &RoundArguments) -> Result<()> {
    let &RoundArguments { game, ref folder, games, nodes, openings, elo, seed, options, .. } = arguments;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (output, history_path) = (folder.join("learned.weights"), folder.join("history.json"));
    check_outputs(arguments, &output, &history_path)?;
    let begin = match &arguments.begin {
        Some(path) => path.clone(),
        None => {
            let path = folder.join(ZERO);
            write_whole(&path, &zero::weights(game))?;
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
        threads: None,
    })?;
    stdout_line(format_args!("{played} games, {positions} positions"))?;
    let files: Vec<PathBuf> = arguments.also.iter().cloned().chain([path]).collect();
    let learned =
        fit::learn(&FitArguments { game, games: files.clone(), output: output.clone(), options, seed, threads: None })?;
    let report = play_match(game, [&output, &begin], Comparison { nodes, openings, seed, elo })?;
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
        played: report.figures(),
    };
    write_whole(&history_path, (serde_json::to_string_pretty(&history)? + "\n").as_bytes())?;
    stdout_line(report)?;
    stdout_line(format_args!("{} written", history_path.display()))
}

/// Plays the evaluations in two files against each other.
fn play_match(game: GameName, files: [&Path; 2], comparison: Comparison) -> Result<MatchReport> {
    match game {
        GameName::Checkers => compare::checkers(both::<checkers::Position>(files)?, comparison),
        GameName::Loa => compare::loa(both::<loa::Position<8>>(files)?, comparison),
        GameName::Loa6 => compare::loa(both::<loa::Position<6>>(files)?, comparison),
    }
}

fn both<G: Learned>([first, second]: [&Path; 2]) -> Result<[G::Evaluation; 2]> {
    Ok([G::evaluation(Some(first))?, G::evaluation(Some(second))?])
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
