use std::io::{self, BufRead, ErrorKind, Read};

/// Lines of more bytes than this are no commands.
pub const LONGEST_LINE: usize = 1 << 16;

/// What was read of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end; bytes that are no UTF-8 became U+FFFD.
    Text(String),
    /// A line that is too long; it was passed over to its end.
    TooLong,
    /// There is no more.
    End,
}

/// Reads a line; a last one without a newline still counts (§2). Memory is bounded by [`LONGEST_LINE`].
pub(crate) fn read_line(input: &mut dyn BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    (&mut *input).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.pop_if(|&mut last| last == b'\n').is_none() && bytes.len() > LONGEST_LINE {
        pass_over_line(input)?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

fn pass_over_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let held = match input.fill_buf() {
            Ok(held) => held,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let newline = held.iter().position(|&byte| byte == b'\n');
        let passed = newline.map_or(held.len(), |place| place + 1);
        input.consume(passed);
        if newline.is_some() || passed == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Line> {
        let mut read = Vec::new();
        while read.last() != Some(&Line::End) {
            read.push(read_line(&mut input).unwrap());
        }
        read
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        let text = |text: &str| Line::Text(text.to_string());
        assert_eq!(lines(b""), [Line::End]);
        assert_eq!(lines(b"dump\r\n\nquit"), [text("dump\r"), text(""), text("quit"), Line::End]);
        assert_eq!(lines(b"\xff\0\n"), [text("\u{fffd}\0"), Line::End]);
    }

    #[test]
    fn a_line_is_too_long_by_one_byte() {
        let longest = "x".repeat(LONGEST_LINE);
        let text = || Line::Text(longest.clone());
        assert_eq!(lines(format!("{longest}\n{longest}").as_bytes()), [text(), text(), Line::End]);
        assert_eq!(lines(format!("{longest}x\n{longest}").as_bytes()), [Line::TooLong, text(), Line::End]);
        assert_eq!(lines(&[b'x'; 1 << 20]), [Line::TooLong, Line::End]);
    }
}
