//! Solves a plan's materials, and reuses the parts of an interrupted build.

use anyhow::Result;
use kingline::knowledge::tablebase::build::{BuildPart, SolvedValues, numbers};
use kingline::knowledge::tablebase::{LONGEST, Material};
use kingline_players::terminal::stderr_line;

use super::parts::SavedParts;
use super::plan::TablePlan;
use crate::progress::Progress;
use crate::threads::Threads;

/// Solves all materials of a plan whose values are not among the parts.
///
/// # Errors
/// Fails if a part cannot be written.
pub(super) fn solve(plan: &TablePlan, threads: Threads, parts: Option<&SavedParts>) -> Result<SolvedValues> {
    let mut values = SolvedValues::new();
    let mut taken_over = 0;
    let total = plan.solved.iter().map(|&material| numbers(material) as usize).sum();
    let mut progress = Progress::new("solving", total);
    for &material in &plan.solved {
        progress.advance(0, &material.to_string());
        if !values.has(material) {
            let pair = with_counterpart(material);
            if parts.is_some_and(|parts| take_over(&mut values, &pair, parts)) {
                taken_over += pair.len();
            } else {
                values.solve(material, threads.count, &mut |plies| {
                    progress.advance(0, &format!("{material}, {plies} of {LONGEST} plies"));
                })?;
                save(&values, &pair, parts)?;
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

/// Returns the materials that are solved together.
fn with_counterpart(material: Material) -> Vec<Material> {
    let mut pair = vec![material, material.swapped()];
    pair.dedup();
    pair
}

/// Reuses the saved values of all materials in `pair`, or of none.
fn take_over(values: &mut SolvedValues, pair: &[Material], parts: &SavedParts) -> bool {
    let saved: Option<Vec<Vec<u8>>> = pair.iter().map(|&material| parts.load(BuildPart::Values(material))).collect();
    let Some(saved) = saved else { return false };
    // The caller solves refused values again and replaces them.
    pair.iter().zip(saved).all(|(&material, bytes)| values.insert(material, bytes).is_ok())
}

fn save(values: &SolvedValues, pair: &[Material], parts: Option<&SavedParts>) -> Result<()> {
    for &material in pair {
        if let Some(parts) = parts {
            parts.save(BuildPart::Values(material), values.bytes(material))?;
        }
    }
    Ok(())
}
