//! What was read, and what was expected?

use std::fmt::{self, Display};

/// Text that cannot be read: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was read: at most 40 characters, escaped; or what is there in its place, as `the end of the file`.
    pub found: String,
    /// What was expected, in words.
    pub expected: String,
    /// Whether `found` was read, and is shown in quotes.
    is_read: bool,
}

impl ParseError {
    /// An error about `found`, which is cut to 40 characters and escaped.
    pub fn new(found: &str, expected: impl Into<String>) -> ParseError {
        const SHOWN: usize = 40;
        let mut text: String = found.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if found.chars().nth(SHOWN).is_some() {
            text.push_str("...");
        }
        ParseError { found: text, expected: expected.into(), is_read: true }
    }

    /// An error about the lack of what was expected; `instead` says in words what is in its place: `a blank line`.
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
