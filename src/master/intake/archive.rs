//! Safely unpacks the archives that students submit.
//!
//! [`unpack`] turns a zip or a tar, compressed with gzip, bzip2 or xz or not at all, recognized by its first bytes, into a
//! folder of regular files and folders. An archive that contains anything else is refused with a reason and advice. The
//! crates `zip` and `tar` read its structure; which paths, kinds of files and sizes are allowed, and what is written, is
//! decided in `destination`. Where two programs could read an archive differently, what counts is the unpacked folder.

mod destination;
mod error;
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

use crate::league::preparation::TreeLimits;
use destination::Destination;

/// Unpacks an archive into the folder `into`, which must not exist yet; its parent must exist. If all entries are in a
/// single folder, `into` becomes that folder. Leaves out files that operating systems add on their own: `__MACOSX`,
/// `.DS_Store`, `Thumbs.db`, `desktop.ini` and names that begin with `._`.
///
/// Folders get the mode 0755. Files get 0644 or 0755, according to the archive; if it has no modes, the first bytes
/// decide (ELF or `#!`). Special bits such as set-user-ID, owners and times are dropped.
///
/// A process killed while unpacking leaves a folder `.unpacking-*` beside `into`, and no `into`.
///
/// Returns a note on how it was read, if that is uncertain.
///
/// # Errors
/// The archive is refused, or a file cannot be read or written. In either case, nothing is left behind, not even
/// `into`. The error does not name the archive.
pub(crate) fn unpack(archive: &Path, into: &Path, limits: &TreeLimits) -> Result<Option<&'static str>, ArchiveError> {
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
        ArchiveKind::Tar(compression) => tar::unpack(&file, compression, &mut destination, limits)?,
    }
    destination.finish()
}

/// Reads the bytes that identify the kind of a file, or all bytes of a shorter one.
fn first_bytes(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(TELLING as u64).read_to_end(&mut bytes)?;
    file.rewind()?;
    Ok(bytes)
}

/// Maximum size of an uncompressed archive in bytes: its files, and headers and padding for each.
fn longest_archive(limits: &TreeLimits) -> u64 {
    const PER_ENTRY: u64 = 4096;
    const ONCE: u64 = 1 << 20;
    limits.bytes.saturating_add(limits.entries.saturating_mul(PER_ENTRY)).saturating_add(ONCE)
}

/// File extensions of archives that people submit, in lower case. They include kinds that [`ArchiveKind::of`] refuses, so
/// that their authors get an error message.
const ENDINGS: &str = ".tar.bz2 .tar.zst .tar.lzma .tar.gz .tar.xz .tar.lz .tar.z .zip .zipx .tar .tgz .taz .rar .7z .tbz2 \
                       .tbz .tb2 .txz .tlz .tzst .gz .bz2 .xz .zst .lzma .lz .z .ace .arj";

/// First bytes of archives and compressed files that are refused, with the names of their kinds.
const REFUSED: [(&[u8], &str); 7] = [
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd"),
    (b"LZIP", "a file compressed with lzip"),
    (b"\x5d\0\0", "a file compressed with lzma"),
    (b"\x1f\x9d", "a file compressed with compress"),
    (b"\x60\xea", "an ARJ archive"),
];

/// Number of bytes that identify the kind of a file: the first block of a tar.
const TELLING: usize = 512;

/// True if the file name is that of an archive, whether [`unpack`](super::unpack) supports its kind or not.
pub(crate) fn is_archive(path: &Path) -> bool {
    name_without_ending(path).is_some()
}

