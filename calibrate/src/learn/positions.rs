//! `calibrate positions`: reports on game files, and selects the positions to learn from.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `inputs` | which files are read |
//! | `census` | what does a file contain |
//! | `choice` | which records are kept |
//! | `outputs` | how are they written |
//! | `report` | what is printed |

mod census;
mod choice;
mod inputs;
mod outputs;
mod report;

use std::path::{Path, PathBuf};

use anyhow::Result;
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};

use super::file::{GameReader, Header};
use super::game_name::packing;
use super::packing::Packing;
use super::record::RECORD_BYTES;
use crate::help::help_end;
use crate::progress::Progress;
use census::{Census, Seen};
use choice::Choice;
use outputs::Outputs;
use report::{FileReport, Report};

/// Counts the contents of game files; merges them, thins them out, or sets part of the games aside.
///
/// Merged games get new 32-bit numbers that depend only on their seed and number. Whichever files are merged, in
/// whatever order, a game gets the same number, and the same games are held out.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct PositionsArguments {
    /// Game in the files.
    #[arg(value_enum)]
    game: GameName,
    /// Game files, or folders with files named *.games.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    inputs: Vec<PathBuf>,
    /// Merge all complete games into FILE.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write part of the games, chosen by seed and number, to FILE instead, to test what was learned from the others.
    #[arg(long, value_name = "FILE", requires = "out")]
    held_out: Option<PathBuf>,
    /// Percentage of games that are held out, 1 to 99. A larger percentage also holds out every game that a smaller one
    /// does.
    #[arg(long, value_name = "N", default_value_t = 5, requires = "held_out", value_parser = clap::value_parser!(u8).range(1..=99))]
    percent: u8,
    /// Keep at most N records of each game, evenly spread.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u16).range(1..))]
    thin: Option<u16>,
    /// Leave out positions that have already been written, held-out ones included. Takes about 20 bytes of memory for
    /// each.
    #[arg(long, requires = "out")]
    unique: bool,
    /// Overwrite existing files, except those that are read.
    #[arg(long, requires = "out")]
    force: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Reads all files, writes the requested ones, and prints the report.
///
/// # Errors
/// Fails if a file cannot be read or written, contains other games, or must not be overwritten.
pub(crate) fn run(arguments: &PositionsArguments) -> Result<()> {
    let packing = packing(arguments.game);
    let inputs = inputs::files(&arguments.inputs)?;
    let headers = inputs.iter().map(|path| Ok(GameReader::open(path, packing)?.header)).collect::<Result<Vec<_>>>()?;
    let mut outputs = open_outputs(arguments, &inputs, &headers)?;
    let mut choice = Choice::new(arguments.thin, arguments.unique);
    let mut progress = Progress::new("records", records_in(&inputs));
    let mut report = Report { files: Vec::new(), all: Census::new(packing), written: Vec::new() };
    let mut seen = Seen::default();
    for path in &inputs {
        let file = look_over(path, packing, &mut seen, &mut progress, |header, game| match &mut outputs {
            Some(outputs) => outputs.add(header.id(game[0].game), choice.of(game)),
            None => Ok(()),
        })?;
        report.all.add(&file.census);
        report.files.push(file);
    }
    drop(progress);
    report.written = outputs.map(Outputs::finish).transpose()?.unwrap_or_default();
    if arguments.json { stdout_json(serde_json::to_string(&report)?) } else { stdout_line(&report) }
}

/// Opens the files to write, if there are any.
fn open_outputs(arguments: &PositionsArguments, inputs: &[PathBuf], headers: &[Header]) -> Result<Option<Outputs>> {
    let (Some(out), Some(first)) = (&arguments.out, headers.first()) else { return Ok(None) };
    let header = headers.iter().fold(first.clone(), |merged, header| merged.merged_with(header));
    let held_out = arguments.held_out.as_deref();
    let paths: Vec<&Path> = [out.as_path()].into_iter().chain(held_out).collect();
    inputs::check_outputs(&paths, inputs, arguments.force)?;
    Outputs::new(out, held_out.map(|path| (path, arguments.percent)), &header).map(Some)
}

/// Reads a file to its end. Counts its games, and passes each to `hand_out`.
fn look_over(
    path: &Path,
    packing: &'static Packing,
    seen: &mut Seen,
    progress: &mut Progress,
    mut hand_out: impl FnMut(&Header, &[super::record::Record]) -> Result<()>,
) -> Result<FileReport> {
    /// Number of records between two updates of the bar.
    const STEP: u64 = 1 << 16;
    let mut reader = GameReader::open(path, packing)?;
    let header = reader.header.clone();
    let mut census = Census::new(packing);
    let mut shown = 0;
    while let Some(game) = reader.next()? {
        census.count(game, packing, seen);
        hand_out(&header, game)?;
        if reader.count() >= shown + STEP {
            progress.advance((reader.count() - shown) as usize, "");
            shown = reader.count();
        }
    }
    progress.advance((reader.count() - shown) as usize, "");
    census.skip(&reader.skipped());
    Ok(FileReport { path: path.to_owned(), header, census, faults: reader.skipped().faults })
}

fn records_in(inputs: &[PathBuf]) -> usize {
    let bytes = inputs.iter().filter_map(|path| path.metadata().ok()).map(|metadata| metadata.len());
    (bytes.sum::<u64>() / RECORD_BYTES as u64) as usize
}
