//! The tables inside the program: all positions of up to five pieces with at most three a side, and four
//! pieces against one.
//!
//! `embedded.tables` is what `calibrate tables --pieces 5 --output src/tables/embedded.tables` writes, byte for
//! byte. Its SHA-256 is 10ac31bc429e627b59d157535e552763bb4db39bc5b735a4b4144af856ac40a9; a build with any other file
//! fails (see `check_embedded.rs`). It is read in place: of what a turn does not need nothing is loaded.

use std::sync::OnceLock;

use super::file::{File, TableError, Trust};

static BYTES: &[u8] = include_bytes!("embedded.tables");

/// The tables inside the program.
///
/// # Errors
/// None, in a program whose file of tables has the format that it reads: a test sees to it.
pub fn embedded() -> Result<&'static File<'static>, TableError> {
    static FILE: OnceLock<Result<File<'static>, TableError>> = OnceLock::new();
    FILE.get_or_init(|| File::open(BYTES, Trust::Checked)).as_ref().map_err(Clone::clone)
}
