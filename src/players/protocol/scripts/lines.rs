//! Lines of a script, as bytes to send and as text to parse, and the text of printed bytes.

use std::borrow::Cow;

use kingline::game::{LineError, ParseError};

/// Line of a script.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScriptLine<'a> {
    /// Line number, 1-based.
    pub(super) number: usize,
    /// Bytes as in the file, with the newline.
    pub(super) bytes: &'a [u8],
}

impl<'a> ScriptLine<'a> {
    /// Iterates over all lines of a script.
    pub(super) fn all(script: &'a [u8]) -> impl Iterator<Item = ScriptLine<'a>> {
        (1..).zip(script.split_inclusive(|&byte| byte == b'\n')).map(|(number, bytes)| ScriptLine { number, bytes })
    }

    /// Text without surrounding blanks. Invalid UTF-8 becomes U+FFFD.
    pub(super) fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes.trim_ascii())
    }

    /// Error in this line.
    pub(super) fn wrong(self, error: ParseError) -> LineError {
        LineError { line: self.number, error }
    }
}

/// Text of printed or expected bytes. Invalid UTF-8 is dropped (§1).
pub(super) fn printed_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().utf8_chunks().map(|chunk| chunk.valid()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_dropped() {
        for (bytes, text) in
            [(&b"- b\r"[..], "- b\r"), (b"\xff-\xc3 \xe2\x82b\xf0", "- b"), (b"\xc3\xa9\xff", "\u{e9}")]
        {
            assert_eq!(printed_text(bytes.to_vec()), text);
        }
    }
}
