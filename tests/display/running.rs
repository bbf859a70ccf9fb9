//! A running `loa --display` or `master play --display` with its terminal, and pages that talk to it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::command::*;

/// Time limit for each wait, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program whose terminal is a pipe.
pub(super) struct Running {
    pub(super) dir: Dir,
    child: Child,
    terminal: Option<ChildStdin>,
    output: Receiver<String>,
    pub(super) errors: Receiver<String>,
    pub(super) port: u16,
    pub(super) token: String,
}

/// A page that listens to events.
pub(super) struct Page {
    lines: BufReader<TcpStream>,
    /// Last state of the game.
    pub(super) game: Value,
    /// Last state of the search.
    pub(super) thought: Value,
    /// True if the program has announced its end.
    pub(super) has_ended: bool,
}

/// The topic of a message to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    Game,
    Thought,
}

/// The client's action after it has sent a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Wait for the answer.
    Listen,
    /// Close the sending side, so that the server does not wait for the rest of an incomplete request.
    HangUp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// Header value of the answer that lasts as long as the server.
const EVENTS: &[u8] = b"text/event-stream";

impl Running {
    pub(super) fn start(arguments: &[&str]) -> Running {
        Running::start_in(Dir::new(), arguments)
    }

    pub(super) fn start_in(dir: Dir, arguments: &[&str]) -> Running {
        let mut command = Program::Loa.command();
        command.arg("--display").args(arguments);
        Running::start_command(dir, command)
    }

    /// Number of files that the program has open.
    #[cfg(target_os = "linux")]
    pub(super) fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).expect("its descriptors").count()
    }

    /// Starts a program that opens a page.
    pub(super) fn start_command(dir: Dir, mut command: Command) -> Running {
        command.current_dir(dir.path(""));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a program");
        let output = lines(child.stdout.take().expect("a pipe"));
        let errors = lines(child.stderr.take().expect("a pipe"));
        let terminal = child.stdin.take();
        let mut running = Running { dir, child, terminal, output, errors, port: 0, token: String::new() };
        let address = running.error_with("The board is at http://127.0.0.1:");
        let (port, token) = address.rsplit_once("127.0.0.1:").expect("an address").1.split_once('/').expect("a path");
        running.port = port.parse().expect("a port");
        token.trim_end_matches('/').clone_into(&mut running.token);
        running
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Types a line, or several, in the terminal.
    pub(super) fn type_line(&mut self, line: &str) {
        let terminal = self.terminal.as_mut().expect("a terminal");
        writeln!(terminal, "{line}").expect("a terminal that is read");
    }

    /// Waits for an output line that contains this text.
    pub(super) fn output_with(&self, text: &str) -> String {
        wait_for(&self.output, text)
    }

    /// Waits for an error line that contains this text.
    pub(super) fn error_with(&self, text: &str) -> String {
        wait_for(&self.errors, text)
    }

    /// Sends a request as a page does.
    pub(super) fn post(&self, what: &str, body: &str) -> Answer {
        self.request("POST", &format!("/{}/{what}", self.token), &[], body.as_bytes())
    }

    /// Sends a command, and checks that it is executed.
    #[track_caller]
    pub(super) fn ask(&self, line: &str) {
        let answer = self.post("command", line);
        assert_eq!(answer.status, 204, "{line}: {answer:?}; {}", self.told());
    }

    /// The program's error lines that no test has waited for, to explain a failure.
    fn told(&self) -> String {
        let lines: Vec<String> = self.errors.try_iter().collect();
        format!("the program's errors: {lines:#?}")
    }

    pub(super) fn get(&self, what: &str) -> Answer {
        self.request("GET", &format!("/{}/{what}", self.token), &[], b"")
    }

    /// Sends a request with these headers. A `Host` header replaces the correct one.
    pub(super) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| *name != "Host") {
            text += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let answer = self.raw(&[text.as_bytes(), b"\r\n", body].concat(), After::Listen);
        let text = String::from_utf8_lossy(&answer);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Sends bytes, and returns the complete answer.
    pub(super) fn raw(&self, bytes: &[u8], after: After) -> Vec<u8> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let mut answer = Vec::new();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(bytes);
        if after == After::HangUp {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut buffer = [0; 4096];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(bytes) => answer.extend_from_slice(&buffer[..bytes]),
                // A signal interrupts a read that has a time limit.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("no answer: {error}; {}", self.told()),
            }
            // The event stream lasts as long as the server, so a client that hangs up does not wait for its end.
            if after == After::HangUp && answer.windows(EVENTS.len()).any(|part| part == EVENTS) {
                break;
            }
        }
        answer
    }

    /// Opens a page that listens to events.
    pub(super) fn page(&self) -> Page {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        write!(stream, "GET /{}/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.token, self.port)
            .expect("a request");
        let mut page =
            Page { lines: BufReader::new(stream), game: Value::Null, thought: Value::Null, has_ended: false };
        page.hear_until(|page| page.game.is_object());
        page
    }

    /// Waits for the program to end, and returns its exit code.
    #[track_caller]
    pub(super) fn exit_code(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the program has not ended");
    }

    pub(super) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
    }

    /// Ends the terminal's input.
    pub(super) fn hang_up(&mut self) {
        self.terminal = None;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    #[track_caller]
    pub(super) fn hear_until(&mut self, holds: impl Fn(&Page) -> bool) {
        while !holds(self) {
            self.hear();
        }
    }

    /// Listens for the next state of the game.
    #[track_caller]
    pub(super) fn hear_game(&mut self) -> &Value {
        while self.hear() != Heard::Game {}
        &self.game
    }

    #[track_caller]
    fn hear(&mut self) -> Heard {
        let mut heard = Heard::Thought;
        let start = Instant::now();
        loop {
            // The server keeps the connection alive, so reading alone would never time out.
            assert!(start.elapsed() < PATIENCE, "the page receives no event: {}", self.game);
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("an event");
            assert!(read > 0, "the event stream has ended: {}", self.game);
            if line.starts_with("event: game") || line.starts_with("event: last") {
                heard = Heard::Game;
                self.has_ended = line.starts_with("event: last");
            } else if let Some(data) = line.strip_prefix("data: ") {
                let value = serde_json::from_str(data).expect("JSON");
                *(if heard == Heard::Game { &mut self.game } else { &mut self.thought }) = value;
                return heard;
            }
        }
    }

    /// Listens until the game has this number of moves.
    #[track_caller]
    pub(super) fn hear_moves(&mut self, count: usize) {
        self.hear_until(|page| page.moves().len() == count);
    }

    pub(super) fn moves(&self) -> Vec<String> {
        let moves = self.game["moves"].as_array().expect("moves");
        moves.iter().map(|mv| mv["text"].as_str().expect("a move").to_owned()).collect()
    }
}

/// Sends the lines of a stream as they arrive. A last line without a newline arrives at the end.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

#[track_caller]
fn wait_for(lines: &Receiver<String>, text: &str) -> String {
    let start = Instant::now();
    let mut seen = Vec::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
        if line.contains(text) {
            return line;
        }
        seen.push(line);
    }
    panic!("no line with {text:?} among {seen:#?}");
}
