use std::fs;
use std::path::Path;

use memmap2::Mmap;

use kingline::knowledge::tablebase::{TableError, TableFile, Trust};

/// A table file on disk, mapped into memory. Only the probed pages are read.
#[derive(Debug)]
pub struct SideFile {
    map: Mmap,
}

impl SideFile {
    /// Maps a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a regular file.
    pub fn map(path: &Path) -> Result<SideFile, TableError> {
        let unreadable = |error: std::io::Error| TableError::Unreadable(error.to_string());
        // Checked before the file is opened, because opening a pipe may block.
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(TableError::Unreadable("not a regular file".to_owned()));
        }
        let file = fs::File::open(path).map_err(unreadable)?;
        // SAFETY: nothing here writes to the map. Its content is not trusted: each page is checked against its
        // checksum, and every number against its range. A program that truncates the mapped file could terminate this
        // one, but `calibrate tables` replaces files instead of changing them.
        #[expect(unsafe_code, reason = "mapping a file is unsafe: other programs may change it")]
        let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        Ok(SideFile { map })
    }

    /// Opens the tables in the file. Their pages are checked when they are first read.
    ///
    /// # Errors
    /// The file is not a table file, or its header is damaged.
    pub fn tables(&self) -> Result<TableFile<'_>, TableError> {
        TableFile::open(&self.map, Trust::CheckPages)
    }
}
