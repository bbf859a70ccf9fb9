//! Kinds of archives, recognized by name or by content.

use std::path::Path;

use super::error::ArchiveError;

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
pub(super) const TELLING: usize = 512;

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

/// Kind of an archive, according to its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveKind {
    Zip,
    Tar,
    /// A compressed file that contains a tar or anything else.
    Compressed(Compression),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Bzip2,
    Xz,
}

/// First bytes of compressed files that may contain a tar.
const COMPRESSED: [(&[u8], Compression); 3] =
    [(b"\x1f\x8b", Compression::Gzip), (b"BZh", Compression::Bzip2), (b"\xfd7zXZ\0", Compression::Xz)];

impl ArchiveKind {
    /// Recognizes the kind from the first [`TELLING`] bytes, or from all bytes of a shorter file.
    pub(super) fn of(bytes: &[u8]) -> Result<ArchiveKind, ArchiveError> {
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
            Ok(ArchiveKind::Zip)
        } else if bytes.starts_with(b"PK\x07\x08") {
            Err(ArchiveError::OneOfSeveral)
        } else if let Some(&(_, compression)) = COMPRESSED.iter().find(|(first, _)| bytes.starts_with(first)) {
            Ok(ArchiveKind::Compressed(compression))
        } else if is_tar(bytes) {
            Ok(ArchiveKind::Tar)
        } else if let Some((_, what)) = REFUSED.iter().find(|(first, _)| bytes.starts_with(first)) {
            Err(ArchiveError::OtherKind(what))
        } else {
            Err(ArchiveError::NotAnArchive)
        }
    }
}

/// Returns true if a tar can begin with these bytes: the magic number, a header that lacks it but has the right
/// checksum, or the zeros of an empty tar.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
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
mod tests {
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
            assert_eq!(ArchiveKind::of(bytes).unwrap(), ArchiveKind::Compressed(compression));
        }
        assert_eq!(ArchiveKind::of(&[0; TELLING]).unwrap(), ArchiveKind::Tar);
        let mut old = ::tar::Header::new_old();
        old.as_old_mut().name[0] = b'a';
        old.set_cksum();
        assert_eq!(ArchiveKind::of(old.as_bytes()).unwrap(), ArchiveKind::Tar);
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
