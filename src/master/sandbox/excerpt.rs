//! Text and files of agents, without their middle if they are too long.

use std::io::{self, Read, Seek, SeekFrom};

/// Joins the start and the end of a text; a line between them counts the bytes that are left out.
pub(super) fn without_middle(start: &[u8], left_out: u64, end: &[u8]) -> Vec<u8> {
    let line = if left_out > 0 { format!("\n[{left_out} bytes left out]\n") } else { String::new() };
    [start, line.as_bytes(), end].concat()
}

/// Reads a file of `bytes` bytes, or its start and its end if it has more than `most`.
pub(super) fn excerpt(file: &mut (impl Read + Seek), bytes: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut read = |from: u64, bytes: u64| -> io::Result<Vec<u8>> {
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(bytes).read_to_end(&mut part)?;
        Ok(part)
    };
    let most = most as u64;
    if bytes <= most {
        return read(0, most);
    }
    let half = most / 2;
    let (start, end) = (read(0, half)?, read(bytes - half, half)?);
    Ok(without_middle(&start, bytes - 2 * half, &end))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_long_file_is_read_at_both_ends() {
        let read = |text: &str| String::from_utf8(excerpt(&mut Cursor::new(text), text.len() as u64, 6).unwrap());
        for (text, kept) in [
            ("", ""),
            ("abcdef", "abcdef"),
            ("abcdefg", "abc\n[1 bytes left out]\nefg"),
            ("abc\nefghij", "abc\n[4 bytes left out]\nhij"),
        ] {
            assert_eq!(read(text).unwrap(), kept, "{text:?}");
        }
    }
}
