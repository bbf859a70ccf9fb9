//! Verifies the solved values and their file.

use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use kingline::knowledge::tablebase::build::{self, SolvedValues, Verified, WrongValue, numbers};
use kingline::knowledge::tablebase::{Material, TableFile, Trust};
use kingline_players::figures::Figure;
use kingline_players::progress::Progress;
use kingline_players::terminal::{in_thousands, stdout_line};
use kingline_players::threads::Threads;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::TablePlan;
use super::build::solve;

/// Number of wrong values to print; all are counted.
const SHOWN: usize = 10;
/// Number of six-piece positions verified by default.
const SAMPLE: u64 = 5_000_000;
/// Number of positions that a thread verifies at a time.
const CHUNK: u32 = 1 << 16;

/// Range of the position numbers of a material.
struct Chunk {
    material: Material,
    numbers: Range<u32>,
    /// Number of positions drawn at random, and the seed; `None` for all positions.
    sample: Option<(u32, u64)>,
}

/// Verifies the values of a plan, and their file. Returns the number of verified positions.
///
/// # Errors
/// Fails if `path` is not an endgame table file or a value is wrong. Prints the first ten wrong values.
pub(super) fn run(plan: &TablePlan, threads: Threads, path: Option<&Path>, sample: Option<u64>) -> Result<Figure> {
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let bytes = path.map(read).transpose()?;
    let file = match (path, &bytes) {
        (Some(path), Some(bytes)) => {
            let opened = TableFile::open(bytes, Trust::CheckPages);
            Some(opened.with_context(|| format!("cannot use {}", path.display()))?)
        }
        _ => None,
    };
    if let (Some(file), Some(path)) = (&file, path) {
        let missing = plan.wanted.iter().find(|&&material| !file.has(material));
        ensure!(
            missing.is_none(),
            "{} has no {}",
            path.display(),
            missing.map(ToString::to_string).unwrap_or_default()
        );
    }
    let values = solve(plan, threads, None)?;
    let all_six = plan.wanted.iter().all(|material| material.pieces() == 6);
    let chunks = chunks(plan, sample.or(all_six.then_some(SAMPLE)));
    let (verified, wrong_values) = verify_all(&chunks, &values, file.as_ref(), threads)?;
    for wrong_value in &wrong_values {
        stdout_line(wrong_value)?;
    }
    let Verified { positions, not_tabled, wrong } = verified;
    ensure!(wrong == 0, "{} of {} positions are wrong", in_thousands(wrong), in_thousands(positions));
    stdout_line(format_args!("{} positions are correct", in_thousands(positions)))?;
    if not_tabled > 0 {
        stdout_line(format_args!("{} of them jump to positions that no table contains", in_thousands(not_tabled)))?;
    }
    let name = format!("positions of {} that were verified", plan.name);
    Ok(Figure::new(name, format!("{}, none wrong", in_thousands(positions))).against("none wrong", wrong == 0))
}

/// Splits the position numbers into chunks. A sample is spread over the materials in proportion to their size.
fn chunks(plan: &TablePlan, sample: Option<u64>) -> Vec<Chunk> {
    let total: u64 = plan.wanted.iter().map(|&material| u64::from(numbers(material))).sum();
    let mut chunks = Vec::new();
    for &material in &plan.wanted {
        for start in (0..numbers(material)).step_by(CHUNK as usize) {
            let numbers = start..numbers(material).min(start.saturating_add(CHUNK));
            let share = |sample: u64| (sample * u64::from(numbers.end - start)).div_ceil(total) as u32;
            let sample = sample.filter(|&sample| sample < total).map(|sample| (share(sample), chunks.len() as u64));
            chunks.push(Chunk { material, numbers, sample });
        }
    }
    chunks
}

fn verify_all<'f>(
    chunks: &[Chunk],
    values: &SolvedValues,
    file: Option<&'f TableFile<'f>>,
    threads: Threads,
) -> Result<(Verified, Vec<WrongValue>)> {
    let count = |chunk: &Chunk| chunk.sample.map_or(chunk.numbers.end - chunk.numbers.start, |(count, _)| count);
    let total = chunks.iter().map(|chunk| count(chunk) as usize).sum();
    let progress = Mutex::new(Progress::new("verifying", total));
    let found = threads.map(chunks, |chunk| {
        let mut wrong_values = Vec::new();
        let report = |wrong_value| {
            if wrong_values.len() < SHOWN {
                wrong_values.push(wrong_value);
            }
        };
        let &Chunk { material, ref numbers, sample } = chunk;
        let verified = match sample {
            None => build::verify(values, file, material, numbers.clone(), report),
            Some((count, seed)) => {
                let mut rng = StdRng::seed_from_u64(seed);
                let drawn = (0..count).map(|_| rng.random_range(numbers.clone()));
                build::verify(values, file, material, drawn, report)
            }
        };
        if let Ok(mut progress) = progress.lock() {
            progress.advance(count(chunk) as usize, &material.to_string());
        }
        Ok((verified, wrong_values))
    })?;
    let sum = found.iter().fold(Verified::default(), |sum, (verified, _)| sum.and(*verified));
    let wrong_values = found.into_iter().flat_map(|(_, wrong_values)| wrong_values).take(SHOWN).collect();
    Ok((sum, wrong_values))
}
