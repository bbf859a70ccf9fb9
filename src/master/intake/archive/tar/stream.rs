//! Reads the bytes of a tar up to a limit, and checks its end.

use std::io::{self, Read};

use crate::intake::archive::{ArchiveError, Damage, TreeLimits};

/// Uncompressed bytes of a tar, up to a limit.
pub(super) struct Stream<'a> {
    source: &'a mut dyn Read,
    left: u64,
    limits: &'a TreeLimits,
    /// True once a read has reached the end.
    pub(super) ended: bool,
}

impl<'a> Stream<'a> {
    pub(super) fn new(source: &'a mut dyn Read, limits: &'a TreeLimits) -> Stream<'a> {
        Stream { source, left: limits.of_stream(), limits, ended: false }
    }

    /// Reads everything after the last entry, where only zeros may follow. In a compressed tar, this verifies the
    /// checksum.
    pub(super) fn finish(mut self) -> Result<(), ArchiveError> {
        let mut piece = [0; 4096];
        loop {
            match self.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) if piece[..count].iter().all(|&byte| byte == 0) => {}
                Ok(_) => return Err(ArchiveError::Damaged(Damage::Trailing)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ArchiveError::of_read(error)),
            }
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.ended |= count == 0 && !buffer.is_empty();
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| io::Error::other(ArchiveError::TooBig(self.limits.bytes)))?;
        Ok(count)
    }
}
