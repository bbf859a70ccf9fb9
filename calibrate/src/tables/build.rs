//! Builds an endgame table file. Until it is complete, a [batch file](crate::batch_file) beside it keeps the finished
//! parts, for the next run.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use kingline::clock::Clock;
use kingline::knowledge::checksum;
use kingline::knowledge::tablebase::build::{self, Census, SolvedValues, numbers};
use kingline::knowledge::tablebase::{LONGEST, MAGIC, Material};
use kingline_players::figures::Figure;
use kingline_players::files::{FileKind, check_target, write_synced};
use kingline_players::progress::Progress;
use kingline_players::terminal::{in_thousands, stderr_line, stdout_json, stdout_line};
use kingline_players::threads::Threads;
use serde::Serialize;

use super::TablePlan;
use crate::batch_file::{BatchFile, Format};
use crate::calibration::{self, Naming};

const TABLES: FileKind = FileKind { name: "an endgame table file", is_start: |start| start.starts_with(MAGIC) };

/// Writes a plan's tables to a file, names the file in calibration.txt if requested, and prints its contents. Returns
/// the cost, or `None` if an interrupted build did part of the work.
///
/// # Errors
/// Fails if a file cannot be written. The file at `path` is then unchanged, and the parts are kept for the next run.
pub(super) fn run(
    plan: &TablePlan,
    threads: Threads,
    path: &Path,
    naming: Option<Naming>,
    json: bool,
) -> Result<Option<Figure>> {
    check_target(path, TABLES)?;
    let parts = SavedParts::beside(path)?;
    let is_whole = parts.lock().found.is_empty();
    let values = solve(plan, threads, Some(&parts))?;
    let solved = Clock::Process.now();
    let sections = compress(plan, &values, threads, &parts)?;
    let compressed = Clock::Process.now();
    let file = build::file(&sections);
    write_synced(path, &[&file])?;
    parts.remove();
    let checksum = format!("{:016x}", checksum(&file));
    let written = WrittenFile { path: path.display().to_string(), bytes: file.len(), checksum };
    let cpu_seconds = CpuSeconds {
        solving: solved.as_secs_f64(),
        compressing: (compressed - solved).as_secs_f64(),
        in_all: Clock::Process.now().as_secs_f64(),
    };
    let report = BuildReport { groups: groups(plan, &values), file: written, cpu_seconds };
    let figure = is_whole.then(|| report.figure(plan));
    let named = naming.map(Naming::write).transpose();
    if json {
        stdout_json(serde_json::to_string(&report)?)?;
        return named.map(|_| figure);
    }
    stdout_line(report)?;
    match (named?, calibration::naming_line(path)) {
        (Some(calibration), _) => stdout_line(format_args!("named in {}", calibration.display())),
        (None, Ok(line)) => stdout_line(format_args!("line for calibration.txt: {line}")),
        (None, Err(error)) => stdout_line(format_args!("calibration.txt cannot name it: {error:#}")),
    }?;
    Ok(figure)
}

/// Solves all materials of a plan whose values are not among the parts.
pub(super) fn solve(plan: &TablePlan, threads: Threads, parts: Option<&SavedParts>) -> Result<SolvedValues> {
    let mut values = SolvedValues::new();
    let mut taken_over = 0;
    let total = plan.solved.iter().map(|&material| numbers(material) as usize).sum();
    let mut progress = Progress::new("solving", total);
    for &material in &plan.solved {
        progress.advance(0, &material.to_string());
        if !values.has(material) {
            // These two are solved together.
            let mut pair = vec![material, material.swapped()];
            pair.dedup();
            // Refused values are solved again.
            let is_saved = pair.iter().all(|&material| {
                let saved = parts.and_then(|parts| parts.take(Part::Values(material)));
                saved.is_some_and(|bytes| values.insert(material, bytes).is_ok())
            });
            if is_saved {
                taken_over += pair.len();
            } else {
                values.solve(material, threads.count, &mut |plies| {
                    progress.advance(0, &format!("{material}, {plies} of {LONGEST} plies"));
                })?;
                if let Some(parts) = parts {
                    let mut saved = pair.iter().map(|&it| parts.save(Part::Values(it), &values.to_bytes(it)));
                    saved.try_for_each(|saved| saved)?;
                }
            }
        }
        progress.advance(numbers(material) as usize, &material.to_string());
    }
    drop(progress);
    if taken_over > 0 {
        stderr_line(format_args!("{taken_over} of {} materials were already solved", plan.solved.len()));
    }
    Ok(values)
}

