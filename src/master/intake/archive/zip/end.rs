//! The end records of a zip, which locate its directory.

use std::fs::File;

use super::fields::{Fields, read_at};
use crate::intake::archive::{ArchiveError, Damage};

const SIGNATURE: &[u8] = b"PK\x05\x06";
/// Length of the end record in bytes, without the comment after it.
const LENGTH: usize = 22;
const LONGEST_COMMENT: usize = u16::MAX as usize;
/// Signature of the zip64 end record locator, which directly precedes the end record.
const LOCATOR_SIGNATURE: &[u8] = b"PK\x06\x07";
const LOCATOR_LENGTH: usize = 20;
/// Signature of the zip64 end record.
const LARGE_SIGNATURE: &[u8] = b"PK\x06\x06";
const LARGE_LENGTH: usize = 56;

const WRONG: ArchiveError = ArchiveError::Damaged(Damage::Directory);

/// The end record's description of the directory.
pub(super) struct End {
    pub(super) entries: u64,
    /// Start of the directory, in bytes from the start of the file; the contents come before it.
    pub(super) start: u64,
    /// Length of the directory in bytes.
    pub(super) size: u64,
}

/// Reads the end records of a zip that is `length` bytes long.
pub(super) fn find(file: &File, length: u64) -> Result<End, ArchiveError> {
    let tail = length.min((LENGTH + LONGEST_COMMENT) as u64);
    let tail_start = length - tail;
    let tail = read_at(file, tail_start, tail as usize)?;
    let signatures = signatures_in(&tail);
    let mut ends = signatures.iter().filter(|&&place| is_end(&tail[place..]));
    let place = match (ends.next(), ends.next()) {
        (Some(&place), None) => place,
        // Programs disagree about which end record to use.
        (Some(_), Some(_)) => return Err(ArchiveError::Damaged(Damage::TwoEnds)),
        (None, _) if signatures.is_empty() => return Err(ArchiveError::Damaged(Damage::Cut)),
        (None, _) => return Err(ArchiveError::Damaged(Damage::Trailing)),
    };
    read(file, &tail[place..], tail_start + place as u64)
}

/// Positions of the signature.
fn signatures_in(tail: &[u8]) -> Vec<usize> {
    let windows = tail.windows(SIGNATURE.len()).enumerate();
    windows.filter(|(_, bytes)| *bytes == SIGNATURE).map(|(place, _)| place).collect()
}

/// True if these bytes, which extend to the end of the file, are the end record and its comment.
fn is_end(bytes: &[u8]) -> bool {
    let comment = bytes.get(LENGTH - 2..LENGTH).map(|field| usize::from(u16::from_le_bytes([field[0], field[1]])));
    comment.is_some_and(|comment| bytes.len() == LENGTH + comment)
}

/// Reads the end record, which begins at `place`.
fn read(file: &File, record: &[u8], place: u64) -> Result<End, ArchiveError> {
    let mut fields = Fields(&record[SIGNATURE.len()..]);
    let [disk, directory_disk, entries_here, entries] = [fields.u16()?, fields.u16()?, fields.u16()?, fields.u16()?];
    let [size, start] = [fields.u32()?, fields.u32()?];
    if entries == u16::MAX || size == u32::MAX || start == u32::MAX {
        return read_large(file, place);
    }
    if disk != 0 || directory_disk != 0 || entries_here != entries {
        return Err(ArchiveError::OneOfSeveral);
    }
    End { entries: entries.into(), start: start.into(), size: size.into() }.before(place)
}

/// Reads the zip64 record associated with the end record at `place`.
fn read_large(file: &File, place: u64) -> Result<End, ArchiveError> {
    let locator_place = place.checked_sub(LOCATOR_LENGTH as u64).ok_or(WRONG)?;
    let locator = read_at(file, locator_place, LOCATOR_LENGTH)?;
    let mut fields = Fields(&locator);
    if !fields.skip(LOCATOR_SIGNATURE) {
        return Err(WRONG);
    }
    let (disk, large_place, disks) = (fields.u32()?, fields.u64()?, fields.u32()?);
    // Some programs write zero as the number of disks.
    if disk != 0 || disks > 1 {
        return Err(ArchiveError::OneOfSeveral);
    }
    if large_place.checked_add(LARGE_LENGTH as u64).is_none_or(|end| end > locator_place) {
        return Err(WRONG);
    }
    let large = read_at(file, large_place, LARGE_LENGTH)?;
    let mut fields = Fields(&large);
    if !fields.skip(LARGE_SIGNATURE) || fields.u64()?.checked_add(large_place + 12) != Some(locator_place) {
        return Err(WRONG);
    }
    let _versions = fields.u32()?;
    let (disk, directory_disk) = (fields.u32()?, fields.u32()?);
    let [entries_here, entries, size, start] = [fields.u64()?, fields.u64()?, fields.u64()?, fields.u64()?];
    if disk != 0 || directory_disk != 0 || entries_here != entries {
        return Err(ArchiveError::OneOfSeveral);
    }
    End { entries, start, size }.before(large_place)
}

impl End {
    /// Refuses a directory that extends beyond `place`.
    fn before(self, place: u64) -> Result<End, ArchiveError> {
        if self.start.checked_add(self.size).is_none_or(|end| end > place) { Err(WRONG) } else { Ok(self) }
    }
}
