//! A job's standard streams, written and read without blocking.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::folder::without_middle;

/// A job's standard streams, with the bytes yet to be written and the bytes read.
#[derive(Debug)]
pub(super) struct Streams {
    input: Option<ChildStdin>,
    unwritten: Vec<u8>,
    close_when_written: bool,
    output: Option<ChildStdout>,
    kept: Vec<u8>,
    most_kept: usize,
    overflow: Overflow,
    errors: Option<ChildStderr>,
    pub(super) log: LauncherLog,
}

/// Treatment of output beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overflow {
    /// It is read and discarded.
    Discarded,
    /// It is not read, so the job blocks.
    Blocks,
}

/// Treatment of text after the last LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    None,
    Any,
}

/// Actions that are possible without blocking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready {
    /// Reaping the job, which has ended.
    pub(super) end: bool,
    /// Reading its output or the end of a stream.
    pub(super) read: bool,
    pub(super) write: bool,
}

impl Streams {
    /// Takes over the streams of a child and keeps at most `most_kept` bytes of its standard output. The child's input
    /// begins with `first`; its standard error goes to `log`.
    pub(super) fn of(child: &mut Child, most_kept: usize, first: Vec<u8>, log: LauncherLog) -> io::Result<Streams> {
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let all = [input.as_ref().map(AsFd::as_fd), output.as_ref().map(AsFd::as_fd), errors.as_ref().map(AsFd::as_fd)];
        for stream in all.into_iter().flatten() {
            rustix::io::ioctl_fionbio(stream, true)?;
        }
        let mut streams = Streams {
            input,
            unwritten: first,
            close_when_written: false,
            output,
            kept: Vec::new(),
            most_kept,
            overflow: Overflow::Discarded,
            errors,
            log,
        };
        streams.write();
        Ok(streams)
    }

    /// Makes the job block until its output is read; otherwise, output beyond the limit is discarded.
    pub(super) fn keep_lines(&mut self) {
        self.overflow = Overflow::Blocks;
    }

    pub(super) fn give(&mut self, bytes: &[u8]) {
        self.unwritten.extend_from_slice(bytes);
        self.write();
    }

    /// Closes the job's standard input once everything has been written.
    pub(super) fn close_input(&mut self) {
        self.close_when_written = true;
        self.write();
    }

    /// Number of bytes that the job has not read yet; `None` once its standard input is closed.
    pub(super) fn not_taken(&self) -> Option<usize> {
        self.input.as_ref().map(|_| self.unwritten.len())
    }

    pub(super) fn is_open(&self) -> bool {
        self.output.is_some()
    }

    /// Takes the next line of output; with [`Rest::Any`], a last line may lack its LF.
    pub(super) fn take_line(&mut self, rest: Rest) -> Option<Vec<u8>> {
        let end = match (self.kept.iter().position(|&byte| byte == b'\n'), rest) {
            (Some(end), _) => end,
            (None, Rest::Any) if !self.kept.is_empty() => self.kept.len() - 1,
            _ => return None,
        };
        let mut line: Vec<u8> = self.kept.drain(..=end).collect();
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        Some(line)
    }

