//! Other programs of this family, run and measured from outside.

mod usage;

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

pub(crate) use usage::{WARNING, largest_child};

/// The program of this name, beside this one.
///
/// # Errors
/// There is none.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    let path =
        std::env::current_exe().context("cannot find this program")?.with_file_name(format!("{name}{EXE_SUFFIX}"));
    ensure!(path.is_file(), "no {}, which is to be measured: `cargo build --release` makes it", path.display());
    Ok(path)
}

/// What a child process cost, from its start to its end.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    /// User and system time of the child and all its children; wall time where the system does not tell it ([`WARNING`]).
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
    let began = Instant::now();
    let before = usage::cpu()?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let cpu = match (before, usage::cpu()?) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => began.elapsed(),
    };
    Ok(Cost { cpu, status: output.status, printed: String::from_utf8_lossy(&output.stdout).into_owned() })
}
