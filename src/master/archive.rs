//! What has a student handed in as an archive?
//!
//! [`unpack`] makes a folder of a zip, a tar or a tar.gz, which its first bytes tell apart. It holds regular files and
//! folders; whatever else an archive can say is refused with the reason and the way out. Nothing that an archive says
//! of itself is trusted: sizes are counted, checksums are verified, and a zip is read by its directory alone, with
//! which all else must agree.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `kind` | which archives there are, by their names and by their first bytes |
//! | `limits` | how much may be in one |
//! | `entry_path` | where an entry lies in the unpacked folder, and which are left out |
//! | `tree` | whether entries contradict each other |
//! | `destination` | how files are written, whole or not at all |
//! | `zip` | how a zip is read |
//! | `tar` | how a tar is read, compressed or not |
//! | `error`, `entry_error` | why an archive or an entry of it is refused |

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
pub use error::{ArchiveError, Damage};
pub use kind::{is_archive, name_without_ending};
pub use limits::ArchiveLimits;

use destination::Destination;
use kind::ArchiveKind;

/// Unpacks an archive into the folder `into`, which must not exist and whose parent must. Where all of the archive lies
/// in one folder, `into` becomes that folder. What systems add on their own is left out: `__MACOSX`, `.DS_Store`,
/// `Thumbs.db`, `desktop.ini` and names that begin with `._`.
///
/// Folders get the mode 0755, files 0644 or 0755: as the archive says, or by their first bytes (ELF or `#!`) where it
/// has no modes. Set-user-ID bits and the like, owners and times are dropped.
///
/// A process that is killed meanwhile leaves a folder `.unpacking-*` beside `into`, and no `into`.
///
/// # Errors
/// The archive is refused, or a file cannot be read or written: then there is no `into`, nor anything else that was not
/// there before. The text of the error does not name the archive.
pub fn unpack(archive: &Path, into: &Path, limits: &ArchiveLimits) -> Result<(), ArchiveError> {
    let (file, length) = open(archive)?;
    if length > limits.of_stream() {
        return Err(ArchiveError::TooBig(limits.bytes));
    }
    let kind = ArchiveKind::of(&first_bytes(&file)?)?;
    let mut destination = Destination::new(into, limits)?;
    match kind {
        ArchiveKind::Zip => zip::unpack(&file, length, &mut destination, limits)?,
        ArchiveKind::Tar => tar::unpack(&file, &mut destination, limits)?,
        ArchiveKind::Gzip => tar::unpack_gzip(&file, &mut destination, limits)?,
    }
    destination.finish()
}

/// The archive and its length in bytes.
fn open(path: &Path) -> Result<(File, u64), ArchiveError> {
    // Opening a pipe may block forever.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    let file = file.map_err(ArchiveError::Unreadable)?;
    let found = file.metadata().map_err(ArchiveError::Unreadable)?;
    if found.is_file() { Ok((file, found.len())) } else { Err(ArchiveError::NotAFile) }
}

/// As many as tell what a file is, or all that it has.
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
