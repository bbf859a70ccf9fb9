//! Bounded reading of lines, however long or malformed.

use std::io::{self, BufRead, ErrorKind, Read};

/// Longest command line in bytes.
pub const LONGEST_LINE: usize = 1 << 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// Line without its newline; invalid UTF-8 has become U+FFFD.
    Text(String),
    /// Line that is too long; it was skipped.
    TooLong,
    /// End of the input.
    End,
}

/// Bytes of the next line, without its newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineBytes {
    Whole(Vec<u8>),
    /// Start of a line that is too long; the rest was skipped.
    Start(Vec<u8>),
    /// End of the input.
    End,
}

/// Reads a line. A last line without a newline still counts (§2). [`LONGEST_LINE`] bounds memory.
pub(crate) fn read_line(input: &mut dyn BufRead) -> io::Result<InputLine> {
    Ok(match read_line_bytes(input, LONGEST_LINE)? {
        LineBytes::Whole(bytes) => InputLine::Text(String::from_utf8_lossy(&bytes).into_owned()),
        LineBytes::Start(_) => InputLine::TooLong,
        LineBytes::End => InputLine::End,
    })
}

/// Reads a line of at most `longest` bytes, which bounds memory.
pub(crate) fn read_line_bytes(input: &mut dyn BufRead, longest: usize) -> io::Result<LineBytes> {
    let mut bytes = Vec::new();
    (&mut *input).take(longest as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(LineBytes::End);
    }
    if bytes.pop_if(|&mut last| last == b'\n').is_none() && bytes.len() > longest {
        bytes.truncate(longest);
        skip_line(input)?;
        return Ok(LineBytes::Start(bytes));
    }
    Ok(LineBytes::Whole(bytes))
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let held = match input.fill_buf() {
            Ok(held) => held,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let newline = held.iter().position(|&byte| byte == b'\n');
        let skipped = newline.map_or(held.len(), |place| place + 1);
        input.consume(skipped);
        if newline.is_some() || skipped == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<InputLine> {
        let mut read = Vec::new();
        while read.last() != Some(&InputLine::End) {
            read.push(read_line(&mut input).unwrap());
        }
        read
    }

    #[test]
    fn lines_end_at_newlines_and_at_end_of_input() {
        let text = |text: &str| InputLine::Text(text.to_string());
        assert_eq!(lines(b""), [InputLine::End]);
        assert_eq!(lines(b"dump\r\n\nquit"), [text("dump\r"), text(""), text("quit"), InputLine::End]);
        assert_eq!(lines(b"\xff\0\n"), [text("\u{fffd}\0"), InputLine::End]);
    }

    #[test]
    fn a_line_one_byte_too_long_is_refused() {
        let longest = "x".repeat(LONGEST_LINE);
        let text = || InputLine::Text(longest.clone());
        assert_eq!(lines(format!("{longest}\n{longest}").as_bytes()), [text(), text(), InputLine::End]);
        assert_eq!(lines(format!("{longest}x\n{longest}").as_bytes()), [InputLine::TooLong, text(), InputLine::End]);
        assert_eq!(lines(&[b'x'; 1 << 20]), [InputLine::TooLong, InputLine::End]);
        let mut input = &b"abcd\nabc"[..];
        assert_eq!(read_line_bytes(&mut input, 3).unwrap(), LineBytes::Start(b"abc".to_vec()));
        assert_eq!(read_line_bytes(&mut input, 3).unwrap(), LineBytes::Whole(b"abc".to_vec()));
    }
}
