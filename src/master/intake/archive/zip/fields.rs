//! Fields of zip records.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use crate::intake::archive::{ArchiveError, Damage};

/// Bytes parsed field by field, little-endian.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], ArchiveError> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(ArchiveError::Damaged(Damage::Directory))?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ArchiveError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub(super) fn u16(&mut self) -> Result<u16, ArchiveError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ArchiveError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ArchiveError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Consumes these bytes if they come next.
    pub(super) fn skip(&mut self, expected: &[u8]) -> bool {
        self.0.strip_prefix(expected).map(|rest| self.0 = rest).is_some()
    }
}

/// Reads `count` bytes of a file, starting at `start`.
pub(super) fn read_at(file: &File, start: u64, count: usize) -> Result<Vec<u8>, ArchiveError> {
    let mut bytes = vec![0; count];
    file.read_exact_at(&mut bytes, start).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::Damaged(Damage::Cut),
        _ => ArchiveError::Unreadable(error),
    })?;
    Ok(bytes)
}
