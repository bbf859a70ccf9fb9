//! A job's standard streams, written and read without blocking.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::launcher_log::LauncherLog;

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
    /// Not a line.
    None,
    /// A line.
    Any,
}

/// Actions that are possible without blocking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ready {
    /// Reaping the job, which has ended.
    pub(super) end: bool,
    /// Reading its output or the end of a stream.
    pub(super) read: bool,
    /// Writing to its standard input.
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

    /// Appends to the job's standard input.
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

    /// Returns true if the job's standard output is open.
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

    /// Takes all of the kept output.
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
    ///
    /// # Errors
    /// A line exceeds the limit.
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

    /// Number of bytes of output that can still be kept.
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

/// A line of a job's output exceeds the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;
