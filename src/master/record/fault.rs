//! Faults of agents.

use std::fmt;

use serde::{Deserialize, Serialize};

use kingline::game::{Color, ParseError};

/// A breach of the rules as a player reports it to the referee, without side or turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Text read, or event seen; the output of an agent has lines of its own.
    pub read: String,
    /// Text or event that was expected.
    pub expected: String,
}

/// A [`Violation`] as it is recorded, with its side and turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The side at fault.
    pub side: Color,
    /// 1-based number of the turn, counting both sides and the opening.
    pub turn: u32,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Text read, or event seen.
    pub read: String,
    /// Text or event that was expected.
    pub expected: String,
}

/// Kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started.
    NotStarted,
    /// It ran out of time.
    OverTime,
    /// It did not end, but used hardly any CPU time.
    Hung,
    /// It exceeded its memory limit.
    OverMemory,
    /// It wrote too many bytes or files.
    OverDisk,
    /// It printed a line that is too long.
    OverOutput,
    /// It crashed without an answer.
    Crashed,
    /// It ended without an answer.
    NoAnswer,
    /// Its answer is empty.
    EmptyAnswer,
    /// Its answer is not a regular file but a link, a pipe, a directory or the like.
    NotAFile,
    /// Its answer is longer than any valid answer.
    TooLong,
    /// Its answer is not well formed.
    IllFormed,
    /// Its move is not legal.
    Illegal,
    /// It named the wrong winner.
    WrongWinner,
}

impl Violation {
    /// Violation in text that could not be parsed.
    pub fn parsing(kind: FaultKind, error: ParseError) -> Violation {
        Violation { kind, read: error.found, expected: error.expected }
    }

    /// Turns it into a fault of this side; `turn` is counted as in [`Fault::turn`].
    pub fn by(self, side: Color, turn: u32) -> Fault {
        let Violation { kind, read, expected } = self;
        Fault { side, turn, kind, read, expected }
    }
}

impl Fault {
    /// The fault without side and turn.
    pub fn violation(&self) -> Violation {
        Violation { kind: self.kind, read: self.read.clone(), expected: self.expected.clone() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { side, turn, kind, read, expected } = self;
        write!(f, "{side} in turn {turn}: {kind}: {}, expected {expected}", on_a_line(read))
    }
}

/// Text in one line: what was read may end with several lines that an agent printed.
pub(crate) fn on_a_line(text: &str) -> String {
    text.lines().map(str::trim).fold(String::new(), |line, next| match &*line {
        "" => next.to_owned(),
        before if before.ends_with(':') => format!("{before} {next}"),
        before => format!("{before} / {next}"),
    })
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NotStarted => "could not be started",
            FaultKind::OverTime => "out of time",
            FaultKind::Hung => "hung",
            FaultKind::OverMemory => "too much memory",
            FaultKind::OverDisk => "too much written",
            FaultKind::OverOutput => "printed a line that is too long",
            FaultKind::Crashed => "crashed",
            FaultKind::NoAnswer => "no answer",
            FaultKind::EmptyAnswer => "empty answer",
            FaultKind::NotAFile => "not a regular file",
            FaultKind::TooLong => "answer too long",
            FaultKind::IllFormed => "ill-formed answer",
            FaultKind::Illegal => "illegal move",
            FaultKind::WrongWinner => "wrong about the winner",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_line_with_the_words_of_the_agent() {
        let (kind, expected) = (FaultKind::Crashed, "a turn in output.txt".to_owned());
        let read = "exit code 1; stderr:\nTraceback:\n  File \"homework.py\", line 3\nLost".to_owned();
        let fault = Violation { kind, read, expected }.by(Color::Black, 3).to_string();
        let words = "Black in turn 3: crashed: exit code 1; stderr: Traceback: File \"homework.py\", line 3 / Lost, expected a \
                     turn in output.txt";
        assert_eq!(fault, words);
    }
}
