//! A running program, to which lines are sent and whose lines are read one by one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::programs::Program;

/// A running program; killed when dropped.
pub(crate) struct Dialog {
    process: Child,
    /// `None` after [`hang_up`](Self::hang_up), like the output.
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Dialog {
    pub(crate) fn new(program: Program, arguments: &[&str]) -> Dialog {
        let mut command = program.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a process");
        let input = process.stdin.take();
        let output = process.stdout.take().map(BufReader::new);
        Dialog { process, input, output }
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input.as_ref().expect("an open input"), "{line}").expect("a line");
    }

    /// Closes both streams, as another program does when it ends. Returns the status of this one at its end.
    pub(crate) fn hang_up(mut self) -> ExitStatus {
        (self.output, self.input) = (None, None);
        self.process.wait().expect("a process")
    }

    /// The next line without prompts before it; `None` at the end of the output.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let count = self.output.as_mut().expect("an open output").read_line(&mut line).expect("a line");
        let text = line.rsplit("> ").next().unwrap_or_default();
        (count > 0).then(|| text.trim_end().to_owned())
    }

    /// The next line that begins with this word; others are passed over.
    pub(crate) fn hear(&mut self, word: &str) -> String {
        while let Some(line) = self.line() {
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
        panic!("no {word}");
    }

    /// The next line that begins with this word, after another line is sent.
    pub(crate) fn ask(&mut self, line: &str, word: &str) -> String {
        self.say(line);
        self.hear(word)
    }

    /// Starts a hundred searches with this line, and asserts that each ends at once after `stop`.
    pub(crate) fn assert_stops_within_ten_milliseconds(&mut self, line: &str) {
        let time = |_| {
            self.say(line);
            std::thread::sleep(Duration::from_millis(30));
            let stop = Instant::now();
            self.ask("stop", "done");
            stop.elapsed()
        };
        let mut times: Vec<Duration> = (0..100).map(time).collect();
        times.sort();
        println!("median {:?}, slowest {:?}", times[50], times[99]);
        assert!(times[99] < Duration::from_millis(10), "{times:?}");
    }
}

impl Drop for Dialog {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
