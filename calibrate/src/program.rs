//! Runs other programs of this package and measures their cost.

mod usage;

use std::env::consts::EXE_SUFFIX;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

pub(crate) use usage::{WARNING, peak_child_mib};

/// Returns the path of this program, to start it again.
///
/// # Errors
/// Fails if the system does not report it.
pub(crate) fn this() -> Result<PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// Returns the path of the program `name` in this program's folder.
///
/// # Errors
/// Fails if there is none.
pub(crate) fn sibling(name: &str) -> Result<PathBuf> {
    let path = this()?.with_file_name(format!("{name}{EXE_SUFFIX}"));
    ensure!(
        path.is_file(),
        "cannot find {}, the program to measure; help: run `cargo build --release`",
        path.display()
    );
    Ok(path)
}

/// One run of a program, from start to exit.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredRun {
    /// User and system time of the process and all its children, or wall time if the system does not report CPU time
    /// ([`WARNING`]).
    pub(crate) cpu: Duration,
    /// Wall time.
    pub(crate) wall: Duration,
    /// Exit status.
    pub(crate) status: ExitStatus,
    /// Standard output.
    pub(crate) stdout: String,
}

/// Runs a program to its end. The CPU time is wrong if two threads call this at once, since the system counts all children
/// together.
///
/// # Errors
/// Fails if it cannot be started.
pub(crate) fn run(program: &Path, arguments: &[&str], directory: &Path) -> Result<MeasuredRun> {
    run_with_input(program, arguments, directory, "")
}

/// Runs a program with `input` on standard input, which must fit into a pipe.
///
/// # Errors
/// Fails if it cannot be started.
pub(crate) fn run_with_input(program: &Path, arguments: &[&str], directory: &Path, input: &str) -> Result<MeasuredRun> {
    let cannot = || format!("cannot run {}", program.display());
    let start = Instant::now();
    let before = usage::cpu_of_children()?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(cannot)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program may end without reading its input.
        let _ = pipe.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().with_context(cannot)?;
    let wall = start.elapsed();
    let cpu = match (before, usage::cpu_of_children()?) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall,
    };
    Ok(MeasuredRun { cpu, wall, status: output.status, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}
