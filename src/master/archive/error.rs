//! Why is an archive refused?

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use super::{EntryError, EntryName};
use crate::master::agent_limits::Bytes;

/// Why an archive was not unpacked. The text does not name the archive.
#[derive(Debug)]
pub enum ArchiveError {
    /// The archive cannot be read.
    Unreadable(io::Error),
    /// The archive is no regular file.
    NotAFile,
    /// The folder to unpack into is there already.
    Exists(PathBuf),
    /// The folder to unpack into, or a file in it, cannot be written.
    Unwritable(PathBuf, io::Error),
    /// It is an archive or a compressed file of another kind: which.
    OtherKind(&'static str),
    /// It is a file compressed by gzip, and no tar.
    CompressedFile,
    /// It is no archive of any kind that is known.
    NotAnArchive,
    /// It is one part of an archive in several parts.
    OneOfSeveral,
    /// There is no file in it.
    Empty,
    /// There are more bytes in it than this.
    TooBig(u64),
    /// There are more files and folders in it than this.
    TooMany(u64),
    /// It is not what such an archive is: how.
    Damaged(Damage),
    /// An entry of it is refused: which, and why.
    Entry(EntryName, EntryError),
}

/// What is wrong with the bytes of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends too early.
    Cut,
    /// It goes on after its end.
    Trailing,
    /// Of a zip: the end could be at two places.
    TwoEnds,
    /// Of a zip: the list of its entries is not where or what its end says.
    Directory,
    /// Of a tar: what is said of an entry before it contradicts itself.
    Metadata,
    /// Anything else.
    Corrupt,
}

impl ArchiveError {
    /// Whether this machine or its operator is at fault, and not who made the archive.
    pub fn is_machine_fault(&self) -> bool {
        matches!(self, ArchiveError::Unreadable(_) | ArchiveError::Exists(_) | ArchiveError::Unwritable(..))
    }

    /// Why bytes of the archive could not be read: by the system, or by what interprets them.
    pub(super) fn of_read(error: io::Error) -> ArchiveError {
        match error.downcast::<ArchiveError>() {
            Ok(error) => error,
            Err(error) if error.raw_os_error().is_some() => ArchiveError::Unreadable(error),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => ArchiveError::Damaged(Damage::Cut),
            Err(_) => ArchiveError::Damaged(Damage::Corrupt),
        }
    }

    /// Likewise, for the content of an entry.
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
            ArchiveError::Exists(path) => write!(f, "{}: is there already, expected no such folder", path.display()),
            ArchiveError::Unwritable(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            ArchiveError::OtherKind(what) => write!(f, "{what}, expected {EXPECTED}; the way out: {PACK_AGAIN}"),
            ArchiveError::CompressedFile => {
                write!(f, "one file compressed by gzip, expected {EXPECTED}; the way out: hand in the file itself")
            }
            ArchiveError::NotAnArchive => write!(f, "not an archive, expected {EXPECTED}; the way out: {PACK_AGAIN}"),
            ArchiveError::OneOfSeveral => {
                write!(f, "one part of an archive in several parts, expected all in one; the way out: {PACK_AGAIN}")
            }
            ArchiveError::Empty => f.write_str("no file in it, expected those of the submission"),
            ArchiveError::TooBig(most) => write!(
                f,
                "too big, expected at most {} unpacked; the way out: leave out what is not needed to build and run it",
                Bytes(*most)
            ),
            ArchiveError::TooMany(most) => write!(
                f,
                "too many entries, expected at most {most} files and folders; the way out: leave out what is not needed \
                 to build and run it, such as virtual environments"
            ),
            ArchiveError::Damaged(damage) => {
                write!(f, "damaged: {damage}; the way out: {PACK_AGAIN}, and hand in all of it")
            }
            ArchiveError::Entry(name, why) => write!(f, "{name}: {why}"),
        }
    }
}

const EXPECTED: &str = "a zip, tar or tar.gz";
pub(super) const PACK_AGAIN: &str = "pack the folder again as a zip";
impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damage::Cut => "it ends too early",
            Damage::Trailing => "it goes on after its end",
            Damage::TwoEnds => "it has two ends",
            Damage::Directory => "the list of its entries is not where or what its end says",
            Damage::Metadata => "what it says of an entry contradicts itself",
            Damage::Corrupt => "its bytes are not those of such an archive",
        })
    }
}

impl Error for ArchiveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_the_machine_are_told_from_those_of_the_archive() {
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