    pub(super) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }

    /// Waits for up to `pause` until an action is possible; `end` becomes readable when the job has ended.
    pub(super) fn wait(&self, end: Option<BorrowedFd<'_>>, pause: Duration) -> io::Result<Ready> {
        let input = self.input.as_ref().filter(|_| !self.unwritten.is_empty());
        let output = self.output.as_ref().filter(|_| self.overflow == Overflow::Discarded || self.room() > 0);
        let streams: [(Option<BorrowedFd<'_>>, PollFlags); 4] = [
            (end, PollFlags::IN),
            (output.map(AsFd::as_fd), PollFlags::IN),
            (self.errors.as_ref().map(AsFd::as_fd), PollFlags::IN),
            (input.map(AsFd::as_fd), PollFlags::OUT),
        ];
        let mut polled: Vec<PollFd<'_>> =
            streams.iter().filter_map(|(stream, flags)| Some(PollFd::from_borrowed_fd((*stream)?, *flags))).collect();
        let pause = Timespec::try_from(pause).map_err(io::Error::other)?;
        match poll(&mut polled, Some(&pause)) {
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            done => done?,
        };
        let mut results = polled.iter().map(|polled| !polled.revents().is_empty());
        let [end, output, errors, write] =
            streams.map(|(stream, _)| stream.is_some() && results.next().unwrap_or(false));
        Ok(Ready { end, read: output || errors, write })
    }

    /// Reads and writes as much as possible without blocking.
    pub(super) fn serve(&mut self, ready: Ready) -> Result<(), LineTooLong> {
        if ready.write {
            self.write();
        }
        if !ready.read {
            return Ok(());
        }
        self.read_errors();
        self.read_output()
    }

    fn room(&self) -> usize {
        self.most_kept - self.kept.len()
    }

    fn read_output(&mut self) -> Result<(), LineTooLong> {
        let room = self.room();
        let Some(stream) = &mut self.output else { return Ok(()) };
        let mut buffer = [0; 1 << 14];
        let wanted = if self.overflow == Overflow::Blocks { room.min(buffer.len()) } else { buffer.len() };
        if wanted == 0 {
            return Ok(());
        }
        match stream.read(&mut buffer[..wanted]) {
            Ok(count @ 1..) => self.kept.extend_from_slice(&buffer[..count.min(room)]),
            Err(error) if is_not_now(&error) => {}
            _ => self.output = None,
        }
        if self.overflow == Overflow::Blocks && self.room() == 0 && !self.kept.contains(&b'\n') {
            self.output = None;
            return Err(LineTooLong);
        }
        Ok(())
    }

    fn read_errors(&mut self) {
        let Some(stream) = &mut self.errors else { return };
        let mut buffer = [0; 1 << 14];
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => self.log.add(&buffer[..count]),
            Err(error) if is_not_now(&error) => {}
            _ => self.errors = None,
        }
    }

    fn write(&mut self) {
        let Some(stream) = &mut self.input else { return };
        match stream.write(&self.unwritten) {
            Ok(count) => drop(self.unwritten.drain(..count)),
            Err(error) if is_not_now(&error) => {}
            // The job has closed its input.
            Err(_) => self.input = None,
        }
        if self.unwritten.is_empty() && self.close_when_written {
            self.input = None;
        }
    }
}

/// Returns true if the action may become possible later.
fn is_not_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;

/// A job's standard error: a line from the launcher, then the agent's output.
#[derive(Debug)]
pub(super) struct LauncherLog {
    secret: String,
    /// The launcher's line with its newline, or its start.
    line: Vec<u8>,
    /// The start of the rest.
    first: Vec<u8>,
    /// The end of the rest.
    last: VecDeque<u8>,
    written: u64,
}

