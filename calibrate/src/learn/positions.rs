//! `calibrate positions`: reports on game files, and selects the positions to learn from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kingline_players::files::{FileId, FileKind, NewFile, check_target};
use kingline_players::game_name::GameName;
use kingline_players::help::GuidePage;
use kingline_players::progress::Progress;

use super::census::{Census, FileReport, Report, Seen, Written};
use super::file::Header;
use super::game::view;
use super::reader::GameReader;
use super::record::{RECORD_BYTES, Record};
use crate::options::{JsonOption, help_end};

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
    /// Leave out positions that have already been written, held-out ones included. Takes about 40 bytes of memory for
    /// each.
    #[arg(long, requires = "out")]
    unique: bool,
    /// Overwrite existing files, except those that are read.
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    json: JsonOption,
}

/// Reads all files, writes the requested ones, and prints the report.
///
/// # Errors
/// Fails if a file cannot be read or written, contains other games, or must not be overwritten.
pub(crate) fn run(arguments: &PositionsArguments) -> Result<()> {
    /// Number of records between two updates of the bar.
    const STEP: u64 = 1 << 16;
    let view = view(arguments.game);
    let inputs = input_files(&arguments.inputs)?;
    let headers = inputs.iter().map(|path| Ok(GameReader::open(path, view)?.header)).collect::<Result<Vec<_>>>()?;
    let mut outputs = open_outputs(arguments, &inputs, &headers)?;
    let mut choice = Choice::new(arguments.thin, arguments.unique);
    let bytes: u64 = inputs.iter().filter_map(|path| path.metadata().ok()).map(|metadata| metadata.len()).sum();
    let mut progress = Progress::new("records", bytes as usize / RECORD_BYTES);
    let mut report = Report { files: Vec::new(), all: Census::new(view), written: Vec::new() };
    let mut seen = Seen::default();
    for (path, header) in inputs.into_iter().zip(headers) {
        let mut reader = GameReader::open(&path, view)?;
        let mut census = Census::new(view);
        let mut shown = 0;
        while let Some(game) = reader.next()? {
            let is_new: Vec<bool> = game.iter().map(|record| seen.insert(record)).collect();
            [&mut census, &mut report.all].into_iter().for_each(|census| census.count(game, &is_new, view));
            if let Some(outputs) = &mut outputs {
                outputs.add(header.id(game[0].game), choice.of(game))?;
            }
            if reader.count() >= shown + STEP {
                progress.advance((reader.count() - shown) as usize, "");
                shown = reader.count();
            }
        }
        progress.advance((reader.count() - shown) as usize, "");
        let skipped = reader.skipped();
        [&mut census, &mut report.all].into_iter().for_each(|census| census.skip(&skipped));
        report.files.push(FileReport { path, header, census, faults: skipped.faults });
    }
    drop(progress);
    report.written = outputs.map(Outputs::finish).transpose()?.unwrap_or_default();
    arguments.json.print(&report)
}

fn open_outputs(arguments: &PositionsArguments, inputs: &[PathBuf], headers: &[Header]) -> Result<Option<Outputs>> {
    let (Some(out), Some(first)) = (&arguments.out, headers.first()) else { return Ok(None) };
    let header = headers.iter().fold(first.clone(), |merged, header| merged.merged_with(header));
    let held_out = arguments.held_out.as_deref();
    let paths: Vec<&Path> = [out.as_path()].into_iter().chain(held_out).collect();
    check_outputs(&paths, inputs, arguments.force)?;
    Outputs::new(out, held_out.map(|path| (path, arguments.percent)), &header).map(Some)
}

/// Returns the files in `inputs`, and the game files in its folders, sorted by name.
///
/// # Errors
/// Fails if a folder cannot be read or contains no game files, or a file is given twice.
fn input_files(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for input in inputs {
        if input.is_dir() {
            files.extend(in_folder(input)?);
        } else {
            files.push(input.clone());
        }
    }
    let mut known = Vec::new();
    for file in &files {
        fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
        let id = FileId::of(file);
        ensure!(id.is_none() || !known.contains(&id), "{} is named twice: its games would count twice", file.display());
        known.push(id);
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "games") {
            files.push(path);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "{}: found no game files, expected files named *.games", folder.display());
    Ok(files)
}

