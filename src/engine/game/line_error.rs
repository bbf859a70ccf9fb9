//! Parse errors with a line number.

use std::fmt;

use super::ParseError;

/// A parse error with its line number: the error type of all line-based readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// 1-based line number.
    pub line: usize,
    /// Text found there, and what was expected.
    pub error: ParseError,
}

impl LineError {
    /// Creates an error about `found` in line `line`; long text is truncated, and unprintable text is escaped.
    pub fn new(line: usize, found: &str, expected: impl Into<String>) -> LineError {
        LineError { line, error: ParseError::new(found, expected) }
    }

    /// Creates an error about text missing in line `line`. See [`ParseError::missing`].
    pub fn missing(line: usize, instead: &str, expected: impl Into<String>) -> LineError {
        LineError { line, error: ParseError::missing(instead, expected) }
    }
}

impl fmt::Display for LineError {
    /// `line 3: found "-1", expected seconds left, a number above 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl std::error::Error for LineError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_text_is_quoted_and_a_description_is_not() {
        let long = "\u{7}".to_owned() + &"x".repeat(99);
        let shown = format!("line 2: found \"\\u{{7}}{}...\", expected a move", "x".repeat(39));
        assert_eq!(LineError::new(2, &long, "a move").to_string(), shown);
        let missing = LineError::missing(3, "a blank line", "a move");
        assert_eq!(missing.to_string(), "line 3: found a blank line, expected a move");
    }
}
