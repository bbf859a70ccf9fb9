//! Why is an entry of an archive refused?

use std::fmt;

use super::error::PACK_AGAIN;
use crate::terminal::escaped;

const PLAIN_FILES: &str = "expected files and folders only";
const RENAME: &str = "the way out: rename it with plain letters, and pack again";

/// What is wrong with an entry of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryError {
    /// Its path begins with a slash.
    Absolute,
    /// Its path goes up, by `..`.
    Parent,
    /// Its path begins with a drive, as `C:`.
    Drive,
    /// Its path has a backslash, though its archive is not from Windows.
    Backslash,
    /// Its path is not UTF-8.
    NotUtf8,
    /// Its path has control characters, or some that cannot be seen.
    Deceptive,
    /// A name in its path has more bytes than this.
    LongName(usize),
    /// Its path has more bytes than this.
    LongPath(usize),
    /// It lies in more folders than this.
    Deep(usize),
    /// It is a file without a name.
    NoName,
    /// There are two files with its path.
    Twice,
    /// There is another path that differs in nothing but the case of its letters.
    OnlyCase(EntryName),
    /// Its path is that of a file and that of a folder.
    FileAndFolder,
    /// It is a symbolic link.
    SymbolicLink,
    /// It is a hard link.
    HardLink,
    /// It is something else than a file or a folder: what.
    Special(&'static str),
    /// It is a file with holes.
    Sparse,
    /// It is encrypted.
    Encrypted,
    /// It is compressed by this method of zip, which is not known.
    Method(u16),
    /// Two places of the archive contradict each other: in what.
    Contradiction(&'static str),
    /// It lies outside the archive.
    Outside,
    /// It shares bytes with another entry.
    Overlap,
    /// Its content has another checksum than the archive says.
    Checksum,
    /// Its content is shorter or longer than the archive says.
    Size,
    /// What it is compressed to cannot be read.
    Corrupt,
    /// It is a folder with content of its own.
    FullFolder,
}

/// A path in an archive as it may be shown: without what is dangerous to a terminal, and not too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryName(String);

impl EntryName {
    pub(super) fn new(bytes: &[u8]) -> EntryName {
        /// Characters that say enough of a long path.
        const SHOWN: usize = 100;
        // No character has more than four bytes.
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
            EntryError::Deceptive => write!(f, "control characters or invisible ones in the name; {RENAME}"),
            EntryError::LongName(most) => {
                write!(f, "the name is too long, expected at most {most} bytes; {RENAME}")
            }
            EntryError::LongPath(most) => {
                write!(
                    f,
                    "the path is too long, expected at most {most} bytes; the way out: shorter names, or fewer folders"
                )
            }
            EntryError::Deep(most) => {
                write!(f, "too deep, expected at most {most} folders in one another; the way out: fewer folders")
            }
            EntryError::NoName => f.write_str("a file without a name"),
            EntryError::Twice => f.write_str("it is there twice, expected each file once"),
            EntryError::OnlyCase(other) => {
                write!(f, "differs from {other} only in the case of letters; the way out: rename one, and pack again")
            }
            EntryError::FileAndFolder => f.write_str("a file and a folder at once"),
            EntryError::SymbolicLink => write!(
                f,
                "a symbolic link, {PLAIN_FILES}; the way out: pack the file itself (`tar -h`, or `zip` without `-y`), or \
                 leave it out"
            ),
            EntryError::HardLink => write!(
                f,
                "a hard link, {PLAIN_FILES}; the way out: pack the file itself (`tar --hard-dereference`), or leave it out"
            ),
            EntryError::Special(what) => write!(f, "{what}, {PLAIN_FILES}; the way out: leave it out"),
            EntryError::Sparse => {
                f.write_str("a file packed with holes, expected plain files; the way out: pack without `--sparse`")
            }
            EntryError::Encrypted => f.write_str("encrypted; the way out: pack again without a password"),
            EntryError::Method(number) => {
                let method = MethodName(*number);
                write!(f, "compressed by {method}, expected deflate; the way out: {PACK_AGAIN} of the usual kind")
            }
            EntryError::Contradiction(what) => {
                write!(f, "the archive says two things about its {what}; the way out: {PACK_AGAIN}")
            }
            EntryError::Outside => write!(f, "lies outside the archive; the way out: {PACK_AGAIN}"),
            EntryError::Overlap => write!(f, "shares bytes with another file; the way out: {PACK_AGAIN}"),
            EntryError::Checksum => write!(f, "damaged: a wrong checksum; the way out: {PACK_AGAIN}"),
            EntryError::Size => write!(f, "damaged: not as long as the archive says; the way out: {PACK_AGAIN}"),
            EntryError::Corrupt => write!(f, "damaged: cannot be uncompressed; the way out: {PACK_AGAIN}"),
            EntryError::FullFolder => write!(f, "a folder with content of its own; the way out: {PACK_AGAIN}"),
        }
    }
}

/// A method of compression of a zip, by name where it is in use.
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
