//! Builds an endgame table file.

use std::path::Path;
use std::sync::Mutex;

use anyhow::Result;
use kingline::clock::Clock;
use kingline::knowledge::checksum;
use kingline::knowledge::tablebase::build::{self, BuildPart, SolvedValues, numbers};
use kingline::knowledge::tablebase::{MAGIC, Material};
use kingline_players::figures::Figure;
use kingline_players::files::{FileKind, check_target, write_synced};
use kingline_players::terminal::{stderr_line, stdout_json, stdout_line};

use super::naming::{self, Naming};
use super::parts::SavedParts;
use super::plan::TablePlan;
use super::report::{BuildReport, CpuSeconds, WrittenFile};
use super::solve::solve;
use crate::progress::Progress;
use crate::threads::Threads;

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
    let parts = SavedParts::of(path)?;
    let is_whole = parts.are_none();
    let values = solve(plan, threads, Some(&parts))?;
    let solved = Clock::Process.now();
    let sections = compress(plan, &values, threads, &parts)?;
    let compressed = Clock::Process.now();
    let file = build::file(&sections);
    write_synced(path, &[&file])?;
    parts.remove();
    let written = WrittenFile {
        path: path.display().to_string(),
        bytes: file.len(),
        checksum: format!("{:016x}", checksum(&file)),
    };
    let groups = super::report::groups(plan, &values);
    let cpu_seconds = CpuSeconds {
        solving: solved.as_secs_f64(),
        compressing: (compressed - solved).as_secs_f64(),
        in_all: Clock::Process.now().as_secs_f64(),
    };
    let report = BuildReport { groups, file: written, cpu_seconds };
    let figure = is_whole.then(|| report.figure(plan));
    let named = naming.map(Naming::write).transpose();
    if json {
        stdout_json(serde_json::to_string(&report)?)?;
        return named.map(|_| figure);
    }
    stdout_line(report)?;
    match (named?, naming::line(path)) {
        (Some(calibration), _) => stdout_line(format_args!("named in {}", calibration.display())),
        (None, Ok(line)) => stdout_line(format_args!("line for calibration.txt: {line}")),
        (None, Err(error)) => stdout_line(format_args!("calibration.txt cannot name it: {error:#}")),
    }?;
    Ok(figure)
}

/// Returns the sections of the wanted materials in their order. Compresses the largest ones first.
fn compress(
    plan: &TablePlan,
    values: &SolvedValues,
    threads: Threads,
    parts: &SavedParts,
) -> Result<Vec<(Material, Vec<u8>)>> {
    let mut largest_first = plan.wanted.clone();
    largest_first.sort_by_key(|&material| std::cmp::Reverse(numbers(material)));
    let total = plan.wanted.iter().map(|&material| numbers(material) as usize).sum();
    let progress = Mutex::new((Progress::new("compressing", total), 0));
    let mut sections = threads.map(&largest_first, |&material| {
        let part = BuildPart::Section(material);
        let saved = parts.load(part);
        let before = usize::from(saved.is_some());
        let section = match saved {
            Some(section) => section,
            None => {
                let section = build::section(values, material);
                parts.save(part, &section)?;
                section
            }
        };
        if let Ok(mut locked) = progress.lock() {
            let (progress, taken_over) = &mut *locked;
            *taken_over += before;
            progress.advance(numbers(material) as usize, &material.to_string());
        }
        Ok((material, section))
    })?;
    let taken_over = progress.into_inner().map_or(0, |(_, taken_over)| taken_over);
    if taken_over > 0 {
        stderr_line(format_args!("{taken_over} of {} materials were already compressed", plan.wanted.len()));
    }
    sections.sort_by_key(|(material, _)| plan.wanted.iter().position(|wanted| wanted == material));
    Ok(sections)
}
