//! Probing all tables for a position.

use std::fmt;
use std::sync::OnceLock;

use super::board::Board;
use super::broken::BrokenTable;
use super::embedded::{MOST_PIECES, embedded};
use super::file::TableFile;
use super::index::Index;
use super::material::Material;
use super::stored::StoredValue;
use super::turns;
use crate::checkers::Position;
use crate::game::{Color, Knowledge, Value, Wdl};

/// Endgame tables: embedded in the program, from a file, both, or none.
#[derive(Debug, Default)]
pub struct Tablebase<'a> {
    /// True if the embedded tables answer. They are opened by the first probe.
    has_embedded: bool,
    /// Ignored once it is found broken.
    file: Option<&'a TableFile<'a>>,
    /// Largest number of pieces in the tables' positions.
    most_pieces: u32,
    /// The error that was found in the file.
    broken: OnceLock<BrokenTable>,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The tables have no position with these pieces.
    NotTabled,
    /// The answer takes more probes than were allowed.
    Unfinished,
    /// The table file is broken: what was found, and what was expected. Returned once by each thread at most; then the
    /// file is ignored.
    Broken(String),
}

impl<'a> Tablebase<'a> {
    /// Uses only the tables of a file.
    pub fn new(file: &'a TableFile<'a>) -> Tablebase<'a> {
        Tablebase { file: Some(file), most_pieces: most_pieces(file), ..Tablebase::default() }
    }

    /// Uses the tables of a file. The embedded tables answer if the file is broken or lacks a material.
    pub fn with_embedded(file: Option<&'a TableFile<'a>>) -> Tablebase<'a> {
        let most_pieces = file.map(most_pieces).into_iter().fold(MOST_PIECES, u32::max);
        Tablebase { has_embedded: true, file, most_pieces, ..Tablebase::default() }
    }

    /// Outcome of `position` with no quiet turn before it.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn outcome(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.probe_board(Board::of(position)).map(|stored| stored.outcome)
    }

    /// Error found in the file since the tablebase was created, if any.
    pub fn broken(&self) -> Option<String> {
        self.broken.get().map(ToString::to_string)
    }

    /// Returns true if a position has few enough pieces for the tables. The test is quick, and most positions of a
    /// search fail it.
    #[inline]
    pub(super) fn may_have(&self, position: &Position) -> bool {
        position.count(Color::Black) + position.count(Color::White) <= self.most_pieces
    }

    fn probe_tables(&self, position: &Position, quiet_turns: u16) -> Option<Value> {
        self.probe_board(Board::of(position)).ok()?.with_quiet_turns(quiet_turns)
    }

    /// Probes the tables for a board. If the side to move must jump, the jumps are played out.
    pub(super) fn probe_board(&self, board: Board) -> Result<StoredValue, ProbeError> {
        if board.own() == 0 {
            return Ok(StoredValue::LOST);
        }
        let mut best = Ok(None);
        let jumps = turns::for_each_jump(board, |after| {
            if let Ok(known) = best {
                best = self.probe_board(after).map(|stored| known.max(Some(stored.outcome.reversed())));
            }
        });
        match best? {
            Some(outcome) if jumps => Ok(StoredValue::by_zeroing(outcome)),
            _ => self.stored(board),
        }
    }

    /// Returns the stored value of a board in which the side to move need not jump.
    #[inline]
    fn stored(&self, board: Board) -> Result<StoredValue, ProbeError> {
        let material = board.small_material().ok_or(ProbeError::NotTabled)?;
        let has = |file: &&TableFile<'_>| file.has(material);
        let mut answer = Err(ProbeError::NotTabled);
        if let Some(file) = self.sound_file().filter(has) {
            answer = read(file, material, board).map_err(|broken| self.ignore_file(broken));
        }
        match self.embedded().filter(has) {
            Some(embedded) if answer.is_err() => {
                read(embedded, material, board).map_err(|broken| ProbeError::Broken(broken.to_string()))
            }
            _ => answer,
        }
    }

    #[inline]
    fn sound_file(&self) -> Option<&'a TableFile<'a>> {
        self.file.filter(|_| self.broken.get().is_none())
    }

    #[inline]
    fn embedded(&self) -> Option<&'static TableFile<'static>> {
        if self.has_embedded { embedded().ok() } else { None }
    }

    /// Ignores the file from now on.
    #[cold]
    fn ignore_file(&self, broken: BrokenTable) -> ProbeError {
        ProbeError::Broken(self.broken.get_or_init(|| broken).to_string())
    }
}

/// Reads the value of a board from a file that has its material.
#[inline]
fn read(file: &TableFile<'_>, material: Material, board: Board) -> Result<StoredValue, BrokenTable> {
    let code = file.code(material, Index::new(material).of(board))?;
    StoredValue::from_code(code)
        .ok_or_else(|| BrokenTable::new(format!("code {code}, which has no meaning")).of(material))
}

fn most_pieces(file: &TableFile<'_>) -> u32 {
    file.materials().map(|material| u32::from(material.pieces())).max().unwrap_or(0)
}

impl Knowledge<Position> for Tablebase<'_> {
    #[inline]
    fn probe(&self, position: &Position, quiet_turns: u16) -> Option<Value> {
        if self.may_have(position) { self.probe_tables(position, quiet_turns) } else { None }
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::NotTabled => f.write_str("no table has a position with these pieces"),
            ProbeError::Unfinished => f.write_str("the tables did not answer within the probes allowed"),
            ProbeError::Broken(what) => write!(f, "a table is broken: {what}"),
        }
    }
}

impl std::error::Error for ProbeError {}

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_tables_have_the_expected_number_of_pieces() {
        assert_eq!(most_pieces(embedded().unwrap()), MOST_PIECES);
    }
}
