//! Program under test: a child process. Separate threads pump its streams, so that neither a program that reads nothing
//! nor one that prints endlessly blocks its script.

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
use super::trace::{Flow, TraceMark, Tracer};
use crate::protocol::commands::grammar::{Line, LineParser};
use crate::protocol::commands::{LineBytes, read_line_bytes};

/// Interval between checks for the end of a program.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Longest wait for a killed program to end. Another user's program cannot be killed.
const KILLING: Duration = Duration::from_secs(2);

/// Running program that is killed when dropped, with everything it started.
#[derive(Debug)]
pub(super) struct TestedProgram {
    number: usize,
    child: Child,
    group: Option<ProcessGroup>,
    /// Sender of lines for standard input; dropping it closes the input.
    input: RefCell<Option<Sender<Vec<u8>>>>,
    /// Other end of standard input, which contains everything that the program has not read.
    unread: PipeReader,
    tracer: Tracer,
    trace_mark: TraceMark,
}

/// End of a program.
#[derive(Debug)]
pub(super) struct ProgramEnd {
    /// Exit status; `None` if the program had to be killed.
    pub(super) status: Option<ExitStatus>,
    /// First line, or rest of a line, that the program did not read, cut to 40 characters.
    pub(super) unsent: Option<String>,
}

/// Line that a program has printed.
enum PrintedLine {
    Whole(String),
    /// Start of a line longer than [`LONGEST_LINE`].
    Start(String),
}

impl TestedProgram {
    /// Starts a program. `number` is 0-based.
    ///
    /// # Errors
    /// The system cannot start the program or the threads of its streams.
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
        // An error from here on drops the program, which kills it.
        let (group, input) = (Some(group), RefCell::new(Some(input)));
        let (tracer, trace_mark) = (tracer.clone(), exchange.rules.trace_mark);
        let program = TestedProgram { number, child, group, input, unread, tracer, trace_mark };
        thread::Builder::new().spawn(move || pump_input(stdin, &lines))?;
        if let Some(stdout) = stdout {
            let (exchange, tracer) = (Arc::clone(exchange), program.tracer.clone());
            thread::Builder::new().spawn(move || pump_output(stdout, number, &exchange, &tracer))?;
        }
        if let Some(stderr) = stderr {
            let (exchange, tracer) = (Arc::clone(exchange), program.tracer.clone());
            thread::Builder::new().spawn(move || pump_errors(stderr, number, &exchange, &tracer))?;
        }
        Ok(program)
    }

    /// Queues bytes for standard input, without waiting.
    pub(super) fn send(&self, bytes: &[u8]) {
        if let Some(input) = &*self.input.borrow() {
            self.tracer.show(self.trace_mark, self.number, Flow::Sent, &String::from_utf8_lossy(bytes));
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes standard input once everything queued is written.
    pub(super) fn close(&self) {
        self.input.replace(None);
    }

    /// Closes standard input once everything queued is written, and waits for the program to end. At the deadline, or
    /// when `give_up` returns true, the program is killed and has no status.
    pub(super) fn finish(mut self, deadline: Instant, give_up: impl Fn() -> bool) -> ProgramEnd {
        self.close();
        let is_patient = || Instant::now() < deadline && !give_up();
        while !self.has_ended() && is_patient() {
            thread::sleep(POLL_INTERVAL);
        }
        let ended = self.has_ended();
        let status = self.end().filter(|_| ended);
        let mut bytes = Vec::new();
        // Reads to the end of the pipe, or up to an error.
        let _ = self.unread.read_to_end(&mut bytes);
        let unsent = String::from_utf8_lossy(&bytes).lines().next().map(|line| line.chars().take(40).collect());
        ProgramEnd { status, unsent }
    }

    /// Kills the program and everything it started, and reaps it. `None` if it cannot be killed.
    fn end(&mut self) -> Option<ExitStatus> {
        if self.group.take().is_some() {
            // The program may have left its group. If it has already ended, that is not an error.
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

    /// Returns true if the process has ended. Does not reap it.
    #[cfg(target_os = "linux")]
    fn has_ended(&self) -> bool {
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        use nix::unistd::Pid;

        let id = Id::Pid(Pid::from_raw(self.child.id().cast_signed()));
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        !matches!(waitid(id, look), Ok(WaitStatus::StillAlive))
    }

    /// Returns true if the process has ended. nix has `waitid` only on Linux, so the process is reaped here, just
    /// before its group is killed; pids are not reused that soon.
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

/// Writes lines to standard input. If the pipe is full, a line waits until the program reads, or until
/// [`TestedProgram::finish`].
fn pump_input(mut stdin: PipeWriter, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn pump_output(stdout: impl Read, number: usize, exchange: &Exchange, tracer: &Tracer) {
    let mut parser = LineParser::new(exchange.rules.grammar);
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stdout, most, |line| {
        tracer.show(exchange.rules.trace_mark, number, Flow::Received, line.shown());
        let parsed = match &line {
            PrintedLine::Whole(text) => parser.parse_line(text),
            PrintedLine::Start(text) => match parser.parse_line(text) {
                Line::Dump(_) => Line::Malformed(format!("printed a dump line of more than {LONGEST_LINE} bytes")),
                parsed => parsed,
            },
        };
        exchange.add_line(number, parsed);
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines"));
    }
    exchange.end_stream(number, Stream::Output);
}

fn pump_errors(stderr: impl Read, number: usize, exchange: &Exchange, tracer: &Tracer) {
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stderr, most, |line| {
        tracer.show(exchange.rules.trace_mark, number, Flow::Error, line.shown());
        exchange.add_error_line(number, line.text());
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines on standard error"));
    }
    exchange.end_stream(number, Stream::Errors);
}

/// Takes the lines of a stream, and returns true if it ended within `most` lines.
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

    /// Text for the trace. A remark replaces a line that is too long.
    fn shown(&self) -> &str {
        match self {
            PrintedLine::Whole(text) => text,
            PrintedLine::Start(_) => "(a line of more than 16 MiB)",
        }
    }
}
