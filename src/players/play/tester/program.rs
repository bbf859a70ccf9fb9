//! Program under test: a child process. Separate threads pump its streams, so that neither a program that reads nothing
//! nor one that prints endlessly blocks its script. Each program has its own process group, so that everything it started
//! can be killed when its test ends.

use std::cell::RefCell;
use std::io::{self, BufReader, PipeReader, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::exchange::{Exchange, Stream};
use super::rules::LONGEST_LINE;
use super::rules::{Flow, Tracer};
use crate::process::{end_on, has_ended, unblocked};
use crate::protocol::commands::grammar::{Line, LineParser};
use crate::protocol::commands::{LineBytes, read_line_bytes};

/// Interval between checks for the end of a program.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// Longest wait for a killed program to end. Another user's program cannot be killed.
const KILLING: Duration = Duration::from_secs(2);

/// Groups that have not been killed yet.
static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Running program that is killed when dropped, with everything it started.
#[derive(Debug)]
pub(super) struct TestedProgram {
    number: usize,
    child: Child,
    /// `None` once it has been killed. Until then its first process must not be reaped, or its pid could be reused.
    group: Option<Pid>,
    /// Sender of lines for standard input; dropping it closes the input.
    input: RefCell<Option<Sender<Vec<u8>>>>,
    /// Other end of standard input, which contains everything that the program has not read.
    unread: PipeReader,
    exchange: Arc<Exchange>,
    tracer: Tracer,
}

#[derive(Debug)]
pub(super) struct ProgramEnd {
    /// Exit status; `None` if the program had to be killed.
    pub(super) status: Option<ExitStatus>,
    /// First line, or rest of a line, that the program did not read, cut to 40 characters.
    pub(super) unsent: Option<String>,
}

impl TestedProgram {
    /// Starts a program in its own process group. `number` is 0-based.
    pub(super) fn start(
        mut command: Command,
        number: usize,
        exchange: &Arc<Exchange>,
        tracer: &Tracer,
    ) -> io::Result<TestedProgram> {
        let (unread, stdin) = io::pipe()?;
        command.stdin(unread.try_clone()?).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut live = live();
        let mut child = unblocked(|| command.process_group(0).spawn())??;
        let group = Pid::from_raw(child.id().cast_signed());
        live.push(group);
        drop(live);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (input, lines) = mpsc::channel();
        // An error from here on drops the program, which kills it.
        let (group, input) = (Some(group), RefCell::new(Some(input)));
        let (exchange, tracer) = (Arc::clone(exchange), tracer.clone());
        let program = TestedProgram { number, child, group, input, unread, exchange, tracer };
        thread::Builder::new().spawn(move || pump_input(stdin, &lines))?;
        program.pump(stdout, Stream::Output)?;
        program.pump(stderr, Stream::Errors)?;
        Ok(program)
    }

    fn pump(&self, stream: Option<impl Read + Send + 'static>, kind: Stream) -> io::Result<()> {
        let Some(stream) = stream else { return Ok(()) };
        let (number, exchange, tracer) = (self.number, Arc::clone(&self.exchange), self.tracer.clone());
        thread::Builder::new().spawn(move || pump_output(stream, kind, number, &exchange, &tracer))?;
        Ok(())
    }

    /// Queues bytes for standard input, without waiting.
    pub(super) fn send(&self, bytes: &[u8]) {
        if let Some(input) = &*self.input.borrow() {
            let mark = self.exchange.rules.trace_mark;
            self.tracer.show(mark, self.number, Flow::Sent, &String::from_utf8_lossy(bytes));
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
        while !self.has_ended() && Instant::now() < deadline && !give_up() {
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

    fn has_ended(&mut self) -> bool {
        has_ended(&mut self.child).unwrap_or(true)
    }

    /// Kills the program and everything it started, and reaps it. `None` if it cannot be killed.
    fn end(&mut self) -> Option<ExitStatus> {
        if let Some(group) = self.group.take() {
            let mut live = live();
            kill(group);
            live.retain(|&other| other != group);
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
}

impl Drop for TestedProgram {
    fn drop(&mut self) {
        self.end();
    }
}

/// Makes SIGINT, SIGTERM and SIGHUP kill all programs started here, and then end this one with the exit code that
/// shells use. Must be called before any thread is started, because signal masks are per thread.
///
/// # Errors
/// The system cannot wait for signals.
pub fn end_programs_on_signals() -> io::Result<()> {
    end_on([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP], |signal| {
        // The lock is held to the end, so that no more programs start.
        let live = live();
        live.iter().for_each(|&group| kill(group));
        std::process::exit(128 + signal as i32);
    })
}

/// Kills a group. An empty group is not an error.
fn kill(group: Pid) {
    let _ = killpg(group, Signal::SIGKILL);
}

fn live() -> MutexGuard<'static, Vec<Pid>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
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

fn pump_output(stream: impl Read, kind: Stream, number: usize, exchange: &Exchange, tracer: &Tracer) {
    let mut parser = LineParser::new(exchange.rules.grammar);
    let most = exchange.rules.most_lines;
    let (flow, place) = match kind {
        Stream::Output => (Flow::Received, ""),
        Stream::Errors => (Flow::Error, " on standard error"),
    };
    let read_all = pump_lines(stream, most, |text, is_whole| {
        tracer.show(exchange.rules.trace_mark, number, flow, shown(text, is_whole));
        if kind == Stream::Errors {
            return exchange.add_error_line(number, text);
        }
        let line = match parser.parse_line(text) {
            Line::Dump(_) if !is_whole => {
                Line::Malformed(format!("printed a dump line of more than {LONGEST_LINE} bytes"))
            }
            parsed => parsed,
        };
        exchange.add_line(number, line);
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines{place}"));
    }
    exchange.end_stream(number, kind);
}

/// Takes the lines of a stream, each whole or only the start of one longer than [`LONGEST_LINE`]. Returns true if the
/// stream ended within `most` lines.
fn pump_lines(stream: impl Read, most: usize, mut take: impl FnMut(&str, bool)) -> bool {
    let mut stream = BufReader::new(stream);
    let mut lines = 0;
    loop {
        let (bytes, is_whole) = match read_line_bytes(&mut stream, LONGEST_LINE) {
            Ok(LineBytes::End) | Err(_) => return true,
            Ok(LineBytes::Start(bytes)) => (bytes, false),
            Ok(LineBytes::Whole(bytes)) => (bytes, true),
        };
        lines += 1;
        if lines > most {
            return false;
        }
        take(&printed_text(bytes), is_whole);
    }
}

/// Text for the trace. A remark replaces a line that is too long.
fn shown(text: &str, is_whole: bool) -> &str {
    if is_whole { text } else { "(a line of more than 16 MiB)" }
}

/// Text of printed or expected bytes. Invalid UTF-8 is dropped (§1).
pub(super) fn printed_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().utf8_chunks().map(|chunk| chunk.valid()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_dropped() {
        for (bytes, text) in
            [(&b"- b\r"[..], "- b\r"), (b"\xff-\xc3 \xe2\x82b\xf0", "- b"), (b"\xc3\xa9\xff", "\u{e9}")]
        {
            assert_eq!(printed_text(bytes.to_vec()), text);
        }
    }
}
