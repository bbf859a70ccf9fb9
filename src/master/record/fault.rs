//! Faults of agents.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hash::in_hex;
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
pub struct Fault {
    /// The side at fault.
    pub side: Color,
    /// Number of the turn, counting both sides and the opening.
    pub turn: u32,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Text read, or event seen.
    pub read: String,
    /// Text or event that was expected.
    pub expected: String,
}

/// Kind of a fault, displayed in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started.
    #[strum(to_string = "could not be started")]
    NotStarted,
    /// It ran out of time.
    #[strum(to_string = "out of time")]
    OverTime,
    /// It did not end, but used hardly any CPU time.
    #[strum(to_string = "hung")]
    Hung,
    /// It exceeded its memory limit.
    #[strum(to_string = "too much memory")]
    OverMemory,
    /// It wrote too many bytes or files.
    #[strum(to_string = "too much written")]
    OverDisk,
    /// It printed a line that is too long.
    #[strum(to_string = "printed a line that is too long")]
    OverOutput,
    /// It crashed without an answer.
    #[strum(to_string = "crashed")]
    Crashed,
    /// It ended without an answer.
    #[strum(to_string = "no answer")]
    NoAnswer,
    /// Its answer is empty.
    #[strum(to_string = "empty answer")]
    EmptyAnswer,
    /// Its answer is not a regular file but a link, a pipe, a directory or the like.
    #[strum(to_string = "not a regular file")]
    NotAFile,
    /// Its answer is longer than any valid answer.
    #[strum(to_string = "answer too long")]
    TooLong,
    /// Its answer is not well formed.
    #[strum(to_string = "ill-formed answer")]
    IllFormed,
    /// Its move is not legal.
    #[strum(to_string = "illegal move")]
    Illegal,
    /// It named the wrong winner.
    #[strum(to_string = "wrong about the winner")]
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

/// A failure of the referee itself. Not an agent's fault: the game must be played again.
///
/// Records contain only its text, as `{"error": "..."}`. Parsing that text is the inverse of [`Display`](fmt::Display).
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
#[serde(from = "FailureText", into = "FailureText")]
pub enum Failure {
    /// The machine was so busy that it spoiled every attempt at a turn or a game.
    #[error("{OVERLOADED}{tries}{TRIES}")]
    Overloaded {
        /// Number of tries.
        tries: u32,
    },
    /// Any other failure, as reported.
    #[error("{0}")]
    Other(String),
}

/// The form of a failure in records.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
struct FailureText {
    /// Reason for the failure.
    error: String,
}

/// Text before the number of tries.
const OVERLOADED: &str = "no result: the machine is overloaded and has spoiled ";
/// Text after the number of tries.
const TRIES: &str = " tries";

impl From<Failure> for FailureText {
    fn from(failure: Failure) -> FailureText {
        FailureText { error: failure.to_string() }
    }
}

impl From<FailureText> for Failure {
    fn from(FailureText { error }: FailureText) -> Failure {
        let tries = || error.strip_prefix(OVERLOADED)?.strip_suffix(TRIES)?.parse().ok();
        match tries() {
            Some(tries) => Failure::Overloaded { tries },
            None => Failure::Other(error),
        }
    }
}

impl From<anyhow::Error> for Failure {
    /// Returns the failure that a player reported or, for any other error, its text with all causes.
    fn from(error: anyhow::Error) -> Failure {
        error.downcast().unwrap_or_else(|other| Failure::Other(format!("{other:#}")))
    }
}

/// Files before and after a turn of an agent, and how its program ended. Long files lack their middle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// playdata.txt before the turn.
    pub playdata: FoundFile,
    /// output.txt after the turn.
    pub output: FoundFile,
    /// Standard error.
    pub stderr: AgentBytes,
    /// End of the program: `exit code 0`.
    pub ended: String,
}

/// A file of an agent, or what was there in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FoundFile {
    /// Its content.
    Content(AgentBytes),
    /// Reason why there is none: `there is no such file`, `a symbolic link`.
    Missing(String),
}

/// Bytes that an agent wrote. JSON has them as text or, if they are no plain text, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredBytes", into = "StoredBytes")]
pub struct AgentBytes(pub Vec<u8>);

