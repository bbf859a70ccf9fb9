//! Longest win of each material.

use anyhow::Result;
use kingline::knowledge::tablebase::build;
use kingline_players::terminal::stdout_line;

use super::plan::TablePlan;
use super::solve::solve;
use crate::threads::Threads;

/// Prints the longest win of each wanted material, one per line.
///
/// # Errors
/// Fails if standard output cannot be written.
pub(super) fn run(plan: &TablePlan, threads: Threads) -> Result<()> {
    let values = solve(plan, threads, None)?;
    for win in plan.wanted.iter().filter_map(|&material| build::longest(&values, material)) {
        stdout_line(win)?;
    }
    Ok(())
}
