//! Which wins of each material take the longest?

use anyhow::Result;
use kingline::knowledge::tablebase::build;

use kingline::terminal::stdout_line;

use super::plan::TablePlan;
use super::solve::solve;
use super::threads::Threads;

/// Prints the longest win of each wanted material, a line each.
///
/// # Errors
/// Stdout is closed.
pub(super) fn run(plan: &TablePlan, threads: Threads) -> Result<()> {
    let values = solve(plan, threads, None)?;
    for win in plan.wanted.iter().filter_map(|&material| build::longest(&values, material)) {
        stdout_line(win)?;
    }
    Ok(())
}
