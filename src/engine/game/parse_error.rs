//! Parse errors.

use std::fmt::{self, Display};

/// Error for text that cannot be parsed: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Text that was read, truncated to 40 characters and escaped; or a description of what is there instead, such as
    /// `the end of the file`.
    pub found: String,
    /// Description of the expected text.
    pub expected: String,
    /// True if `found` is text that was read, which is displayed in quotes.
    is_read: bool,
}

impl ParseError {
    /// Creates an error about `found`, which is truncated to 40 characters and escaped.
    pub fn new(found: &str, expected: impl Into<String>) -> ParseError {
        const SHOWN: usize = 40;
        let mut text: String = found.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if found.chars().nth(SHOWN).is_some() {
            text.push_str("...");
        }
        ParseError { found: text, expected: expected.into(), is_read: true }
    }

    /// Creates an error about missing text; `instead` describes what is in its place: `a blank line`.
    pub fn missing(instead: &str, expected: impl Into<String>) -> ParseError {
        ParseError { found: instead.to_owned(), expected: expected.into(), is_read: false }
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = if self.is_read { "\"" } else { "" };
        write!(f, "found {quote}{}{quote}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ParseError {}
