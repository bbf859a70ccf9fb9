//! Errors in tables and in table files.

use std::fmt;

use super::material::Material;

/// Explains why bytes are not a sound table, with the found and the expected content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenTable {
    what: String,
}

/// The reason why a table file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The file cannot be read.
    Unreadable(String),
    /// The file is not a table file.
    Foreign,
    /// The file has another format version.
    Version {
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        expected: u32,
    },
    /// The length of the file differs from the one in its header.
    Length {
        /// Length of the file in bytes.
        found: u64,
        /// Length stated in its header.
        expected: u64,
    },
    /// The file was altered after it was written.
    Altered(String),
}

impl BrokenTable {
    pub(super) fn new(what: impl Into<String>) -> BrokenTable {
        BrokenTable { what: what.into() }
    }

    /// Names the material of the broken table.
    #[cold]
    pub(super) fn of(self, material: Material) -> BrokenTable {
        BrokenTable { what: format!("the table of {material}: {}", self.what) }
    }
}

impl fmt::Display for BrokenTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for BrokenTable {}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Unreadable(error) => write!(f, "cannot be read: {error}"),
            TableError::Foreign => f.write_str("not an endgame table file: it does not start with \"kltables\""),
            TableError::Version { found, expected } => write!(f, "version {found}, expected {expected}"),
            TableError::Length { found, expected } => write!(f, "{found} bytes, expected {expected}"),
            TableError::Altered(what) => write!(f, "altered: {what}"),
        }
    }
}

impl std::error::Error for TableError {}
