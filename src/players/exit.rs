//! Exit codes of the programs.

use std::fmt;
use std::process::ExitCode;

use anyhow::{Error, Result};
use kingline::game::LineError;

use crate::terminal::{is_broken_pipe, stderr_line};

/// End of a program; the discriminant is its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// It did what it was asked for, or nobody reads its output any more.
    Done = 0,
    /// A file cannot be opened or written, or something else failed.
    Failed = 1,
    /// Its input or its arguments are wrong.
    BadInput = 2,
    /// It was asked for a move in a game that is over.
    GameOver = 3,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

impl ExitStatus {
    /// Prints the error of a program, if any, and returns how the program ended.
    pub fn of(program: &str, done: Result<()>) -> ExitStatus {
        match done {
            Ok(()) => ExitStatus::Done,
            Err(error) if is_broken_pipe(&error) => ExitStatus::Done,
            Err(error) => {
                stderr_line(format_args!("{program}: {error:#}"));
                if is_bad_input(&error) { ExitStatus::BadInput } else { ExitStatus::Failed }
            }
        }
    }
}

fn is_bad_input(error: &Error) -> bool {
    error.is::<BadInput>() || error.is::<LineError>()
}

/// Error, or context of an error, that ends the program with [`ExitStatus::BadInput`].
#[derive(Debug)]
pub struct BadInput(String);

impl BadInput {
    /// The error with this text: what was read, what was expected, and where.
    pub fn new(message: impl Into<String>) -> BadInput {
        BadInput(message.into())
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context;

    use super::*;

    #[test]
    fn errors_decide_the_exit_code() {
        let bad = || anyhow::anyhow!("cause").context(BadInput::new("the input is wrong")).context("outer");
        let line = "W:W1".parse::<kingline::checkers::Position>().map(drop).context("no line error");
        let pipe = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        for (done, code) in [
            (Ok(()), 0),
            (Err(pipe), 0),
            (Err(io::Error::from(io::ErrorKind::StorageFull).into()), 1),
            (line, 1),
            (Err(bad()), 2),
            (Err(BadInput::new("x").into()), 2),
        ] {
            assert_eq!(ExitStatus::of("test", done) as u8, code);
        }
    }
}