/// Returns the sections of the wanted materials in their order. Compresses the largest ones first.
fn compress(
    plan: &TablePlan,
    values: &SolvedValues,
    threads: Threads,
    parts: &SavedParts,
) -> Result<Vec<(Material, Vec<u8>)>> {
    let mut largest_first = plan.wanted.clone();
    largest_first.sort_by_key(|&material| Reverse(numbers(material)));
    let total = plan.wanted.iter().map(|&material| numbers(material) as usize).sum();
    let progress = Mutex::new(Progress::new("compressing", total));
    let is_saved = |&&material: &&Material| parts.lock().found.contains_key(&Part::Section(material).key());
    let taken_over = plan.wanted.iter().filter(is_saved).count();
    let mut sections = threads.map(&largest_first, |&material| {
        let part = Part::Section(material);
        let section = match parts.take(part) {
            Some(section) => section,
            None => {
                let section = build::section(values, material);
                parts.save(part, &section)?;
                section
            }
        };
        if let Ok(mut progress) = progress.lock() {
            progress.advance(numbers(material) as usize, &material.to_string());
        }
        Ok((material, section))
    })?;
    drop(progress);
    if taken_over > 0 {
        stderr_line(format_args!("{taken_over} of {} materials were already compressed", plan.wanted.len()));
    }
    sections.sort_by_key(|(material, _)| plan.wanted.iter().position(|wanted| wanted == material));
    Ok(sections)
}

#[derive(Clone, Copy)]
enum Part {
    /// Exact values of a material, a byte each.
    Values(Material),
    /// Compressed section of a material.
    Section(Material),
}

pub(super) struct SavedParts {
    path: PathBuf,
    state: Mutex<PartsState>,
}

struct PartsState {
    file: BatchFile,
    /// Parts that earlier runs left and this one has not taken.
    found: HashMap<String, Vec<u8>>,
}

/// Bytes of the key at the end of each part.
const KEY: usize = 16;

impl Part {
    /// Returns what a part ends with: `mK-K.values` and blanks.
    fn key(self) -> String {
        let name = match self {
            Part::Values(material) => format!("{material}.values"),
            Part::Section(material) => format!("{material}.section"),
        };
        format!("{name:KEY$}")
    }
}

impl SavedParts {
    fn beside(file: &Path) -> Result<SavedParts> {
        let mut name = file.file_name().context("--output: expected a file name")?.to_os_string();
        name.push(".parts");
        let path = file.with_file_name(name);
        let mut found = HashMap::new();
        let format = Format { title: "kingline tables 2".to_owned(), record: 1, is_replaceable: true };
        let file = BatchFile::open(&path, format, |mut bytes| {
            let length = bytes.len().checked_sub(KEY).context("found a part without its key")?;
            let key = String::from_utf8_lossy(&bytes.split_off(length)).into_owned();
            found.insert(key, bytes);
            Ok(())
        })?;
        Ok(SavedParts { path, state: Mutex::new(PartsState { file, found }) })
    }

    fn lock(&self) -> MutexGuard<'_, PartsState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, part: Part) -> Option<Vec<u8>> {
        self.lock().found.remove(&part.key())
    }

    fn save(&self, part: Part, bytes: &[u8]) -> Result<()> {
        self.lock().file.append(&[bytes, part.key().as_bytes()].concat())
    }

    /// Deletes the file, or warns that it stays.
    fn remove(self) {
        drop(self.state);
        if let Err(error) = fs::remove_file(&self.path) {
            stderr_line(format_args!("warning: cannot remove {}: {error}", self.path.display()));
        }
    }
}

