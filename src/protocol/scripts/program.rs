//! How is a program under test run? As a child process whose streams are pumped by threads of their own, so that
//! neither a program that reads nothing nor one that prints without end blocks its script.

use std::cell::RefCell;
use std::io::{self, BufReader, PipeReader, PipeWriter, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, Stream};
use super::groups::{self, ProcessGroup};
use super::lines::printed_text;
use super::rules::LONGEST_LINE;
use super::trace::{Flow, Tracer};
use crate::protocol::commands::grammar::{Line, Listener};
use crate::protocol::commands::{LineBytes, read_line_bytes};

/// Between two looks at whether a program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// A killed program is waited for this long; one of another user cannot be killed.
const KILLING: Duration = Duration::from_secs(2);

/// A running program; it is killed, with all that it started, when dropped.
#[derive(Debug)]
pub(super) struct TestedProgram {
    number: usize,
    child: Child,
    group: Option<ProcessGroup>,
    /// Lines for standard input, which is closed when this is dropped.
    input: RefCell<Option<Sender<Vec<u8>>>>,
    /// The other end of standard input: what is left in it was never read by the program.
    unread: PipeReader,
    tracer: Tracer,
}

/// How a program has ended.
#[derive(Debug)]
pub(super) struct ProgramEnd {
    /// None if it had to be killed.
    pub(super) status: Option<ExitStatus>,
    /// The first line for it that it has not read, or the rest of that line; at most 40 characters.
    pub(super) unsent: Option<String>,
}

/// A line that a program has printed.
enum PrintedLine {
    Whole(String),
    /// Of a line longer than [`LONGEST_LINE`], the start.
    Start(String),
}

impl TestedProgram {
    /// Starts a program, whose number counts from 0.
    ///
    /// # Errors
    /// The system's, where it cannot be started or pumped.
    pub(super) fn start(
        mut command: Command,
        number: usize,
        exchange: &Arc<Exchange>,
        tracer: &Tracer,
    ) -> io::Result<TestedProgram> {
        let (unread, stdin) = io::pipe()?;
        command.stdin(unread.try_clone()?).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = groups::spawn(&mut command)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (input, lines) = mpsc::channel();
        // From here on an error drops the program, which kills it.
        let (group, input) = (Some(group), RefCell::new(Some(input)));
        let program = TestedProgram { number, child, group, input, unread, tracer: tracer.clone() };
        thread::Builder::new().spawn(move || pump_input(stdin, &lines))?;
        if let Some(stdout) = stdout {
            let (exchange, tracer) = (Arc::clone(exchange), tracer.clone());
            thread::Builder::new().spawn(move || pump_output(stdout, number, &exchange, &tracer))?;
        }
        if let Some(stderr) = stderr {
            let (exchange, tracer) = (Arc::clone(exchange), tracer.clone());
            thread::Builder::new().spawn(move || pump_errors(stderr, number, &exchange, &tracer))?;
        }
        Ok(program)
    }

    /// Hands over bytes for standard input, and waits for nothing.
    pub(super) fn send(&self, bytes: &[u8]) {
        if let Some(input) = &*self.input.borrow() {
            self.tracer.show(self.number, Flow::Sent, &String::from_utf8_lossy(bytes));
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes standard input behind what has been sent.
    pub(super) fn close(&self) {
        self.input.replace(None);
    }

    /// Closes standard input behind what has been sent, and waits for the program to end. At the
    /// deadline, or when asked to give up, it is killed; then there is no status.
    pub(super) fn finish(mut self, deadline: Instant, give_up: impl Fn() -> bool) -> ProgramEnd {
        self.close();
        let is_patient = || Instant::now() < deadline && !give_up();
        while !self.has_ended() && is_patient() {
            thread::sleep(POLL_INTERVAL);
        }
        let ended = self.has_ended();
        let status = self.end().filter(|_| ended);
        let mut bytes = Vec::new();
        // Up to the end of what is being sent; what could be read before an error counts.
        let _ = self.unread.read_to_end(&mut bytes);
        let unsent = String::from_utf8_lossy(&bytes).lines().next().map(|line| line.chars().take(40).collect());
        ProgramEnd { status, unsent }
    }

    /// Kills the program and all that it started, and reaps it. There is no status where that is not allowed.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.group.take().is_some() {
            // It may have left its group; one that has ended already is no error.
            let _ = self.child.kill();
        }
        let deadline = Instant::now() + KILLING;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    /// Whether the process has ended; it is not reaped.
    #[cfg(target_os = "linux")]
    fn has_ended(&self) -> bool {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        use nix::unistd::Pid;

        let id = Id::Pid(Pid::from_raw(self.child.id().cast_signed()));
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        !matches!(waitid(id, look), Ok(WaitStatus::StillAlive))
    }

    /// Whether the process has ended. Elsewhere nix has no `waitid`, so it is reaped, a moment before its group is
    /// killed: pids are not reused that soon.
    #[cfg(not(target_os = "linux"))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for TestedProgram {
    fn drop(&mut self) {
        self.end();
    }
}

/// A line for which the pipe has no room waits for the program to read, or for [`TestedProgram::finish`].
fn pump_input(mut stdin: PipeWriter, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn pump_output(stdout: impl Read, number: usize, exchange: &Exchange, tracer: &Tracer) {
    let mut listener = Listener::new(exchange.rules.grammar);
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stdout, most, |line| {
        tracer.show(number, Flow::Received, line.shown());
        let heard = match &line {
            PrintedLine::Whole(text) => listener.hear(text),
            PrintedLine::Start(text) => match listener.hear(text) {
                Line::Dump(_) => Line::Malformed(format!("printed a line of a dump of more than {LONGEST_LINE} bytes")),
                heard => heard,
            },
        };
        exchange.add_line(number, heard);
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines"));
    }
    exchange.end_stream(number, Stream::Output);
}

fn pump_errors(stderr: impl Read, number: usize, exchange: &Exchange, tracer: &Tracer) {
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stderr, most, |line| {
        tracer.show(number, Flow::Error, line.shown());
        exchange.add_error_line(number, line.text());
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines on standard error"));
    }
    exchange.end_stream(number, Stream::Errors);
}

/// Whether the stream ended within `most` lines.
fn pump_lines(stream: impl Read, most: usize, mut take: impl FnMut(PrintedLine)) -> bool {
    let mut stream = BufReader::new(stream);
    let mut lines = 0;
    loop {
        let line = match read_line_bytes(&mut stream, LONGEST_LINE) {
            Ok(LineBytes::End) | Err(_) => return true,
            Ok(LineBytes::Start(bytes)) => PrintedLine::Start(printed_text(bytes)),
            Ok(LineBytes::Whole(bytes)) => PrintedLine::Whole(printed_text(bytes)),
        };
        lines += 1;
        if lines > most {
            return false;
        }
        take(line);
    }
}

impl PrintedLine {
    fn text(&self) -> &str {
        let (PrintedLine::Whole(text) | PrintedLine::Start(text)) = self;
        text
    }

    /// Its text, or a remark in place of one that is too long.
    fn shown(&self) -> &str {
        match self {
            PrintedLine::Whole(text) => text,
            PrintedLine::Start(_) => "(a line of more than 16 MiB)",
        }
    }
}
