//! How does one write to a job and read from it without ever waiting for it?

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::launcher_log::LauncherLog;

/// A job's standard streams, with what waits to be written and what was read.
#[derive(Debug)]
pub(super) struct Streams {
    input: Option<ChildStdin>,
    unwritten: Vec<u8>,
    close_when_written: bool,
    output: Option<ChildStdout>,
    kept: Vec<u8>,
    most_kept: usize,
    beyond: Beyond,
    errors: Option<ChildStderr>,
    pub(super) log: LauncherLog,
}

/// What happens to what a job prints when no more can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    /// It is read and thrown away.
    ThrownAway,
    /// It is not read: the job waits.
    Waits,
}

/// What counts as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Only what ends in LF.
    None,
    /// Also what follows the last LF.
    Any,
}

/// What can be done without waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready {
    /// To reap the job: it has ended.
    pub(super) end: bool,
    /// To read what it printed, or that it has closed a stream.
    pub(super) read: bool,
    /// To write what it has not read yet.
    pub(super) write: bool,
}

impl Streams {
    /// Those of a child, of whose standard output at most `most_kept` bytes are kept. `first` is the first thing it reads;
    /// `log` takes its standard error.
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
            beyond: Beyond::ThrownAway,
            errors,
            log,
        };
        streams.write();
        Ok(streams)
    }

    /// Lets what it prints wait until it is read, instead of throwing away what is too much.
    pub(super) fn keep_lines(&mut self) {
        self.beyond = Beyond::Waits;
    }

    /// Adds to its standard input; it gets the bytes as soon as it reads.
    pub(super) fn give(&mut self, bytes: &[u8]) {
        self.unwritten.extend_from_slice(bytes);
        self.write();
    }

    /// Closes its standard input once everything is written.
    pub(super) fn close_input(&mut self) {
        self.close_when_written = true;
        self.write();
    }

    /// Bytes that it has not read yet; `None` once its standard input is closed.
    pub(super) fn not_taken(&self) -> Option<usize> {
        self.input.as_ref().map(|_| self.unwritten.len())
    }

    /// Whether its standard output is open.
    pub(super) fn is_open(&self) -> bool {
        self.output.is_some()
    }

    /// Takes the next line that it printed; with [`Rest::Any`] also a last one without an LF.
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

    /// Takes all that was kept of what it printed.
    pub(super) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }

    /// Waits until something can be done, for at most `pause`; `end` is readable when the job has ended.
    pub(super) fn wait(&self, end: Option<BorrowedFd<'_>>, pause: Duration) -> io::Result<Ready> {
        let input = self.input.as_ref().filter(|_| !self.unwritten.is_empty());
        let output = self.output.as_ref().filter(|_| self.beyond == Beyond::ThrownAway || self.room() > 0);
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

    /// Reads and writes what can be without waiting.
    ///
    /// # Errors
    /// A line is longer than what may be kept.
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

    /// How many bytes more of what it prints can be kept.
    fn room(&self) -> usize {
        self.most_kept - self.kept.len()
    }

    fn read_output(&mut self) -> Result<(), LineTooLong> {
        let room = self.room();
        let Some(stream) = &mut self.output else { return Ok(()) };
        let mut buffer = [0; 1 << 14];
        let wanted = if self.beyond == Beyond::Waits { room.min(buffer.len()) } else { buffer.len() };
        if wanted == 0 {
            return Ok(());
        }
        match stream.read(&mut buffer[..wanted]) {
            Ok(count @ 1..) => self.kept.extend_from_slice(&buffer[..count.min(room)]),
            Err(error) if is_not_now(&error) => {}
            _ => self.output = None,
        }
        if self.beyond == Beyond::Waits && self.room() == 0 && !self.kept.contains(&b'\n') {
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
            // It has closed its input.
            Err(_) => self.input = None,
        }
        if self.unwritten.is_empty() && self.close_when_written {
            self.input = None;
        }
    }
}

/// Whether something may be possible later.
fn is_not_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// A job has printed a line that is longer than what may be kept of its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;
