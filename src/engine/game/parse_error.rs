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

/// A note about a line that was read although it is not of the strict form: what was read, and as what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNote {
    /// 1-based line number.
    pub line: usize,
    /// The note.
    pub text: String,
}

impl fmt::Display for LineNote {
    /// `line 2: the result "Black wins" is unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

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
