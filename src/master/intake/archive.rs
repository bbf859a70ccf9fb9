//! Safely unpacks the archives that students submit.
//!
//! [`unpack`] turns a zip or a tar, compressed with gzip, bzip2 or xz or not at all, recognized by its first bytes, into a folder of regular files and
//! folders. An archive that contains anything else is refused with a reason and advice. Nothing that an archive claims
//! is trusted: bytes are counted, checksums are verified, and a zip is read only through its directory, which
//! everything else must match.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `kind` | what kind of archive is it, judging by its name and its first bytes? |
//! | `limits` | how much may an archive contain? |
//! | `entry_path` | where does an entry go in the unpacked folder, or is it left out? |
//! | `tree` | do entries contradict each other? |
//! | `destination` | how are files written, all or nothing? |
//! | `zip` | how is a zip read? |
//! | `tar` | how is a tar read, compressed or not? |
//! | `error`, `entry_error` | why is an archive or one of its entries refused? |

mod destination;
mod entry_error;
mod entry_path;
mod error;
mod kind;
mod limits;
mod tar;
#[cfg(test)]
mod tests;
mod tree;
mod zip;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use nix::libc;

pub use entry_error::{EntryError, EntryName};
pub use entry_path::is_left_out;
pub use error::{ArchiveError, Damage};
pub use kind::{is_archive, name_without_ending};

use crate::league::preparation::TreeLimits;
use destination::Destination;
use kind::ArchiveKind;

/// Unpacks an archive into the folder `into`, which must not exist yet; its parent must exist. If all entries are in a
/// single folder, `into` becomes that folder. Leaves out files that operating systems add on their own: `__MACOSX`,
/// `.DS_Store`, `Thumbs.db`, `desktop.ini` and names that begin with `._`.
///
/// Folders get the mode 0755. Files get 0644 or 0755, according to the archive; if it has no modes, the first bytes
/// decide (ELF or `#!`). Special bits such as set-user-ID, owners and times are dropped.
///
/// A process killed while unpacking leaves a folder `.unpacking-*` beside `into`, and no `into`.
///
/// # Errors
/// The archive is refused, or a file cannot be read or written. In either case, nothing is left behind, not even
/// `into`. The error does not name the archive.
pub fn unpack(archive: &Path, into: &Path, limits: &TreeLimits) -> Result<(), ArchiveError> {
    let (file, length) = open(archive)?;
    if length > limits.of_stream() {
        return Err(ArchiveError::TooBig(limits.bytes));
    }
    let kind = ArchiveKind::of(&first_bytes(&file)?)?;
    let mut destination = Destination::new(into, limits)?;
    match kind {
        ArchiveKind::Zip => zip::unpack(&file, length, &mut destination, limits)?,
        ArchiveKind::Tar => tar::unpack(&file, &mut destination, limits)?,
        ArchiveKind::Compressed(by) => tar::unpack_compressed(&file, by, &mut destination, limits)?,
    }
    destination.finish()
}

/// Opens the archive and returns it with its length in bytes.
fn open(path: &Path) -> Result<(File, u64), ArchiveError> {
    // Opening a pipe may block forever.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    let file = file.map_err(ArchiveError::Unreadable)?;
    let found = file.metadata().map_err(ArchiveError::Unreadable)?;
    if found.is_file() { Ok((file, found.len())) } else { Err(ArchiveError::NotAFile) }
}

/// Reads the bytes that identify the kind of file, or all bytes of a shorter file.
fn first_bytes(file: &File) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = vec![0; kind::TELLING];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ArchiveError::Unreadable(error)),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
