//! How is a program under test run? As a child process whose streams are pumped by threads of their own, so that
//! neither a program that reads nothing nor one that prints without end blocks its script.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::exchange::{Exchange, Stream};
use super::groups::{self, ProcessGroup};
use super::trace::{Flow, Trace};
use crate::protocol::commands::grammar::Listener;
use crate::protocol::commands::{InputLine, LONGEST_LINE, read_line};

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
    trace: Trace,
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
        trace: Trace,
    ) -> io::Result<TestedProgram> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, group) = groups::spawn(&mut command)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, lines) = mpsc::channel();
        // From here on an error drops the program, which kills it.
        let program = TestedProgram { number, child, group: Some(group), input: RefCell::new(Some(input)), trace };
        if let Some(stdin) = stdin {
            thread::Builder::new().spawn(move || pump_input(stdin, &lines))?;
        }
        if let Some(stdout) = stdout {
            let exchange = Arc::clone(exchange);
            thread::Builder::new().spawn(move || pump_output(stdout, number, &exchange, trace))?;
        }
        if let Some(stderr) = stderr {
            let exchange = Arc::clone(exchange);
            thread::Builder::new().spawn(move || pump_errors(stderr, number, &exchange, trace))?;
        }
        Ok(program)
    }

    /// Hands over bytes for standard input, and waits for nothing. A program that has closed it or has
    /// ended does not get them.
    pub(super) fn send(&self, bytes: &[u8]) {
        if let Some(input) = &*self.input.borrow() {
            self.trace.show(self.number, Flow::Sent, &String::from_utf8_lossy(bytes));
            let _ = input.send(bytes.to_vec());
        }
    }

    /// Closes standard input behind what has been sent.
    pub(super) fn close(&self) {
        self.input.replace(None);
    }

    /// Closes standard input behind what has been sent, and waits for the program to end. At the
    /// deadline, or when told to give up, it is killed; then there is no status.
    pub(super) fn finish(mut self, deadline: Instant, give_up: impl Fn() -> bool) -> Option<ExitStatus> {
        self.close();
        let is_patient = || Instant::now() < deadline && !give_up();
        while !self.has_ended() && is_patient() {
            thread::sleep(POLL_INTERVAL);
        }
        let ended = self.has_ended();
        self.end().filter(|_| ended)
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

/// Stops where the program closes its input or ends.
fn pump_input(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn pump_output(stdout: impl Read, number: usize, exchange: &Exchange, trace: Trace) {
    let mut listener = Listener::new(exchange.rules.grammar);
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stdout, most, |line| {
        trace.show(number, Flow::Received, line);
        exchange.add_line(number, listener.hear(line));
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines"));
    }
    exchange.end_stream(number, Stream::Output);
}

fn pump_errors(stderr: impl Read, number: usize, exchange: &Exchange, trace: Trace) {
    let most = exchange.rules.most_lines;
    let read_all = pump_lines(stderr, most, |line| {
        trace.show(number, Flow::Error, line);
        exchange.add_error_line(number, line);
    });
    if !read_all {
        exchange.fail(number, format!("printed more than {most} lines on standard error"));
    }
    exchange.end_stream(number, Stream::Errors);
}

/// Whether the stream ended within `most` lines. A remark takes the place of a line that is too long.
fn pump_lines(stream: impl Read, most: usize, mut take: impl FnMut(&str)) -> bool {
    let mut stream = BufReader::new(stream);
    let too_long = format!("(a line of more than {LONGEST_LINE} bytes)");
    let mut lines = 0;
    loop {
        let line = match read_line(&mut stream) {
            Ok(InputLine::End) | Err(_) => return true,
            Ok(InputLine::TooLong) => too_long.clone(),
            Ok(InputLine::Text(text)) => text,
        };
        lines += 1;
        if lines > most {
            return false;
        }
        take(&line);
    }
}
