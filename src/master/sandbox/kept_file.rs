//! A file that is carried from turn to turn.

use std::fs::File;
use std::io;

use rustix::fs::{MemfdFlags, memfd_create};

use super::copier::Copier;

/// A copy of a file that an agent wrote. It lies in memory that counts as the agent's, and consists of bytes alone:
/// nothing else about the file is kept.
#[derive(Debug)]
pub struct KeptFile {
    file: File,
    bytes: u64,
}

impl KeptFile {
    /// Copies an open file of this length.
    pub(super) fn copy(file: &File, bytes: u64, copier: &Copier) -> io::Result<KeptFile> {
        let kept = KeptFile { file: memfd_create("kept", MemfdFlags::CLOEXEC)?.into(), bytes };
        copier.content(file, &kept.file, bytes)?;
        Ok(kept)
    }

    /// Writes the bytes to a new file.
    pub(super) fn write(&self, to: &File, copier: &Copier) -> io::Result<()> {
        copier.content(&self.file, to, self.bytes)
    }
}
