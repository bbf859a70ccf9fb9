//! What is wrong with the bytes of a table, or with a file of tables?

use std::fmt;

use super::material::Material;

/// Bytes that are no sound table: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenTable {
    what: String,
}

/// Why a file of tables cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// It cannot be read.
    Unreadable(String),
    /// It is something else.
    Foreign,
    /// It is of another version of the format.
    Version {
        /// Its version.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// It has another length than it says.
    Length {
        /// Its length in bytes.
        found: u64,
        /// What it says.
        expected: u64,
    },
    /// It does not hold what was written into it.
    Altered(String),
}

impl BrokenTable {
    pub(super) fn new(what: impl Into<String>) -> BrokenTable {
        BrokenTable { what: what.into() }
    }

    /// The same, found in the table of this material.
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
            TableError::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            TableError::Foreign => f.write_str("it is not a file of endgame tables: it does not start with kltables"),
            TableError::Version { found, expected } => write!(f, "it is of version {found}, expected {expected}"),
            TableError::Length { found, expected } => write!(f, "it has {found} bytes, expected {expected}"),
            TableError::Altered(what) => write!(f, "it has been altered: {what}"),
        }
    }
}

impl std::error::Error for TableError {}
