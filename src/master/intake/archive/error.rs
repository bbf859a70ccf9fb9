//! Reasons why an archive or one of its entries is refused.

use std::fmt;
use std::io;
use std::path::PathBuf;

use kingline_players::terminal::escaped;
use thiserror::Error;

use crate::league::agent_limits::Bytes;

/// Reason why an archive was not unpacked. The text does not name the archive.
#[derive(Debug, Error)]
pub(crate) enum ArchiveError {
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("not a regular file, expected an archive")]
    NotAFile,
    #[error("{}: already exists, expected no such folder", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {}", .0.display(), .1)]
    Unwritable(PathBuf, io::Error),
    /// It is an archive or a compressed file of this other kind.
    #[error("{0}, expected {EXPECTED}; help: {PACK_AGAIN}")]
    OtherKind(&'static str),
    /// It is a file without a tar in it, compressed by this program.
    #[error("one file compressed with {0}, expected {EXPECTED}; help: hand in the file itself")]
    CompressedFile(&'static str),
    /// Its decompression takes more than this much memory, in bytes.
    #[error("it takes too much memory to unpack, expected at most {}; help: {PACK_AGAIN}", Bytes(*.0))]
    Memory(u64),
    #[error("not an archive, expected {EXPECTED}; help: {PACK_AGAIN}")]
    NotAnArchive,
    #[error("one part of a multi-part archive, expected a single file; help: {PACK_AGAIN}")]
    OneOfSeveral,
    #[error("it has no files, expected the submission's files")]
    Empty,
    /// Unpacked, it exceeds this many bytes.
    #[error(
        "too big, expected at most {} unpacked; help: leave out what is not needed to build and run the agent",
        Bytes(*.0)
    )]
    TooBig(u64),
    #[error(
        "too many entries, expected at most {0} files and folders; help: leave out what is not needed to build and run \
         the agent, such as virtual environments"
    )]
    TooMany(u64),
    #[error("damaged: {0}; help: {PACK_AGAIN}, and hand in the complete file")]
    Damaged(&'static str),
    #[error("{0}: {1}")]
    Entry(EntryName, EntryError),
}

const EXPECTED: &str = "a zip, tar, tar.gz, tar.bz2 or tar.xz";
const PACK_AGAIN: &str = "pack the folder again as a zip";
const PLAIN_FILES: &str = "expected files and folders only";
const RENAME: &str = "help: rename it using plain letters, then pack again";

pub(super) const CUT: &str = "it ends too early";
pub(super) const CORRUPT: &str = "its data is invalid";

/// A problem with an entry of an archive. Limits are in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum EntryError {
    #[error("an absolute path, expected one inside the archive's folder")]
    Absolute,
    #[error("a path with `..`, expected one inside the archive's folder")]
    Parent,
    #[error("a path with a drive, expected one inside the archive's folder")]
    Drive,
    /// Its path contains a backslash, although its archive is not from Windows.
    #[error("a backslash in the name, expected `/` between folders; {RENAME}")]
    Backslash,
    #[error("the name is not UTF-8; {RENAME}")]
    NotUtf8,
    #[error("control characters or invisible characters in the name; {RENAME}")]
    Deceptive,
    #[error("the name is too long, expected at most {0} bytes; {RENAME}")]
    LongName(usize),
    #[error("the path is too long, expected at most {0} bytes; help: shorten names or use fewer folders")]
    LongPath(usize),
    #[error("too deep, expected at most {0} nested folders; help: use fewer folders")]
    Deep(usize),
    #[error("a file without a name")]
    NoName,
    #[error("it occurs twice, expected each file once")]
    Twice,
    #[error("differs from {0} only in letter case; help: rename one, then pack again")]
    OnlyCase(EntryName),
    #[error("both a file and a folder")]
    FileAndFolder,
    #[error(
        "a symbolic link, {PLAIN_FILES}; help: pack the file itself (`tar -h`, or `zip` without `-y`), or leave it out"
    )]
    SymbolicLink,
    #[error("a hard link, {PLAIN_FILES}; help: pack the file itself (`tar --hard-dereference`), or leave it out")]
    HardLink,
    /// It is this other kind of entry.
    #[error("{0}, {PLAIN_FILES}; help: leave it out")]
    Special(&'static str),
    #[error("a sparse file, expected plain files; help: pack without `--sparse`")]
    Sparse,
    #[error("encrypted; help: pack again without a password")]
    Encrypted,
    #[error("compressed with {0}, expected deflate; help: {PACK_AGAIN} with default settings")]
    Method(&'static str),
    #[error("damaged: its content does not match its size and checksum; help: {PACK_AGAIN}")]
    Damaged,
    #[error("a folder with content; help: {PACK_AGAIN}")]
    FullFolder,
}

/// A path in an archive, escaped and shortened for display on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryName(String);

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

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Largest memory of a decoder, in bytes: twice what the strongest preset of xz takes.
pub(super) const DECODER_MEMORY: u64 = 128 << 20;

impl ArchiveError {
    /// True if this machine or its operator is at fault rather than the author of the archive.
    pub(crate) fn is_machine_fault(&self) -> bool {
        matches!(self, ArchiveError::Unreadable(_) | ArchiveError::Exists(_) | ArchiveError::Unwritable(..))
    }

    /// Converts an error that the system or a decoder raised while reading the archive.
    pub(super) fn of_read(error: io::Error) -> ArchiveError {
        match error.downcast::<ArchiveError>() {
            Ok(error) => error,
            Err(error) if error.raw_os_error().is_some() => ArchiveError::Unreadable(error),
            // Only the decoder of xz has a limit.
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => ArchiveError::Memory(DECODER_MEMORY),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => ArchiveError::Damaged(CUT),
            Err(_) => ArchiveError::Damaged(CORRUPT),
        }
    }

    /// Converts an error that occurred while reading an entry's content.
    pub(super) fn of_content(name: EntryName, error: io::Error) -> ArchiveError {
        match ArchiveError::of_read(error) {
            ArchiveError::Damaged(CORRUPT) => ArchiveError::Entry(name, EntryError::Damaged),
            other => other,
        }
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

    #[test]
    fn faults_of_the_machine_are_not_blamed_on_the_archive() {
        let of_system = || io::Error::from_raw_os_error(5);
        assert!(ArchiveError::of_read(of_system()).is_machine_fault());
        assert!(ArchiveError::of_content(EntryName::new(b"a"), of_system()).is_machine_fault());
        for error in [
            ArchiveError::of_read(io::ErrorKind::UnexpectedEof.into()),
            ArchiveError::of_read(io::ErrorKind::InvalidInput.into()),
            ArchiveError::of_read(io::Error::other(ArchiveError::Empty)),
        ] {
            assert!(!error.is_machine_fault(), "{error}");
        }
    }
}
