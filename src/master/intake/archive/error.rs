//! Reasons why an archive is refused.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::entry_error::PACK_AGAIN;
use super::{EntryError, EntryName};
use crate::league::agent_limits::Bytes;

/// Reason why an archive was not unpacked. The text does not name the archive.
#[derive(Debug)]
pub enum ArchiveError {
    /// The archive cannot be read.
    Unreadable(io::Error),
    /// The archive is not a regular file.
    NotAFile,
    /// The folder to unpack into already exists.
    Exists(PathBuf),
    /// The folder to unpack into, or a file in it, cannot be written.
    Unwritable(PathBuf, io::Error),
    /// It is an archive or a compressed file of this other kind.
    OtherKind(&'static str),
    /// It is a file without a tar in it, compressed by this program.
    CompressedFile(&'static str),
    /// Its decompression takes more than this much memory, in bytes.
    Memory(u64),
    /// It is not a known kind of archive.
    NotAnArchive,
    /// It is one part of a multi-part archive.
    OneOfSeveral,
    /// It contains no files.
    Empty,
    /// Unpacked, it exceeds this many bytes.
    TooBig(u64),
    /// It has more than this many files and folders.
    TooMany(u64),
    /// Its bytes are damaged.
    Damaged(Damage),
    /// An entry is refused for this reason.
    Entry(EntryName, EntryError),
}

/// Damage to the bytes of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends too early.
    Cut,
    /// It has data after its end.
    Trailing,
    /// A zip with two possible end records.
    TwoEnds,
    /// A zip directory that does not match the place or content given in the end record.
    Directory,
    /// Contradictory tar extension headers.
    Metadata,
    /// Any other damage.
    Corrupt,
}

/// Largest memory of a decoder, in bytes: twice what the strongest preset of xz takes.
pub(super) const DECODER_MEMORY: u64 = 128 << 20;

impl ArchiveError {
    /// True if this machine or its operator is at fault rather than the author of the archive.
    pub fn is_machine_fault(&self) -> bool {
        matches!(self, ArchiveError::Unreadable(_) | ArchiveError::Exists(_) | ArchiveError::Unwritable(..))
    }

    /// Converts an error that the system or a decoder raised while reading the archive.
    pub(super) fn of_read(error: io::Error) -> ArchiveError {
        match error.downcast::<ArchiveError>() {
            Ok(error) => error,
            Err(error) if error.raw_os_error().is_some() => ArchiveError::Unreadable(error),
            // Only the decoder of xz has a limit.
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => ArchiveError::Memory(DECODER_MEMORY),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => ArchiveError::Damaged(Damage::Cut),
            Err(_) => ArchiveError::Damaged(Damage::Corrupt),
        }
    }

    /// Converts an error that occurred while reading an entry's content.
    pub(super) fn of_content(name: EntryName, error: io::Error) -> ArchiveError {
        match ArchiveError::of_read(error) {
            ArchiveError::Damaged(Damage::Corrupt) => ArchiveError::Entry(name, EntryError::Corrupt),
            other => other,
        }
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Unreadable(error) => write!(f, "cannot be read: {error}"),
            ArchiveError::NotAFile => f.write_str("not a regular file, expected an archive"),
            ArchiveError::Exists(path) => write!(f, "{}: already exists, expected no such folder", path.display()),
            ArchiveError::Unwritable(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            ArchiveError::OtherKind(what) => write!(f, "{what}, expected {EXPECTED}; help: {PACK_AGAIN}"),
            ArchiveError::CompressedFile(by) => {
                write!(f, "one file compressed with {by}, expected {EXPECTED}; help: hand in the file itself")
            }
            ArchiveError::Memory(most) => {
                write!(f, "it takes too much memory to unpack, expected at most {}; help: {PACK_AGAIN}", Bytes(*most))
            }
            ArchiveError::NotAnArchive => write!(f, "not an archive, expected {EXPECTED}; help: {PACK_AGAIN}"),
            ArchiveError::OneOfSeveral => {
                write!(f, "one part of a multi-part archive, expected a single file; help: {PACK_AGAIN}")
            }
            ArchiveError::Empty => f.write_str("it has no files, expected the submission's files"),
            ArchiveError::TooBig(most) => write!(
                f,
                "too big, expected at most {} unpacked; help: leave out what is not needed to build and run the agent",
                Bytes(*most)
            ),
            ArchiveError::TooMany(most) => write!(
                f,
                "too many entries, expected at most {most} files and folders; help: leave out what is not needed \
                 to build and run the agent, such as virtual environments"
            ),
            ArchiveError::Damaged(damage) => {
                write!(f, "damaged: {damage}; help: {PACK_AGAIN}, and hand in the complete file")
            }
            ArchiveError::Entry(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

const EXPECTED: &str = "a zip, tar, tar.gz, tar.bz2 or tar.xz";

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damage::Cut => "it ends too early",
            Damage::Trailing => "it has data after its end",
            Damage::TwoEnds => "it has two end records",
            Damage::Directory => "its directory does not match its end record",
            Damage::Metadata => "its extension headers contradict themselves",
            Damage::Corrupt => "its data is invalid",
        })
    }
}

impl Error for ArchiveError {}

#[cfg(test)]
mod tests {
    use super::*;

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