/// The form of bytes in JSON: at most twice as long as they are.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredBytes {
    Text(String),
    Hex { hex: String },
}

impl From<AgentBytes> for StoredBytes {
    fn from(AgentBytes(bytes): AgentBytes) -> StoredBytes {
        let is_plain = |text: &String| !text.contains(|letter: char| letter.is_control() && !"\n\r\t".contains(letter));
        match String::from_utf8(bytes) {
            Ok(text) if is_plain(&text) => StoredBytes::Text(text),
            Ok(text) => StoredBytes::Hex { hex: in_hex(text.as_bytes()) },
            Err(error) => StoredBytes::Hex { hex: in_hex(error.as_bytes()) },
        }
    }
}

impl TryFrom<StoredBytes> for AgentBytes {
    type Error = &'static str;

    fn try_from(stored: StoredBytes) -> Result<AgentBytes, &'static str> {
        const WRONG: &str = "expected pairs of hexadecimal digits";
        let hex = match stored {
            StoredBytes::Text(text) => return Ok(AgentBytes(text.into_bytes())),
            StoredBytes::Hex { hex } => hex,
        };
        let digits = hex.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<u32>>>().ok_or(WRONG)?;
        let pairs =
            digits.chunks(2).map(|pair| if let [high, low] = pair { Ok((high << 4 | low) as u8) } else { Err(WRONG) });
        pairs.collect::<Result<_, _>>().map(AgentBytes)
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;
    use crate::record::EndReason;

    #[test]
    fn a_fault_is_one_line_with_the_words_of_the_agent() {
        let (kind, expected) = (FaultKind::Crashed, "a turn in output.txt".to_owned());
        let read = "exit code 1; stderr:\nTraceback:\n  File \"homework.py\", line 3\nLost".to_owned();
        let fault = Violation { kind, read, expected }.by(Color::Black, 3).to_string();
        let words = "Black in turn 3: crashed: exit code 1; stderr: Traceback: File \"homework.py\", line 3 / Lost, expected a \
                     turn in output.txt";
        assert_eq!(fault, words);
    }

    #[test]
    fn failures_keep_their_form_in_records() {
        let overloaded = Failure::Overloaded { tries: 3 };
        let text = r#"{"why":"failed","error":"no result: the machine is overloaded and has spoiled 3 tries"}"#;
        let other = r#"{"why":"failed","error":"cannot start a job: no process"}"#;
        for (failure, text) in [(&overloaded, text), (&Failure::Other("cannot start a job: no process".into()), other)]
        {
            let reason = EndReason::Failed(failure.clone());
            assert_eq!(serde_json::to_string(&reason).unwrap(), text);
            assert_eq!(serde_json::from_str::<EndReason>(text).unwrap(), reason);
        }
    }

    #[test]
    fn a_player_reports_an_overload_as_an_error() {
        let overloaded = Failure::Overloaded { tries: 3 };
        assert_eq!(Failure::from(anyhow::Error::from(overloaded.clone())), overloaded);
        let error = Err::<(), _>(anyhow!("no process")).context("cannot start a job").unwrap_err();
        assert_eq!(Failure::from(error), Failure::Other("cannot start a job: no process".into()));
    }

    #[test]
    fn bytes_of_any_kind_survive_json() {
        for (bytes, json) in [
            (&b"E c3 b4\n"[..], "\"E c3 b4\\n\""),
            (b"\x1b[2J", "{\"hex\":\"1b5b324a\"}"),
            (b"\xff\0", "{\"hex\":\"ff00\"}"),
            (b"", "\"\""),
        ] {
            let stored = serde_json::to_string(&AgentBytes(bytes.to_vec())).unwrap();
            assert_eq!(stored, json);
            assert_eq!(serde_json::from_str::<AgentBytes>(&stored).unwrap().0, bytes);
        }
        let worst = AgentBytes(vec![0; 1000]);
        assert!(serde_json::to_string(&worst).unwrap().len() < 2020);
        for damaged in ["zz4\u{e9}", "1b5", "+1"] {
            let error = serde_json::from_str::<AgentBytes>(&format!("{{\"hex\":\"{damaged}\"}}")).unwrap_err();
            assert!(error.to_string().contains("expected pairs of hexadecimal digits"), "{error}");
        }
    }
}
