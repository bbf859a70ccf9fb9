//! Which tables are inside the program? All positions of up to five pieces with at most three a side, and four
//! pieces against one.
//!
//! `embedded.tables` is what `calibrate tables --pieces 5 --output src/knowledge/tablebase/embedded.tables` writes,
//! byte for byte. Its SHA-256 is f8aef91f023e81706408193dc503fd80184b10b250545a50369e8ccb3155abe5; a build with any
//! other file fails (see `check_embedded.rs`). It is read in place: what a turn does not need is never loaded. Without
//! the feature `tables` the program has none.

use std::sync::OnceLock;

use super::broken::TableError;
use super::file::TableFile;

/// The tables inside the program.
///
/// # Errors
/// There are none without the feature `tables`. With it they can always be opened.
pub fn embedded() -> Result<&'static TableFile<'static>, TableError> {
    static FILE: OnceLock<Result<TableFile<'static>, TableError>> = OnceLock::new();
    FILE.get_or_init(open).as_ref().map_err(Clone::clone)
}

#[cfg(feature = "tables")]
fn open() -> Result<TableFile<'static>, TableError> {
    TableFile::open(include_bytes!("embedded.tables"), super::file::Trust::Checked)
}

#[cfg(not(feature = "tables"))]
fn open() -> Result<TableFile<'static>, TableError> {
    Err(TableError::Unreadable("this program was built without the feature `tables`".to_owned()))
}