/// Built endgame tables: the output of `calibrate tables --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct BuildReport {
    /// Positions by the numbers of pieces.
    groups: Vec<GroupCensus>,
    file: WrittenFile,
    cpu_seconds: CpuSeconds,
}

/// Positions of a [`group`] of materials, counted by value.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct GroupCensus {
    /// Number of pieces, or numbers of both sides: `3v2`.
    pieces: String,
    /// Positions.
    positions: u64,
    /// Positions that the side to move wins.
    won: u64,
    /// Drawn positions.
    drawn: u64,
    /// Positions that the side to move loses.
    lost: u64,
    /// Longest distance to a zeroing turn, in plies.
    longest: u16,
    /// Drawn positions that a side wins if quiet turns do not draw the game.
    cursed: u64,
    /// Longest distance of these, in plies.
    longest_cursed: u16,
}

/// A written file.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct WrittenFile {
    /// Path.
    path: String,
    /// Length.
    bytes: usize,
    /// Checksum of the whole file as the library computes it: sixteen hexadecimal digits.
    checksum: String,
}

/// CPU time of all threads, user and system, in seconds.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct CpuSeconds {
    /// Solving positions.
    solving: f64,
    /// Compressing values.
    compressing: f64,
    /// The whole command.
    in_all: f64,
}

/// Counts all solved positions by group.
fn groups(plan: &TablePlan, values: &SolvedValues) -> Vec<GroupCensus> {
    let mut sums: Vec<(String, Census)> = Vec::new();
    for &material in &plan.solved {
        let (name, census) = (group(material), values.census(material));
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.and(census),
            None => sums.push((name, census)),
        }
    }
    let group = |(pieces, sum): (String, Census)| {
        let Census { won, drawn, lost, longest, cursed, longest_cursed } = sum;
        GroupCensus { pieces, positions: sum.positions(), won, drawn, lost, longest, cursed, longest_cursed }
    };
    sums.into_iter().map(group).collect()
}

/// Returns the group that a material is counted in: its number of pieces or, for five or more pieces, the sizes of its
/// sides, the larger first, e.g. `3v2`.
fn group(material: Material) -> String {
    let (own, theirs) = (material.own(), material.theirs());
    match material.pieces() {
        pieces @ ..=4 => pieces.to_string(),
        _ => format!("{}v{}", own.max(theirs), own.min(theirs)),
    }
}

impl BuildReport {
    /// Returns the cost of the build, and the size of its file.
    fn figure(&self, plan: &TablePlan) -> Figure {
        let (seconds, megabytes) = (self.cpu_seconds.in_all, self.file.bytes as f64 / 1e6);
        let measured = format!("{seconds:.1} CPU seconds; {megabytes:.1} MB");
        let figure = Figure::new(format!("endgame tables of {}, built", plan.name), measured);
        match plan.name.as_str() {
            "three against three" => figure.against("at most 600 CPU seconds", seconds <= 600.0),
            "up to 5 pieces" => figure.against("at most 60 CPU seconds; 6 MB", seconds <= 60.0 && megabytes <= 6.0),
            _ => figure,
        }
    }
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pieces {:>13} {:>13} {:>13} {:>13} {:>8}", "positions", "won", "drawn", "lost", "longest")?;
        writeln!(f, " {:>10} {:>8}", "cursed", "longest")?;
        for GroupCensus { pieces, positions, won, drawn, lost, longest, cursed, longest_cursed } in &self.groups {
            let [positions, won, drawn, lost] = [*positions, *won, *drawn, *lost].map(in_thousands);
            write!(f, "{pieces:<6} {positions:>13} {won:>13} {drawn:>13} {lost:>13} {longest:>8}")?;
            writeln!(f, " {:>10} {longest_cursed:>8}", in_thousands(*cursed))?;
        }
        let BuildReport { file, cpu_seconds: cpu, .. } = self;
        writeln!(f, "{}: {} bytes, checksum {}", file.path, in_thousands(file.bytes as u64), file.checksum)?;
        let CpuSeconds { solving, compressing, in_all } = cpu;
        write!(f, "{in_all:.1} CPU seconds: {solving:.1} solving, {compressing:.1} compressing")
    }
}