/// Checks that these files may be written.
///
/// # Errors
/// Fails if a file is also read, is given twice, exists and may not be overwritten, or has no folder.
fn check_outputs(outputs: &[&Path], inputs: &[PathBuf], may_overwrite: bool) -> Result<()> {
    /// With `--force`, a file of any kind is replaced.
    const ANYTHING: FileKind = FileKind { name: "a file", is_start: |_| true };
    let mut known: Vec<_> = inputs.iter().map(|path| FileId::of(path)).collect();
    for output in outputs {
        let name = output.display();
        let id = FileId::of(output);
        ensure!(id.is_none() || !known.contains(&id), "{name} is read or written already: expected another file");
        if !may_overwrite && output.symlink_metadata().is_ok() {
            bail!("{name} exists: expected a new file, or --force to overwrite it");
        }
        check_target(output, ANYTHING)?;
        known.push(id);
    }
    Ok(())
}

/// Rule for choosing records, and the positions chosen so far.
struct Choice {
    /// Largest number of records per game.
    most: usize,
    /// Positions chosen so far, if each is chosen only once.
    unique: Option<Seen>,
}

impl Choice {
    fn new(thin: Option<u16>, unique: bool) -> Choice {
        Choice { most: thin.map_or(usize::MAX, usize::from), unique: unique.then(Seen::default) }
    }

    /// Returns the records to keep from this game. The last of them is marked as the end of the game.
    fn of(&mut self, game: &[Record]) -> Vec<Record> {
        let Choice { most, unique } = self;
        let mut kept = match unique {
            None => spread(game, *most),
            Some(known) => {
                let mut own = Seen::default();
                let new = |record: &&Record| !known.contains(record) && own.insert(record);
                let kept = spread(&game.iter().filter(new).copied().collect::<Vec<_>>(), *most);
                kept.iter().for_each(|record| _ = known.insert(record));
                kept
            }
        };
        let count = kept.len();
        kept.iter_mut().enumerate().for_each(|(place, record)| record.last = place + 1 == count);
        kept
    }
}

/// Returns at most `most` records: splits the game into that many equal parts and takes the middle record of each.
fn spread(records: &[Record], most: usize) -> Vec<Record> {
    let (count, kept) = (records.len(), records.len().min(most));
    (0..kept).map(|part| records[(2 * part + 1) * count / (2 * kept)]).collect()
}

/// Files to write. None of them exists before [`Outputs::finish`].
struct Outputs {
    merged: Output,
    /// File for the held-out games, and their percentage.
    held_out: Option<(Output, u8)>,
}

struct Output {
    file: NewFile,
    written: Written,
}

impl Outputs {
    fn new(merged: &Path, held_out: Option<(&Path, u8)>, header: &Header) -> Result<Outputs> {
        let held_out = held_out.map(|(path, percent)| Ok::<_, anyhow::Error>((Output::new(path, header)?, percent)));
        Ok(Outputs { merged: Output::new(merged, header)?, held_out: held_out.transpose()? })
    }

    /// Adds the chosen records of the game with this id.
    fn add(&mut self, id: u32, game: Vec<Record>) -> Result<()> {
        match &mut self.held_out {
            Some((output, percent)) if is_held_out(id, *percent) => output.add(id, game),
            _ => self.merged.add(id, game),
        }
    }

    /// Moves the files into place once all of them are complete, since the games in one are missing from the other.
    fn finish(self) -> Result<Vec<Written>> {
        let held_out = self.held_out.map(|(output, _)| output);
        let mut outputs: Vec<Output> = [self.merged].into_iter().chain(held_out).collect();
        outputs.iter_mut().try_for_each(|output| output.file.sync())?;
        outputs.into_iter().map(|Output { file, written }| file.finish().map(|()| written)).collect()
    }
}

impl Output {
    fn new(path: &Path, header: &Header) -> Result<Output> {
        let mut file = NewFile::create(path)?;
        file.write(header.to_text().as_bytes())?;
        Ok(Output { file, written: Written { path: path.to_owned(), games: 0, positions: 0 } })
    }

    fn add(&mut self, id: u32, game: Vec<Record>) -> Result<()> {
        self.written.games += u64::from(!game.is_empty());
        self.written.positions += game.len() as u64;
        game.into_iter().try_for_each(|record| self.file.write(&Record { game: id, ..record }.to_bytes()))
    }
}

/// True if a game is held out: its id is in the lowest `percent` hundredths of all ids.
fn is_held_out(id: u32, percent: u8) -> bool {
    (u64::from(id) * 100) >> 32 < percent.into()
}
