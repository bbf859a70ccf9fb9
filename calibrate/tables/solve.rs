use anyhow::Result;
use kingline::knowledge::tablebase::build::{Part, Values, numbers};
use kingline::knowledge::tablebase::{LONGEST, Material};

use super::parts::Parts;
use super::plan::Plan;
use super::workers::Workers;
use crate::progress::Progress;
use crate::say::complain;

/// Solves all materials of a plan, but those whose values are among the parts.
///
/// # Errors
/// A part cannot be written.
pub(super) fn solve(plan: &Plan, workers: Workers, parts: Option<&Parts>) -> Result<Values> {
    let mut values = Values::new();
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
                values.solve(material, workers.threads, &mut |plies| {
                    progress.advance(0, &format!("{material}, {plies} of {LONGEST} plies"));
                })?;
                save(&values, &pair, parts)?;
            }
        }
        progress.advance(numbers(material) as usize, &material.to_string());
    }
    drop(progress);
    if taken_over > 0 {
        complain(format_args!("{taken_over} of {} materials were solved before", plan.solved.len()));
    }
    Ok(values)
}

/// What is solved together.
fn with_counterpart(material: Material) -> Vec<Material> {
    let mut pair = vec![material, material.swapped()];
    pair.dedup();
    pair
}

/// Takes over the values of all these materials, or of none.
fn take_over(values: &mut Values, pair: &[Material], parts: &Parts) -> bool {
    let saved: Option<Vec<Vec<u8>>> = pair.iter().map(|&material| parts.load(Part::Values(material))).collect();
    let Some(saved) = saved else { return false };
    // Values that do not fit are solved again, and replaced.
    pair.iter().zip(saved).all(|(&material, bytes)| values.insert(material, bytes).is_ok())
}

fn save(values: &Values, pair: &[Material], parts: Option<&Parts>) -> Result<()> {
    for &material in pair {
        if let Some(parts) = parts {
            parts.save(Part::Values(material), values.bytes(material))?;
        }
    }
    Ok(())
}
