//! How is another program of this package run, and what did the run cost?

mod usage;

use std::env::consts::EXE_SUFFIX;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

pub(crate) use usage::{WARNING, peak_child_mib};

/// This program itself, to be started again.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this() -> Result<PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// The program of this name in the same folder as this one.
///
/// # Errors
/// There is none.
pub(crate) fn sibling(name: &str) -> Result<PathBuf> {
    let path = this()?.with_file_name(format!("{name}{EXE_SUFFIX}"));
    ensure!(path.is_file(), "no {}, which is to be measured: `cargo build --release` makes it", path.display());
    Ok(path)
}

/// A run of a program, from its start to its end.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredRun {
    /// User and system time of the process and all its children; wall time where the system does not report CPU time
    /// ([`WARNING`]).
    pub(crate) cpu: Duration,
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// What it printed on standard output.
    pub(crate) stdout: String,
}

/// Runs a program to its end. Not for two threads at once: the system counts all children together.
///
/// # Errors
/// It cannot be started.
pub(crate) fn run(program: &Path, arguments: &[&str], directory: &Path) -> Result<MeasuredRun> {
    run_with_input(program, arguments, directory, "")
}

/// Likewise, with this text on standard input: so short that it needs no reader yet.
///
/// # Errors
/// It cannot be started.
pub(crate) fn run_with_input(program: &Path, arguments: &[&str], directory: &Path, input: &str) -> Result<MeasuredRun> {
    let cannot = || format!("cannot run {}", program.display());
    let start = Instant::now();
    let before = usage::cpu_of_children()?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(cannot)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input is none the worse for it.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().with_context(cannot)?;
    let cpu = match (before, usage::cpu_of_children()?) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    Ok(MeasuredRun { cpu, status: output.status, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}
