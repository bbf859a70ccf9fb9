use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use kingline::knowledge::tablebase::build::{self, SolvedValues, Verified, WrongValue, numbers};
use kingline::knowledge::tablebase::{Material, TableFile, Trust};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::plan::TablePlan;
use super::report::in_thousands;
use super::solve::solve;
use super::threads::Threads;
use crate::progress::Progress;
use crate::say::say;

/// Faults that are printed; the others are counted.
const SHOWN: usize = 10;
/// Positions of six pieces that are looked over.
const SAMPLE: u64 = 5_000_000;
/// Numbers that a thread looks at together.
const CHUNK: u32 = 1 << 16;

/// Numbers of a material's positions.
struct Chunk {
    material: Material,
    numbers: Range<u32>,
    /// So many of them, drawn at random with this seed; none: all.
    sample: Option<(u32, u64)>,
}

/// Looks the values of a plan over, and the file of them.
///
/// # Errors
/// The file is none, or a position is not what it should be; at most ten such positions are printed.
pub(super) fn run(plan: &TablePlan, threads: Threads, path: Option<&Path>, sample: Option<u64>) -> Result<()> {
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
    let (verified, faults) = look_over(&chunks, &values, file.as_ref(), threads)?;
    for fault in &faults {
        say(fault)?;
    }
    let Verified { positions, not_tabled, wrong } = verified;
    ensure!(wrong == 0, "{} of {} positions are wrong", in_thousands(wrong), in_thousands(positions));
    say(format_args!("{} positions are right", in_thousands(positions)))?;
    if not_tabled > 0 {
        say(format_args!("{} of them jump into positions that are not in the file", in_thousands(not_tabled)))?;
    }
    Ok(())
}

/// A file's bytes.
fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The work in pieces; a sample is spread over the materials by their size.
fn chunks(plan: &TablePlan, sample: Option<u64>) -> Vec<Chunk> {
    let total: u64 = plan.wanted.iter().map(|&material| u64::from(numbers(material))).sum();
    let mut chunks = Vec::new();
    for &material in &plan.wanted {
        for begin in (0..numbers(material)).step_by(CHUNK as usize) {
            let numbers = begin..numbers(material).min(begin.saturating_add(CHUNK));
            let share = |sample: u64| (sample * u64::from(numbers.end - begin)).div_ceil(total) as u32;
            let sample = sample.filter(|&sample| sample < total).map(|sample| (share(sample), chunks.len() as u64));
            chunks.push(Chunk { material, numbers, sample });
        }
    }
    chunks
}

/// What is right and wrong, and the first faults.
fn look_over<'f>(
    chunks: &[Chunk],
    values: &SolvedValues,
    file: Option<&'f TableFile<'f>>,
    threads: Threads,
) -> Result<(Verified, Vec<WrongValue>)> {
    let count = |chunk: &Chunk| chunk.sample.map_or(chunk.numbers.end - chunk.numbers.start, |(count, _)| count);
    let total = chunks.iter().map(|chunk| count(chunk) as usize).sum();
    let progress = Mutex::new(Progress::new("looking over", total));
    let found = threads.map(chunks, |chunk| {
        let mut faults = Vec::new();
        let tell = |fault| {
            if faults.len() < SHOWN {
                faults.push(fault);
            }
        };
        let &Chunk { material, ref numbers, sample } = chunk;
        let verified = match sample {
            None => build::verify(values, file, material, numbers.clone(), tell),
            Some((count, seed)) => {
                let mut rng = StdRng::seed_from_u64(seed);
                let drawn = (0..count).map(|_| rng.random_range(numbers.clone()));
                build::verify(values, file, material, drawn, tell)
            }
        };
        if let Ok(mut progress) = progress.lock() {
            progress.advance(count(chunk) as usize, &material.to_string());
        }
        Ok((verified, faults))
    })?;
    let sum = found.iter().fold(Verified::default(), |sum, (verified, _)| sum.and(*verified));
    let faults = found.into_iter().flat_map(|(_, faults)| faults).take(SHOWN).collect();
    Ok((sum, faults))
}