/// The line from the launcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LauncherLine {
    Started {
        /// CPU time that the launcher had used before, and the user time in it.
        launcher: LauncherTime,
        at: Instant,
    },
    Failed(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LauncherTime {
    /// User and system.
    pub(super) cpu: Duration,
    pub(super) user: Duration,
}

/// Number of bytes kept from the start and from the end; anything in between is discarded.
const KEPT: usize = 8 << 10;

/// Prefix of the launcher's line when it becomes an agent.
const STARTED: &str = "started ";

/// Line printed by a launcher that has used this much CPU time and is about to become an agent.
pub(super) fn started_line(LauncherTime { cpu, user }: LauncherTime) -> String {
    format!("{STARTED}{} {} {}\n", cpu.as_nanos(), user.as_nanos(), since_boot().as_nanos())
}

/// Time since boot, on a clock shared by all processes.
fn since_boot() -> Duration {
    // This clock exists on every Linux system.
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(Duration::ZERO, Duration::from)
}

/// Parses CPU time, user time and time since boot, in nanoseconds.
fn times(text: &str) -> Option<(LauncherTime, Duration)> {
    let mut times = text.split(' ').map(|time| time.parse().ok().map(Duration::from_nanos));
    let mut next = || times.next().flatten();
    Some((LauncherTime { cpu: next()?, user: next()? }, next()?))
}

impl LauncherLog {
    /// Creates an empty log; the launcher's last message starts with `secret`.
    pub(super) fn new(secret: String) -> LauncherLog {
        LauncherLog { secret, line: Vec::new(), first: Vec::new(), last: VecDeque::new(), written: 0 }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        let is_open = self.line.last() != Some(&b'\n') && self.line.len() < KEPT;
        let end = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |newline| newline + 1);
        let (line, agents) = bytes.split_at(if is_open { end } else { 0 });
        self.line.extend_from_slice(line);
        let room = KEPT - self.first.len();
        self.first.extend_from_slice(&agents[..agents.len().min(room)]);
        self.written += agents.len() as u64;
        self.last.extend(agents);
        let surplus = self.last.len().saturating_sub(KEPT);
        self.last.drain(..surplus);
    }

    /// Returns the launcher's line once it is complete.
    pub(super) fn launcher_line(&self) -> Option<LauncherLine> {
        let line = String::from_utf8_lossy(self.line.strip_suffix(b"\n")?);
        match line.strip_prefix(STARTED).and_then(times) {
            Some((launcher, since)) => {
                let at = Instant::now() - since_boot().saturating_sub(since);
                Some(LauncherLine::Started { launcher, at })
            }
            None => Some(LauncherLine::Failed(line.strip_prefix("failed ").unwrap_or(&line).to_owned())),
        }
    }

    /// Returns the reason if the agent did not start. Must be called after the job has ended.
    pub(super) fn not_started(&self) -> Option<String> {
        match self.launcher_line() {
            None => Some("the launcher was ended before the agent started".to_owned()),
            Some(LauncherLine::Failed(why)) => Some(why),
            Some(LauncherLine::Started { .. }) => {
                let why = self.first.strip_prefix(self.secret.as_bytes())?;
                Some(String::from_utf8_lossy(why).into_owned())
            }
        }
    }

    /// Takes the agent's output, without its middle if that is too long.
    pub(super) fn take_output(&mut self) -> Vec<u8> {
        let end: Vec<u8> = std::mem::take(&mut self.last).into();
        // Both ends of a short output overlap.
        let before = self.written - end.len() as u64;
        let start = &self.first[..self.first.len().min(usize::try_from(before).unwrap_or(usize::MAX))];
        without_middle(start, before - start.len() as u64, &end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_launcher_can_report_that_nothing_started() {
        let log = |text: &str| {
            let mut log = LauncherLog::new("s3cret".to_owned());
            text.as_bytes().chunks(3).for_each(|some| log.add(some));
            log
        };
        assert_eq!(log("").not_started().as_deref(), Some("the launcher was ended before the agent started"));
        assert_eq!(log("failed no user\n").not_started().as_deref(), Some("no user"));
        assert_eq!(log("started 1000 400 5\ns3cretno such file").not_started().as_deref(), Some("no such file"));
        assert_eq!(log("started 1000 400 5\nfailed ha\n").not_started(), None);
        assert_eq!(log("started 1000 400 5\nhello s3cret\n").not_started(), None);
        assert_eq!(log("started 1000 400 5\nhello\n").take_output(), b"hello\n");
        let start = Instant::now();
        let time = LauncherTime { cpu: Duration::from_micros(3), user: Duration::from_micros(1) };
        let line = log(&started_line(time)).launcher_line();
        let Some(LauncherLine::Started { launcher, at }) = line else { panic!("{line:?}") };
        assert_eq!(launcher, time);
        assert!(at + Duration::from_millis(1) > start && at <= Instant::now());
    }

    #[test]
    fn both_ends_of_endless_output_are_kept() {
        let written_after = |line: &str, numbers: u32| {
            let mut log = LauncherLog::new(String::new());
            log.add(line.as_bytes());
            let text: String = (0..numbers).map(|number| format!("{number:07}\n")).collect();
            text.as_bytes().chunks(1000).for_each(|some| log.add(some));
            (String::from_utf8(log.take_output()).unwrap(), text)
        };
        let written = |numbers: u32| written_after("started 1 1 1\n", numbers);
        for numbers in [0, 1, 1024, 1025, 2048] {
            let (kept, text) = written(numbers);
            assert_eq!(kept, text, "{numbers}");
        }
        let (kept, _) = written(10_000);
        assert!(kept.len() < 2 * KEPT + 50, "{}", kept.len());
        assert!(kept.starts_with("0000000\n0000001\n") && kept.ends_with("0009998\n0009999\n"), "{kept}");
        assert!(kept.contains("\n[63616 bytes left out]\n"), "{kept}");
        // The launcher's line has as many digits as its times.
        assert_eq!(written_after("started 12345 678 9\n", 10_000).0, kept);
    }
}