/// The name of an archive without its extension, e.g. `alice` for `class/alice.tar.gz`; `None` if the name is not that
/// of an archive or is not UTF-8.
pub(crate) fn name_without_ending(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    // Changes only ASCII letters, so that the length stays the same.
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.split(' ').filter(|ending| lower.ends_with(ending)).max_by_key(|ending| ending.len())?;
    Some(&name[..name.len() - ending.len()]).filter(|name| !name.is_empty())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArchiveKind {
    Zip,
    /// A tar, or a compressed file that contains a tar or anything else.
    Tar(Compression),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Compression {
    None,
    Gzip,
    Bzip2,
    Xz,
}

/// First bytes of compressed files that may contain a tar.
const COMPRESSED: [(&[u8], Compression); 3] =
    [(b"\x1f\x8b", Compression::Gzip), (b"BZh", Compression::Bzip2), (b"\xfd7zXZ\0", Compression::Xz)];

impl ArchiveKind {
    /// Recognizes the kind from the first [`TELLING`] bytes, or from all bytes of a shorter file.
    fn of(bytes: &[u8]) -> Result<ArchiveKind, ArchiveError> {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            Ok(ArchiveKind::Zip)
        } else if bytes.starts_with(b"PK\x07\x08") {
            Err(ArchiveError::OneOfSeveral)
        } else if let Some(&(_, compression)) = COMPRESSED.iter().find(|(first, _)| bytes.starts_with(first)) {
            Ok(ArchiveKind::Tar(compression))
        } else if is_tar(bytes) {
            Ok(ArchiveKind::Tar(Compression::None))
        } else if let Some((_, what)) = REFUSED.iter().find(|(first, _)| bytes.starts_with(first)) {
            Err(ArchiveError::OtherKind(what))
        } else {
            Err(ArchiveError::NotAnArchive)
        }
    }
}

/// Returns true if a tar can begin with these bytes: the magic number, a header that lacks it but has the right
/// checksum, or the zeros of an empty tar.
fn is_tar(bytes: &[u8]) -> bool {
    let Some(block) = bytes.get(..TELLING) else { return false };
    let checksum_field = 148..156;
    let of_byte = |(place, &byte)| if checksum_field.contains(&place) { u32::from(b' ') } else { u32::from(byte) };
    let checksum: u32 = block.iter().enumerate().map(of_byte).sum();
    let header = ::tar::Header::from_byte_slice(block);
    &block[257..262] == b"ustar"
        || header.cksum().is_ok_and(|written| written == checksum)
        || block.iter().all(|&byte| byte == 0)
}

#[cfg(test)]
mod kind_tests {
    use super::*;

    #[test]
    fn archives_are_recognized_by_name() {
        let name = |path: &'static str| name_without_ending(Path::new(path));
        for (path, expected) in [
            ("class/alice.zip", "alice"),
            ("Bob.TAR.GZ", "Bob"),
            ("c.tar.gz.tgz", "c.tar.gz"),
            ("d e.rar", "d e"),
            ("f.7z", "f"),
            ("g.tar.bz2", "g"),
            ("homework.py.gz", "homework.py"),
            ("\u{130}.tar.xz", "\u{130}"),
            (".tar.zip", ".tar"),
        ] {
            assert_eq!(name(path), Some(expected));
            assert!(is_archive(Path::new(path)));
        }
        for path in ["alice", "homework.py", ".zip", ".tar.gz", "zip", "a.zip/homework", "..", "unzip.rs", "a.jar"] {
            assert_eq!(name(path), None, "{path}");
        }
    }

    #[test]
    fn archives_are_recognized_by_first_bytes() {
        assert_eq!(ArchiveKind::of(b"PK\x03\x04").unwrap(), ArchiveKind::Zip);
        for (bytes, compression) in [
            (&b"\x1f\x8b\x08"[..], Compression::Gzip),
            (b"BZh91AY&SY", Compression::Bzip2),
            (b"\xfd7zXZ\0\0\x04", Compression::Xz),
        ] {
            assert_eq!(ArchiveKind::of(bytes).unwrap(), ArchiveKind::Tar(compression));
        }
        assert_eq!(ArchiveKind::of(&[0; TELLING]).unwrap(), ArchiveKind::Tar(Compression::None));
        let mut old = ::tar::Header::new_old();
        old.as_old_mut().name[0] = b'a';
        old.set_cksum();
        assert_eq!(ArchiveKind::of(old.as_bytes()).unwrap(), ArchiveKind::Tar(Compression::None));
        old.as_old_mut().name[0] = b'b';
        assert!(matches!(ArchiveKind::of(old.as_bytes()), Err(ArchiveError::NotAnArchive)));
        for bytes in [&b""[..], b"P", b"print('PK')", &[0; TELLING - 1]] {
            assert!(matches!(ArchiveKind::of(bytes), Err(ArchiveError::NotAnArchive)));
        }
        for (bytes, what) in REFUSED {
            assert!(matches!(ArchiveKind::of(bytes), Err(ArchiveError::OtherKind(other)) if other == what));
        }
    }
}
