//! The directory of a zip.

use std::fs::File;

use super::end::End;
use super::fields::{Fields, read_at};
use crate::intake::archive::destination::Executable;
use crate::intake::archive::entry_path::Separators;
use crate::intake::archive::{ArchiveError, Damage, EntryError, EntryName, TreeLimits};

const SIGNATURE: &[u8] = b"PK\x01\x02";

/// Flags that mark an encrypted entry.
pub(super) const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
/// Flag of an entry whose size and checksum follow its content, so that the local header may lack them.
pub(super) const SIZES_FOLLOW: u16 = 1 << 3;
const PATCHED: u16 = 1 << 5;

/// Host systems that use backslashes and have no modes.
const WINDOWS: [u8; 3] = [0, 10, 14];

pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
/// Stored in place of the true compression method of an AES-encrypted entry.
const AES: u16 = 99;

/// A file or folder listed in the directory.
pub(super) struct ZipEntry {
    pub(super) name: Vec<u8>,
    pub(super) separators: Separators,
    pub(super) kind: EntryKind,
    pub(super) method: u16,
    pub(super) checksum: u32,
    /// Packed size in bytes.
    pub(super) packed: u64,
    /// Unpacked size in bytes.
    pub(super) size: u64,
    /// Start of its local header, in bytes from the start of the file.
    pub(super) header: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    Folder,
    File(Executable),
}

impl ZipEntry {
    pub(super) fn refused(&self, why: EntryError) -> ArchiveError {
        ArchiveError::Entry(EntryName::new(&self.name), why)
    }
}

/// Reads the directory. Refuses entries that are neither regular files nor folders.
pub(super) fn read(file: &File, end: &End, limits: &TreeLimits) -> Result<Vec<ZipEntry>, ArchiveError> {
    if end.entries > limits.entries {
        return Err(ArchiveError::TooMany(limits.entries));
    }
    if end.size > limits.of_directory() {
        return Err(ArchiveError::Damaged(Damage::Directory));
    }
    let bytes = read_at(file, end.start, end.size as usize)?;
    let mut fields = Fields(&bytes);
    let entries = (0..end.entries).map(|_| entry(&mut fields)).collect::<Result<Vec<_>, _>>()?;
    if fields.0.is_empty() { Ok(entries) } else { Err(ArchiveError::Damaged(Damage::Directory)) }
}

fn entry(fields: &mut Fields) -> Result<ZipEntry, ArchiveError> {
    if !fields.skip(SIGNATURE) {
        return Err(ArchiveError::Damaged(Damage::Directory));
    }
    let [_, system] = fields.u16()?.to_le_bytes();
    let _needed = fields.u16()?;
    let [flags, method] = [fields.u16()?, fields.u16()?];
    let _modified = fields.u32()?;
    let checksum = fields.u32()?;
    let [packed, size] = [fields.u32()?, fields.u32()?];
    let [name_length, extra_length, comment_length] = [fields.u16()?, fields.u16()?, fields.u16()?].map(usize::from);
    let disk = fields.u16()?;
    let _internal = fields.u16()?;
    let mode = fields.u32()? >> 16;
    let header = fields.u32()?;
    let name = fields.bytes(name_length)?.to_vec();
    let extra = Fields(fields.bytes(extra_length)?);
    fields.bytes(comment_length)?;

    let [size, packed, header] = enlarged([size, packed, header], extra)?;
    let windows = WINDOWS.contains(&system);
    let separators = if windows { Separators::BothSlashes } else { Separators::Slash };
    let kind = EntryKind::File(Executable::No);
    let mut entry = ZipEntry { name, separators, kind, method, checksum, packed, size, header };
    if flags & ENCRYPTED != 0 || method == AES {
        return Err(entry.refused(EntryError::Encrypted));
    }
    if !matches!(method, STORED | DEFLATED) || flags & PATCHED != 0 {
        return Err(entry.refused(EntryError::Method(method)));
    }
    if disk != 0 {
        return Err(ArchiveError::OneOfSeveral);
    }
    entry.kind = kind_of(&entry, mode, windows).map_err(|why| entry.refused(why))?;
    Ok(entry)
}

/// Kind of an entry, according to its mode, which may be missing, and the last character of its name.
fn kind_of(entry: &ZipEntry, mode: u32, windows: bool) -> Result<EntryKind, EntryError> {
    let slash = entry.name.ends_with(b"/") || windows && entry.name.ends_with(b"\\");
    match mode & 0o170_000 {
        0o040_000 => {}
        0 | 0o100_000 if slash => {}
        0 | 0o100_000 => {
            // Modes written on Windows carry little or no information.
            let known = mode != 0 && (!windows || mode & 0o111 != 0);
            return Ok(EntryKind::File(if known { Executable::by_mode(mode) } else { Executable::ByContent }));
        }
        0o120_000 => return Err(EntryError::SymbolicLink),
        0o020_000 | 0o060_000 => return Err(EntryError::Special("a device")),
        0o010_000 => return Err(EntryError::Special("a named pipe")),
        0o140_000 => return Err(EntryError::Special("a socket")),
        _ => return Err(EntryError::Special("a file of an unknown kind")),
    }
    if entry.size == 0 { Ok(EntryKind::Folder) } else { Err(EntryError::FullFolder) }
}

/// Unpacked size, packed size and position; any that do not fit in 32 bits come from the zip64 field.
fn enlarged(numbers: [u32; 3], mut extra: Fields) -> Result<[u64; 3], ArchiveError> {
    const ZIP64: u16 = 1;
    let mut enlarged = numbers.map(u64::from);
    if !numbers.contains(&u32::MAX) {
        return Ok(enlarged);
    }
    let mut large = loop {
        let (id, length) = (extra.u16()?, extra.u16()?);
        let field = Fields(extra.bytes(length.into())?);
        if id == ZIP64 {
            break field;
        }
    };
    for number in enlarged.iter_mut().filter(|number| **number == u64::from(u32::MAX)) {
        *number = large.u64()?;
    }
    Ok(enlarged)
}
