//! Endgame tables of checkers positions with few pieces, under the course's 50-turn rule (§1) and without it.
//!
//! For every such position the tables store the outcome with no quiet turn before it, and the distance to the next
//! zeroing turn: a capture, a crowning or the end of the game, which resets the count of quiet turns. The outcome is
//! exact under both [`Rules`](crate::game::Rules): under the course's, a position is won if the side to move can force a
//! zeroing turn within 50 plies into another won position. Without the limit, a few
//! more are won and lost.
//! The distance is stored as a span of about eight plies, and a short search makes it exact. The exact distance gives
//! the outcome at any count. The tables store nothing for positions in which the side to move must jump: probes play
//! the jumps out. Repetition cannot undo a win, because every turn of the winner brings the next zeroing turn nearer.
//!
//! The feature `tables` embeds the tables for up to five pieces, at most three a side, and for four pieces against one.
//! A file of a program may add others. Callers need not know which table answers:
//!
//! ```
//! # #[cfg(feature = "tables")] {
//! use kingline::checkers::Position;
//! use kingline::evaluate::checkers::Evaluation;
//! use kingline::game::{Game, History, Rules, Value};
//! use kingline::knowledge::tablebase::Tablebase;
//!
//! let tablebase = Tablebase::with_embedded(None);
//! let position: Position = "W:WK30,K31:BK11".parse()?;
//! assert_eq!(tablebase.value(&position, Rules::Game), Ok(Value::Win(33)));
//!
//! let probes = 100_000;
//! let choice = tablebase.choose(&History::new(position), &Evaluation::default(), probes)?;
//! assert_eq!(tablebase.value(&position.play(choice.mv), Rules::Game), Ok(Value::Loss(32)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The embedded tables
//!
//! `calibrate tables --pieces 5 --output src/engine/knowledge/tablebase/embedded.tables` reproduces `embedded.tables` byte for
//! byte. Its SHA-256 is bedd510287c3a53c66a14c8e3729a2b717973a32d3967f1f3d69f92cd10628d8. A build with any other file
//! fails (see `build.rs`). The file is read in place, so the system loads only the pages that a turn needs.
//! Without the feature `tables`, the program has no tables.

mod board;
pub mod build;
mod choose;
mod file;
mod index;
mod probe;
mod section;
#[cfg(test)]
#[cfg(feature = "tables")]
mod tests;
mod turns;
mod value;

use std::fmt;
use std::sync::OnceLock;

pub use board::Material;
pub use choose::TableMove;
pub use file::{MAGIC, TableFile, Trust};
pub use probe::{ProbeError, Tablebase};
pub use value::LONGEST;

/// Explains why bytes are not a sound table, with the found and the expected content.
type BrokenTable = String;

/// Names the material of a broken table.
#[cold]
fn broken(material: Material, what: &str) -> BrokenTable {
    format!("the table of {material}: {what}")
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

/// Largest number of pieces in the embedded tables' positions, known without opening them.
const MOST_PIECES: u32 = if cfg!(feature = "tables") { 5 } else { 0 };

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
static BYTES: &[u8] = include_bytes!("tablebase/embedded.tables");
#[cfg(not(feature = "tables"))]
static BYTES: &[u8] = b"";

fn open() -> Result<TableFile<'static>, TableError> {
    if BYTES.is_empty() {
        return Err(TableError::Unreadable("this program was built without the feature `tables`".to_owned()));
    }
    TableFile::open(BYTES, Trust::Checked)
}
