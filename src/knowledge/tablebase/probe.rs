//! What do all tables together say of a position?

use std::cell::{Cell, OnceCell};
use std::fmt;

use super::board::Board;
use super::broken::BrokenTable;
use super::embedded::embedded;
use super::file::TableFile;
use super::index::Index;
use super::material::Material;
use super::stored::StoredValue;
use super::turns;
use crate::checkers::Position;
use crate::game::{Color, Knowledge, Value, Wdl};

/// Endgame tables: those inside the program, those of a file, both, or none.
#[derive(Debug, Default)]
pub struct Tablebase<'a> {
    embedded: Option<&'static TableFile<'static>>,
    /// `None` also after it was found broken: it is then ignored.
    file: Cell<Option<&'a TableFile<'a>>>,
    /// No position with more pieces is in them.
    most_pieces: u32,
    /// What was found broken in the file.
    broken: OnceCell<BrokenTable>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The tables cannot answer: they have no position with these pieces.
    NotTabled,
    /// The answer takes more probes than were allowed.
    Unfinished,
    /// The tables should answer, but their file is broken: what was found, and what was expected. Returned once:
    /// then the file is ignored.
    Broken(String),
}

impl<'a> Tablebase<'a> {
    /// The tables of a file alone.
    pub fn new(file: &'a TableFile<'a>) -> Tablebase<'a> {
        Tablebase { file: Cell::new(Some(file)), most_pieces: most_pieces(file), ..Tablebase::default() }
    }

    /// The tables of a file, and where it has none, or is broken, those inside the program.
    pub fn with_embedded(file: Option<&'a TableFile<'a>>) -> Tablebase<'a> {
        let embedded = embedded().ok();
        let most_pieces = embedded.map_or(0, most_pieces).max(file.map_or(0, most_pieces));
        Tablebase { embedded, file: Cell::new(file), most_pieces, ..Tablebase::default() }
    }

    /// What `position` is worth with no quiet turn behind it.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn outcome(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.probe_board(Board::of(position)).map(StoredValue::outcome)
    }

    /// What was found broken in the file since the tablebase was made, if anything was.
    pub fn broken(&self) -> Option<String> {
        self.broken.get().map(ToString::to_string)
    }

    /// Whether a position has few enough pieces for the tables: a quick test, which most positions of a search fail.
    #[inline]
    pub(super) fn may_have(&self, position: &Position) -> bool {
        position.count(Color::Black) + position.count(Color::White) <= self.most_pieces
    }

    /// What the tables say of a board; where the side to move must jump, the jumps are played out.
    pub(super) fn probe_board(&self, board: Board) -> Result<StoredValue, ProbeError> {
        if board.own() == 0 {
            return Ok(StoredValue::LOST);
        }
        let mut best = Ok(None);
        let jumps = turns::for_each_jump(board, |after| {
            if let Ok(known) = best {
                best = self.probe_board(after).map(|stored| known.max(Some(stored.outcome().reversed())));
            }
        });
        match best? {
            Some(outcome) if jumps => Ok(StoredValue::by_zeroing(outcome)),
            _ => self.stored(board),
        }
    }

    /// What is stored of a board where the side to move need not jump.
    #[inline]
    fn stored(&self, board: Board) -> Result<StoredValue, ProbeError> {
        let material = board.small_material().ok_or(ProbeError::NotTabled)?;
        let has = |file: &&TableFile<'_>| file.has(material);
        let mut answer = Err(ProbeError::NotTabled);
        if let Some(file) = self.file.get().filter(has) {
            answer = read(file, material, board).map_err(|broken| self.ignore_file(broken));
        }
        match self.embedded.filter(has) {
            Some(embedded) if answer.is_err() => {
                read(embedded, material, board).map_err(|broken| ProbeError::Broken(broken.to_string()))
            }
            _ => answer,
        }
    }

    /// Ignores the file from now on.
    #[cold]
    fn ignore_file(&self, broken: BrokenTable) -> ProbeError {
        self.file.set(None);
        ProbeError::Broken(self.broken.get_or_init(|| broken).to_string())
    }
}

/// What a file, which has the material, says of a board.
#[inline]
fn read(file: &TableFile<'_>, material: Material, board: Board) -> Result<StoredValue, BrokenTable> {
    let code = file.code(material, Index::new(material).of(board))?;
    StoredValue::from_code(code)
        .ok_or_else(|| BrokenTable::new(format!("code {code}, which stands for nothing")).of(material))
}

fn most_pieces(file: &TableFile<'_>) -> u32 {
    file.materials().map(|material| u32::from(material.pieces())).max().unwrap_or(0)
}

impl Knowledge<Position> for Tablebase<'_> {
    #[inline]
    fn probe(&self, position: &Position, quiet_turns: u16) -> Option<Value> {
        if !self.may_have(position) {
            return None;
        }
        self.probe_board(Board::of(position)).ok()?.with_quiet_turns(quiet_turns)
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
