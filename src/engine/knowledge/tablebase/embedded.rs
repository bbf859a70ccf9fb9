//! The embedded tables: all positions of up to five pieces with at most three a side, and of four pieces against one.
//!
//! `calibrate tables --pieces 5 --output src/engine/knowledge/tablebase/embedded.tables` reproduces `embedded.tables` byte for
//! byte. Its SHA-256 is f8aef91f023e81706408193dc503fd80184b10b250545a50369e8ccb3155abe5. A build with any other file
//! fails (see `build.rs`). The file is read in place, so the system loads only the pages that a turn needs.
//! Without the feature `tables`, the program has no tables.

use std::sync::OnceLock;

use super::broken::TableError;
use super::file::TableFile;

/// Largest number of pieces in the embedded tables' positions, known without opening them.
pub(super) const MOST_PIECES: u32 = if cfg!(feature = "tables") { 5 } else { 0 };

/// Returns the embedded tables.
///
/// # Errors
/// The program was built without the feature `tables`.
pub fn embedded() -> Result<&'static TableFile<'static>, TableError> {
    static FILE: OnceLock<Result<TableFile<'static>, TableError>> = OnceLock::new();
    FILE.get_or_init(open).as_ref().map_err(Clone::clone)
}

/// The file's bytes; none without the feature `tables`.
#[cfg(feature = "tables")]
static BYTES: &[u8] = include_bytes!("embedded.tables");
#[cfg(not(feature = "tables"))]
static BYTES: &[u8] = b"";

fn open() -> Result<TableFile<'static>, TableError> {
    if BYTES.is_empty() {
        return Err(TableError::Unreadable("this program was built without the feature `tables`".to_owned()));
    }
    TableFile::open(BYTES, super::file::Trust::Checked)
}
