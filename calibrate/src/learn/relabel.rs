//! `calibrate relabel`: searches the positions of some games again, with more nodes, and replaces their scores.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::checkers;
use kingline::game::{Evaluator, History, Knowledge, Rules};
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa;
use kingline::search::{Limits, Searcher};
use kingline_players::exit::BadInput;
use kingline_players::files::{UsedFile, check_different};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;
use kingline_players::terminal::stdout_line;

use super::file::{GameWriter, HEADER_BYTES, Header};
use super::game::Learned;
use super::reader::GameReader;
use super::record::{RECORD_BYTES, Record};
use super::selfplay::{TABLE_BYTES, evaluation_name};
use crate::options::{ThreadsOption, help_end};

/// Number of games between two writes.
const BATCH: usize = 256;
/// Largest score in a record, in the evaluation's unit: a win is worth no more, since equal positions get the mean of
/// their scores.
pub(super) const MOST_SCORE: i16 = 1000;

/// Searches the quiet positions of some games again, with more nodes, and replaces their scores.
///
/// The file written has all games, so it is used instead of the one read. Each position is searched without the turns
/// before it. The same command continues an interrupted run.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct RelabelArguments {
    /// Game in the file.
    #[arg(value_enum)]
    game: GameName,
    /// Game file, as written by `calibrate selfplay`.
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Game file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Percentage of games to search again, chosen by seed and number. A larger percentage has every game that a smaller
    /// one has.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=100))]
    percent: u8,
    /// Nodes per search.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Also search the positions in which the side to move can capture. `calibrate fit` does not learn from these in
    /// checkers.
    #[arg(long)]
    captures: bool,
    /// Search with the evaluation in FILE. Default: the embedded one.
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
}

pub(crate) fn run(arguments: &RelabelArguments) -> Result<()> {
    match arguments.game {
        GameName::Checkers => relabel::<checkers::Position>(arguments),
        GameName::Loa => relabel::<loa::Position<8>>(arguments),
        GameName::Loa6 => relabel::<loa::Position<6>>(arguments),
    }
}

fn relabel<G: Learned>(arguments: &RelabelArguments) -> Result<()> {
    let RelabelArguments { games: path, output, percent, nodes, captures, evaluation, threads, .. } = arguments;
    check_different(&[UsedFile::named("the games", path)], &[UsedFile::named("--output", output)])?;
    let mut reader = GameReader::open(path, G::VIEW)?;
    let header = reader.header.clone();
    let evaluator = G::evaluation(evaluation.as_deref())?;
    let name = evaluation_name::<G>(evaluation.as_deref())?;
    // The id of a game, and whether it is held out, stays the same.
    let positions = if *captures { " with captures" } else { "" };
    let evaluation = format!("{}; {percent} % of the games{positions} by {name} at {nodes} nodes", header.evaluation);
    let new_header = Header { nodes: None, evaluation, ..header.clone() };
    ensure!(
        new_header.to_text().len() == HEADER_BYTES,
        BadInput::new(format!(
            "{}: its games were searched again too often; expected those of selfplay",
            path.display()
        ))
    );
    let (mut writer, found) = GameWriter::open(output, &new_header)?;
    let mut progress = Progress::new("records", path.metadata()?.len() as usize / RECORD_BYTES);
    let mut written = 0;
    loop {
        let mut batch: Vec<Vec<Record>> = Vec::new();
        while batch.len() < BATCH
            && let Some(game) = reader.next()?
        {
            written += game.len() as u64;
            if written > found.records {
                batch.push(game.to_vec());
            } else {
                progress.skip(game.len());
            }
        }
        if batch.is_empty() {
            break;
        }
        let done = threads.threads().map(&batch, |game| {
            let is_chosen = (header.id(game[0].game) >> 8) % 100 < u32::from(*percent);
            if !is_chosen {
                return Ok(game.clone());
            }
            let tables = Tablebase::with_embedded(None);
            let is_searched = |record: &Record| *captures || !record.captures;
            Ok(searched_again::<G>(game, is_searched, &evaluator, G::knowledge(&tables), *nodes))
        })?;
        for game in done {
            writer.add(&game)?;
            progress.advance(game.len(), "");
        }
    }
    reader.check("the other games were written")?;
    ensure!(written > 0, BadInput::new(format!("{}: found no games", path.display())));
    drop(progress);
    stdout_line(format_args!("{}: {written} positions", output.display()))
}

/// Returns the records of a game with the scores and depths of new searches, where `is_searched`.
fn searched_again<G: Learned>(
    game: &[Record],
    is_searched: impl Fn(&Record) -> bool,
    evaluator: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    nodes: u64,
) -> Vec<Record> {
    let mut searcher = Searcher::new(evaluator.clone()).with_table_limit(TABLE_BYTES).with_knowledge(knowledge);
    let again = |record: &Record| {
        let position = G::unpack(record.turn, record.pieces).filter(|_| is_searched(record));
        let Some(position) = position else { return *record };
        let report = searcher.search(History::new(position).under(Rules::Course), Limits::nodes(nodes), &mut ());
        let score = report.score.value().clamp(-MOST_SCORE, MOST_SCORE);
        Record { score, depth: u8::try_from(report.depth.0).unwrap_or(u8::MAX), ..*record }
    };
    game.iter().map(again).collect()
}
