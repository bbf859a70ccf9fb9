//! How is a file of tables on disk read?

use std::fs;
use std::path::Path;

use memmap2::Mmap;

use super::broken::TableError;
use super::file::{TableFile, Trust};

/// A file of tables on disk, mapped into memory: only the pages that are probed are read.
#[derive(Debug)]
pub struct SideFile {
    map: Mmap,
}

impl SideFile {
    /// Maps a file.
    ///
    /// # Errors
    /// It cannot be read, or is no regular file.
    pub fn map(path: &Path) -> Result<SideFile, TableError> {
        let unreadable = |error: std::io::Error| TableError::Unreadable(error.to_string());
        // Asked before it is opened: opening a pipe may block.
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(TableError::Unreadable("it is not a regular file".to_owned()));
        }
        let file = fs::File::open(path).map_err(unreadable)?;
        // SAFETY: nothing here writes to the map, and what is read from it is untrusted:
        // each page is checked against its checksum, and every number against its range. A program that truncated
        // the file at this moment could end this one; `calibrate tables` never changes a file, it replaces it.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        Ok(SideFile { map })
    }

    /// The tables in it. Their pages are checked when they are first read.
    ///
    /// # Errors
    /// It is no file of tables, or its head is damaged.
    pub fn tables(&self) -> Result<TableFile<'_>, TableError> {
        TableFile::open(&self.map, Trust::CheckPages)
    }
}
