//! Other programs of this family, run and measured from outside.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

/// The program of this name, beside this one.
///
/// # Errors
/// There is none.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    let path = std::env::current_exe().context("cannot find this program")?.with_file_name(name);
    ensure!(path.is_file(), "no {}, which is to be measured: `cargo build --release` makes it", path.display());
    Ok(path)
}

/// What a child process cost, from its start to its end.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    /// User and system time of the child and all its children.
    pub(crate) cpu: Duration,
    pub(crate) status: ExitStatus,
    /// What it printed on standard output.
    pub(crate) printed: String,
}

/// Runs a program to its end. Not for two threads at once: the cost of all children is one sum.
///
/// # Errors
/// It cannot be started.
pub(crate) fn run(program: &Path, arguments: &[&str], directory: &Path) -> Result<Cost> {
    let before = children()?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let cpu = children()?.saturating_sub(before);
    Ok(Cost { cpu, status: output.status, printed: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// CPU time of all children that have ended.
fn children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's CPU time")?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
}

/// The most memory that any child so far has had at once, in MiB.
pub(crate) fn largest_child() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's memory")?;
    Ok(usage.max_rss() as f64 / 1024.0)
}
