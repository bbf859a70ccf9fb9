//! The text of records, in the encodings that programs have written over the years.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};

/// Decodes records: by a byte order mark, by the encoding that they name in `CA` (SGF), or else each line as UTF-8 or, where
/// it is none, as Windows-1252, which includes the letters of Latin-1. Collections join files of both.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(encoding) = named(bytes)
        && let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return text;
    }
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.split_inclusive(|&byte| byte == b'\n').map(line).collect::<String>().into(),
    }
}

fn line(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Encoding that an SGF file names: `CA[ISO-8859-1]`. A file that is valid UTF-8 was saved again and only names the old
/// one, if that has single bytes: its letters would be no such sequences by chance.
fn named(bytes: &[u8]) -> Option<&'static Encoding> {
    /// Bytes in which the first node, which names the encoding, begins.
    const START: usize = 4096;
    let start = &bytes[..bytes.len().min(START)];
    if start.trim_ascii_start().first() != Some(&b'(') {
        return None;
    }
    let place = start.windows(3).position(|three| three == b"CA[")?;
    let label = start[place + 3..].split(|&byte| byte == b']').next()?;
    let encoding = Encoding::for_label(label)?;
    Some(encoding).filter(|encoding| !encoding.is_single_byte() || str::from_utf8(bytes).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_encoding_is_read() {
        let wide = |mark: [u8; 2], to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.into_iter().chain("J\u{f6}rg *".encode_utf16().flat_map(to_bytes)).collect()
        };
        for (bytes, text) in [
            (&b"11-15"[..], "11-15"),
            ("J\u{f6}rg *".as_bytes(), "J\u{f6}rg *"),
            (b"\xef\xbb\xbfJ\xc3\xb6rg *", "J\u{f6}rg *"),
            (b"J\xf6rg *", "J\u{f6}rg *"),
            (b"\x93J\xf6rg\x94 \x96 \x80", "\u{201c}J\u{f6}rg\u{201d} \u{2013} \u{20ac}"),
            (b"J\xf6rg\nJ\xc3\xb6rg\n", "J\u{f6}rg\nJ\u{f6}rg\n"),
            (&wide([0xff, 0xfe], u16::to_le_bytes), "J\u{f6}rg *"),
            (&wide([0xfe, 0xff], u16::to_be_bytes), "J\u{f6}rg *"),
            (b"(;GM[9]CA[Shift_JIS]PB[\x82\xa0])", "(;GM[9]CA[Shift_JIS]PB[\u{3042}])"),
            (
                b"(;GM[9]CA[windows-1251]PB[\xc0\xed\xed\xe0])",
                "(;GM[9]CA[windows-1251]PB[\u{410}\u{43d}\u{43d}\u{430}])",
            ),
            (b"(;GM[9]CA[ISO-8859-1]PB[\xc3\xb6])", "(;GM[9]CA[ISO-8859-1]PB[\u{f6}])"),
            (b"(;GM[9]CA[UTF-8]PB[\xf6])", "(;GM[9]CA[UTF-8]PB[\u{f6}])"),
            (b"(;GM[9]CA[nonsense]PB[\xf6])", "(;GM[9]CA[nonsense]PB[\u{f6}])"),
            (b"CA[Shift_JIS] \xf6", "CA[Shift_JIS] \u{f6}"),
        ] {
            assert_eq!(decode(bytes), text);
        }
    }
}
