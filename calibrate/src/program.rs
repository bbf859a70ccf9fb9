//! Runs other programs of this build and measures their cost; agents that play through files; measured times.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game};
use kingline_players::files::read_text;
use kingline_players::protocol::turn_files::{INPUT, OUTPUT, PLAYDATA, read_answer};

/// Returns the path of this program, to start it again.
pub(crate) fn this() -> Result<PathBuf> {
    std::env::current_exe().context("cannot find this program")
}

/// Returns the path of the program `name` in this program's folder.
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
    pub(crate) wall: Duration,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
}

/// Runs a program to its end. The CPU time is wrong if two threads call this at once, since the system counts all children
/// together.
pub(crate) fn run(program: &Path, arguments: &[&str], directory: &Path) -> Result<MeasuredRun> {
    run_with_input(program, arguments, directory, "")
}

/// Runs a program with `input` on standard input, which must fit into a pipe.
pub(crate) fn run_with_input(program: &Path, arguments: &[&str], directory: &Path, input: &str) -> Result<MeasuredRun> {
    let cannot = || format!("cannot run {}", program.display());
    let start = Instant::now();
    let before = usage_of_children()?.map(|(cpu, _)| cpu);
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
    let cpu = match (before, usage_of_children()?.map(|(cpu, _)| cpu)) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall,
    };
    Ok(MeasuredRun { cpu, wall, status: output.status, stdout: String::from_utf8_lossy(&output.stdout).into_owned() })
}

/// Measured times in ascending order.
pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    pub(crate) fn of(mut times: Vec<Duration>) -> Spread {
        times.sort_unstable();
        Spread(times)
    }

    /// Returns this percentile of the times; zero without measurements.
    pub(crate) fn percent(&self, percent: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }
}

/// Working directory of an agent, removed when dropped.
pub(crate) struct AgentDir(PathBuf);

impl AgentDir {
    pub(crate) fn new(name: &str) -> Result<AgentDir> {
        /// Largest number to try, more than killed runs leave behind.
        const MOST: u32 = 1000;
        let mut number = 0;
        loop {
            let path = std::env::temp_dir().join(format!("kingline-{name}-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                // Leaves other users' directories alone: dropping this value deletes its directory.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST => number += 1,
                made => {
                    made.with_context(|| format!("cannot create {}", path.display()))?;
                    return Ok(AgentDir(path));
                }
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes input.txt and deletes an old output.txt.
    pub(crate) fn ask(&self, mode: &str, position: &Position, left: f64) -> Result<()> {
        let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        let _ = fs::remove_file(self.0.join(OUTPUT));
        fs::write(self.0.join(INPUT), format!("{mode}\n{side}\n{left}\n{}", Diagram(position)))
            .with_context(|| format!("cannot write {}", self.0.join(INPUT).display()))
    }

    /// Reads output.txt strictly. Returns the turn if it is legal.
    pub(crate) fn answer(&self, position: &Position) -> Result<<Position as Game>::Move> {
        let text = read_text(&self.0.join(OUTPUT)).context("no answer")?;
        Ok(read_answer(&text, position)?)
    }

    pub(crate) fn forget_game(&self) {
        let _ = fs::remove_file(self.0.join(PLAYDATA));
    }
}

impl Drop for AgentDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Warning about less exact measurements on this system.
pub(crate) const WARNING: Option<&str> = if cfg!(unix) {
    None
} else {
    Some("this system does not report the CPU time and memory of other programs: wall time is measured, memory is not")
};

/// Returns the peak memory of the largest child so far, in MiB.
pub(crate) fn peak_child_mib() -> Result<Option<f64>> {
    Ok(usage_of_children()?.map(|(_, mib)| mib))
}

/// Returns the CPU time of all children that have ended, and the peak memory of the largest in MiB.
#[cfg(unix)]
fn usage_of_children() -> Result<Option<(Duration, f64)>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    /// Units of `ru_maxrss` in a MiB: bytes on Apple's systems, KiB on the others.
    const UNITS_PER_MIB: f64 = if cfg!(target_vendor = "apple") { 1_048_576.0 } else { 1024.0 };

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the children's CPU time and memory")?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Some((Duration::from_micros(u64::try_from(micros).unwrap_or(0)), usage.max_rss() as f64 / UNITS_PER_MIB)))
}

#[cfg(not(unix))]
fn usage_of_children() -> Result<Option<(Duration, f64)>> {
    Ok(None)
}
