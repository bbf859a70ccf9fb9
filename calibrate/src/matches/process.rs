//! A running program: its output line by line, its end, and its CPU time.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kingline_players::exit::BadInput;
use kingline_players::process::has_ended;
use kingline_players::terminal::{escaped, escaped_path};

pub(super) use clock::WARNING;

#[derive(Clone, Debug)]
pub(super) struct ProgramFile {
    /// Absolute path.
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<String>,
}

impl ProgramFile {
    /// Returns the absolute path of a program.
    pub(super) fn find(path: &Path) -> Result<PathBuf> {
        let shown = escaped_path(path);
        let bad = || BadInput::new(format!("cannot find the program {shown}; help: give the path of its file"));
        let found = path.canonicalize().with_context(bad)?;
        ensure!(found.is_file(), BadInput::new(format!("{shown} is not a program but a folder or a device")));
        Ok(found)
    }
}

pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    start: Instant,
    shown: String,
    errors: PathBuf,
}

/// Result of waiting for a line of output.
pub(super) enum NextLine {
    Line(String),
    /// The end of its output.
    Closed,
    /// Nothing until the deadline.
    Late,
}

/// File for a program's standard error, in its folder.
const ERRORS: &str = "stderr.txt";
/// Longest line in bytes; longer ones are split.
const LONGEST_LINE: u64 = 4096;

impl Process {
    pub(super) fn start(program: &ProgramFile, more: &[String], folder: &Path) -> Result<Process> {
        let shown = escaped_path(&program.path);
        let errors = folder.join(ERRORS);
        let stderr = File::create(&errors).with_context(|| format!("cannot write {}", errors.display()))?;
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).args(more).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let start = Instant::now();
        let mut child = command.spawn().with_context(|| format!("cannot run {shown}"))?;
        let (sender, lines) = sync_channel(64);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || forward(output, &sender));
        }
        let input = child.stdin.take();
        Ok(Process { child, input, lines, start, shown, errors })
    }

    /// Sends a line. If the program does not read it, its answer will be missing.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes());
        }
    }

    pub(super) fn line(&self, deadline: Instant) -> NextLine {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => NextLine::Line(line),
            Err(RecvTimeoutError::Disconnected) => NextLine::Closed,
            Err(RecvTimeoutError::Timeout) => NextLine::Late,
        }
    }

    /// Returns the CPU time used so far: user and system time of the process, but not of others that it starts. If the
    /// system does not report it, returns the wall time ([`WARNING`]).
    pub(super) fn cpu(&self) -> Result<Duration> {
        let used = clock::cpu(&self.child).with_context(|| format!("cannot read the CPU time of {}", self.shown))?;
        Ok(used.unwrap_or_else(|| self.start.elapsed()))
    }

    /// Waits for the program's end. Returns its CPU time and exit status; `None` if it has not ended by the deadline.
    pub(super) fn end(&mut self, deadline: Instant) -> Result<Option<(Duration, ExitStatus)>> {
        const PAUSE: Duration = Duration::from_micros(200);
        self.input = None;
        loop {
            match self.line(deadline) {
                NextLine::Line(_) => {}
                NextLine::Closed => break,
                NextLine::Late => return Ok(None),
            }
        }
        // It has closed its output, and should be about to exit.
        while !has_ended(&mut self.child)? {
            if Instant::now() >= deadline {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        }
        // The clock is gone once the system forgets the process.
        let used = self.cpu()?;
        let status = self.child.wait().with_context(|| format!("cannot wait for {}", self.shown))?;
        Ok(Some((used, status)))
    }

    /// Returns the program's path and the last line that it wrote to standard error, for messages.
    pub(super) fn name_and_last_words(&self) -> String {
        let text = fs::read(&self.errors).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        let words = last.map_or(String::new(), |line| format!(", last line on standard error: {}", escaped(line)));
        format!("{}{words}", self.shown)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail if it has ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends each line of the output, until the program closes it or nobody listens.
fn forward(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    while output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        if lines.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
            break;
        }
        bytes.clear();
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod clock {
    use std::process::Child;
    use std::time::Duration;

    use anyhow::Result;
    use nix::time::ClockId;
    use nix::unistd::Pid;

    /// Warning about less exact measurements on this system; none here.
    pub(in crate::matches) const WARNING: Option<&str> = None;

    /// Returns the CPU time of a process that has not been waited for.
    pub(super) fn cpu(child: &Child) -> Result<Option<Duration>> {
        Ok(Some(ClockId::pid_cpu_clock_id(Pid::from_raw(child.id().cast_signed()))?.now()?.into()))
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod clock {
    use std::process::Child;
    use std::time::Duration;

    use anyhow::Result;

    pub(in crate::matches) const WARNING: Option<&str> =
        Some("this system does not report the CPU time of other programs: wall time is measured instead");

    pub(super) fn cpu(_: &Child) -> Result<Option<Duration>> {
        Ok(None)
    }
}
