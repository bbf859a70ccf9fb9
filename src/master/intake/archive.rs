//! Safely unpacks the archives that students submit.
//!
//! [`unpack`] turns a zip or a tar, compressed with gzip, bzip2 or xz or not at all, recognized by its first bytes, into a
//! folder of regular files and folders. An archive that contains anything else is refused with a reason and advice. The
//! crates `zip` and `tar` read its structure; which paths, kinds of files and sizes are allowed, and what is written, is
//! decided in `destination`. Where two programs could read an archive differently, what counts is the unpacked folder.

mod destination;
mod error;
mod kind;
mod tar;
#[cfg(test)]
mod tests;
mod zip;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::libc;

pub(crate) use destination::is_left_out;
pub(crate) use error::{ArchiveError, EntryName};
pub(crate) use kind::{is_archive, name_without_ending};

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
pub(crate) fn unpack(archive: &Path, into: &Path, limits: &TreeLimits) -> Result<(), ArchiveError> {
    // Opening a pipe may block forever.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(archive);
    let mut file = file.map_err(ArchiveError::Unreadable)?;
    let found = file.metadata().map_err(ArchiveError::Unreadable)?;
    if !found.is_file() {
        return Err(ArchiveError::NotAFile);
    } else if found.len() > longest_archive(limits) {
        return Err(ArchiveError::TooBig(limits.bytes));
    }
    let kind = first_bytes(&mut file).map_err(ArchiveError::Unreadable)?;
    let kind = ArchiveKind::of(&kind)?;
    let mut destination = Destination::new(into, limits)?;
    match kind {
        ArchiveKind::Zip => zip::unpack(&file, &mut destination, limits)?,
        ArchiveKind::Tar => tar::unpack(&file, &mut destination, limits)?,
        ArchiveKind::Compressed(by) => tar::unpack_compressed(&file, by, &mut destination, limits)?,
    }
    destination.finish()
}

/// Reads the bytes that identify the kind of a file, or all bytes of a shorter one.
fn first_bytes(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(kind::TELLING as u64).read_to_end(&mut bytes)?;
    file.rewind()?;
    Ok(bytes)
}

/// Maximum size of an uncompressed archive in bytes: its files, and headers and padding for each.
fn longest_archive(limits: &TreeLimits) -> u64 {
    const PER_ENTRY: u64 = 4096;
    const ONCE: u64 = 1 << 20;
    limits.bytes.saturating_add(limits.entries.saturating_mul(PER_ENTRY)).saturating_add(ONCE)
}
