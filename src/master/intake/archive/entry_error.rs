//! Reasons why an entry of an archive is refused.

use std::fmt;

use kingline_players::terminal::escaped;

pub(super) const PACK_AGAIN: &str = "pack the folder again as a zip";
const PLAIN_FILES: &str = "expected files and folders only";
const RENAME: &str = "help: rename it using plain letters, then pack again";

/// A problem with an entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// Its path begins with a slash.
    Absolute,
    /// Its path contains `..`.
    Parent,
    /// Its path begins with a drive, e.g. `C:`.
    Drive,
    /// Its path contains a backslash, although its archive is not from Windows.
    Backslash,
    /// Its path is not UTF-8.
    NotUtf8,
    /// Its path contains control characters or invisible characters.
    Deceptive,
    /// A name in its path is longer than this many bytes.
    LongName(usize),
    /// Its path is longer than this many bytes.
    LongPath(usize),
    /// It is nested more than this many folders deep.
    Deep(usize),
    /// It is a file without a name.
    NoName,
    /// Two files have this path.
    Twice,
    /// Another path differs from it only in letter case.
    OnlyCase(EntryName),
    /// Its path is used both for a file and for a folder.
    FileAndFolder,
    /// It is a symbolic link.
    SymbolicLink,
    /// It is a hard link.
    HardLink,
    /// It is this other kind of entry, neither a file nor a folder.
    Special(&'static str),
    /// It is a sparse file.
    Sparse,
    /// It is encrypted.
    Encrypted,
    /// It uses this unknown zip compression method.
    Method(u16),
    /// Two places in the archive contradict each other about this.
    Contradiction(&'static str),
    /// It extends beyond the archive.
    Outside,
    /// It shares bytes with another entry.
    Overlap,
    /// Its content does not match its checksum in the archive.
    Checksum,
    /// Its content does not have the length given in the archive.
    Size,
    /// Its content cannot be decompressed.
    Corrupt,
    /// It is a folder with content.
    FullFolder,
}

/// A path in an archive, escaped and shortened for display on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryName(String);

impl EntryName {
    pub(crate) fn new(bytes: &[u8]) -> EntryName {
        /// Number of characters shown of a long path.
        const SHOWN: usize = 100;
        // A character has at most four bytes.
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN + 4)]);
        let mut shown: String = text.chars().take(SHOWN).collect();
        if text.chars().nth(SHOWN).is_some() {
            shown.push_str("...");
        }
        EntryName(escaped(&shown))
    }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::Absolute => f.write_str("an absolute path, expected one inside the archive's folder"),
            EntryError::Parent => f.write_str("a path with `..`, expected one inside the archive's folder"),
            EntryError::Drive => f.write_str("a path with a drive, expected one inside the archive's folder"),
            EntryError::Backslash => write!(f, "a backslash in the name, expected `/` between folders; {RENAME}"),
            EntryError::NotUtf8 => write!(f, "the name is not UTF-8; {RENAME}"),
            EntryError::Deceptive => write!(f, "control characters or invisible characters in the name; {RENAME}"),
            EntryError::LongName(most) => {
                write!(f, "the name is too long, expected at most {most} bytes; {RENAME}")
            }
            EntryError::LongPath(most) => {
                write!(
                    f,
                    "the path is too long, expected at most {most} bytes; help: shorten names or use fewer folders"
                )
            }
            EntryError::Deep(most) => {
                write!(f, "too deep, expected at most {most} nested folders; help: use fewer folders")
            }
            EntryError::NoName => f.write_str("a file without a name"),
            EntryError::Twice => f.write_str("it occurs twice, expected each file once"),
            EntryError::OnlyCase(other) => {
                write!(f, "differs from {other} only in letter case; help: rename one, then pack again")
            }
            EntryError::FileAndFolder => f.write_str("both a file and a folder"),
            EntryError::SymbolicLink => write!(
                f,
                "a symbolic link, {PLAIN_FILES}; help: pack the file itself (`tar -h`, or `zip` without `-y`), or \
                 leave it out"
            ),
            EntryError::HardLink => write!(
                f,
                "a hard link, {PLAIN_FILES}; help: pack the file itself (`tar --hard-dereference`), or leave it out"
            ),
            EntryError::Special(what) => write!(f, "{what}, {PLAIN_FILES}; help: leave it out"),
            EntryError::Sparse => f.write_str("a sparse file, expected plain files; help: pack without `--sparse`"),
            EntryError::Encrypted => f.write_str("encrypted; help: pack again without a password"),
            EntryError::Method(number) => {
                let method = MethodName(*number);
                write!(f, "compressed with {method}, expected deflate; help: {PACK_AGAIN} with default settings")
            }
            EntryError::Contradiction(what) => {
                write!(f, "the archive contradicts itself about its {what}; help: {PACK_AGAIN}")
            }
            EntryError::Outside => write!(f, "lies outside the archive; help: {PACK_AGAIN}"),
            EntryError::Overlap => write!(f, "shares bytes with another file; help: {PACK_AGAIN}"),
            EntryError::Checksum => write!(f, "damaged: wrong checksum; help: {PACK_AGAIN}"),
            EntryError::Size => write!(f, "damaged: not as long as the archive says; help: {PACK_AGAIN}"),
            EntryError::Corrupt => write!(f, "damaged: cannot be decompressed; help: {PACK_AGAIN}"),
            EntryError::FullFolder => write!(f, "a folder with content; help: {PACK_AGAIN}"),
        }
    }
}

/// A zip compression method, displayed by name if it is common.
struct MethodName(u16);

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            9 => f.write_str("deflate64"),
            12 => f.write_str("bzip2"),
            14 => f.write_str("LZMA"),
            93 => f.write_str("zstd"),
            95 => f.write_str("xz"),
            98 => f.write_str("PPMd"),
            number => write!(f, "method {number}"),
        }
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_safely_and_not_too_long() {
        let shown = |bytes: &[u8]| EntryName::new(bytes).to_string();
        assert_eq!(shown(b"a/\xff\x1b[2J"), "a/\u{fffd}\\u{1b}[2J");
        assert_eq!(shown("\u{fc}".repeat(1000).as_bytes()), "\u{fc}".repeat(100) + "...");
        assert_eq!(shown("\u{1f600}".repeat(100).as_bytes()), "\u{1f600}".repeat(100));
    }
}
