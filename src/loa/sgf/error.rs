//! What is wrong with a file, and in which line?

use std::fmt;

use crate::game::ParseError;

/// Text that is not a game in the Smart Game Format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1 on.
    pub line: usize,
    /// What was found there, and what was expected.
    pub error: ParseError,
}

impl RecordError {
    pub(super) fn new(line: usize, found: &str, expected: &str) -> RecordError {
        RecordError { line, error: ParseError::new(found, expected) }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl std::error::Error for RecordError {}
