//! Probing all tables for a position.
//!
//! The exact distance to the next zeroing turn, from a search as deep as the stored spans are wide.
//!
//! The search tests whether the root is decided within `n` plies, then within `n + 1`, and so on. For most positions
//! below the root the stored spans answer at once. The search continues only below positions in the root's span, one
//! ply less each time, until it leaves that span. It keeps its results for each position for later calls.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use super::board::{Board, Material};
use super::file::TableFile;
use super::index::Index;
use super::turns::{self, Turns};
use super::value::{LONGEST_CURSED, Span, StoredValue};
use super::{BrokenTable, MOST_PIECES, broken, embedded};
use crate::checkers::Position;
use crate::game::{Color, Knowledge, Rules, Value, Wdl};

/// Endgame tables: embedded in the program, from a file, both, or none.
#[derive(Debug, Default)]
pub struct Tablebase<'a> {
    /// True if the embedded tables answer. They are opened by the first probe.
    has_embedded: bool,
    /// Ignored once it is found broken.
    file: Option<&'a TableFile<'a>>,
    most_pieces: u32,
    broken: OnceLock<BrokenTable>,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeError {
    /// The tables do not have the position: it has other pieces, or a man on its crowning row.
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

    /// Outcome of `position` under these rules, with no quiet turn before it.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn outcome(&self, position: &Position, rules: Rules) -> Result<Wdl, ProbeError> {
        self.probe_board(Board::of(position)).map(|stored| stored.under(rules).outcome)
    }

    /// Error found in the file since the tablebase was created, if any.
    pub fn broken(&self) -> Option<String> {
        self.broken.get().cloned()
    }

    /// Returns true if a position has few enough pieces for the tables. The test is quick, and most positions of a
    /// search fail it.
    #[inline]
    pub(super) fn may_have(&self, position: &Position) -> bool {
        position.count(Color::Black) + position.count(Color::White) <= self.most_pieces
    }

    fn probe_tables(&self, position: &Position, quiet_turns: u16, rules: Rules) -> Option<Value> {
        self.probe_board(Board::of(position)).ok()?.with_quiet_turns(quiet_turns, rules)
    }

    /// Probes the tables for a board. If the side to move must jump, the jumps are played out.
    pub(super) fn probe_board(&self, board: Board) -> Result<StoredValue, ProbeError> {
        if board.own() == 0 {
            return Ok(StoredValue::LOST);
        }
        // Under the game's rules, then under the course's.
        let mut best = Ok([None; 2]);
        let jumps = turns::for_each_jump(board, |after| {
            if let Ok([game, course]) = best {
                let outcome = |stored: StoredValue, rules| Some(stored.under(rules).outcome.reversed());
                best = self
                    .probe_board(after)
                    .map(|stored| [game.max(outcome(stored, Rules::Game)), course.max(outcome(stored, Rules::Course))]);
            }
        });
        match best? {
            [Some(game), course] if jumps => Ok(StoredValue::by_zeroing(game, course != Some(game))),
            _ => self.stored(board),
        }
    }

    /// Returns the stored value of a board in which the side to move need not jump.
    #[inline]
    fn stored(&self, board: Board) -> Result<StoredValue, ProbeError> {
        let material = board.tabled_material().ok_or(ProbeError::NotTabled)?;
        let has = |file: &&TableFile<'_>| file.has(material);
        let mut answer = Err(ProbeError::NotTabled);
        if let Some(file) = self.sound_file().filter(has) {
            answer = read(file, material, board).map_err(|broken| self.ignore_file(broken));
        }
        match self.embedded().filter(has) {
            Some(embedded) if answer.is_err() => read(embedded, material, board).map_err(ProbeError::Broken),
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

    #[cold]
    fn ignore_file(&self, broken: BrokenTable) -> ProbeError {
        ProbeError::Broken(self.broken.get_or_init(|| broken).clone())
    }
}

/// Reads the value of a board from a file that has its material.
#[inline]
fn read(file: &TableFile<'_>, material: Material, board: Board) -> Result<StoredValue, BrokenTable> {
    let code = file.code(material, Index::new(material).of(board))?;
    StoredValue::from_code(code).ok_or_else(|| broken(material, &format!("code {code}, which has no meaning")))
}

pub(super) fn most_pieces(file: &TableFile<'_>) -> u32 {
    file.materials().map(|material| u32::from(material.pieces())).max().unwrap_or(0)
}

impl Knowledge<Position> for Tablebase<'_> {
    #[inline]
    fn probe(&self, position: &Position, quiet_turns: u16, rules: Rules) -> Option<Value> {
        if self.may_have(position) { self.probe_tables(position, quiet_turns, rules) } else { None }
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::NotTabled => f.write_str("no table has this position"),
            ProbeError::Unfinished => f.write_str("the tables did not answer within the probes allowed"),
            ProbeError::Broken(what) => write!(f, "a table is broken: {what}"),
        }
    }
}

impl std::error::Error for ProbeError {}

/// Hashes the four sets of a board with the Rust compiler's "FxHash" (P. Edwards and others). It takes a tenth of the
/// time of the default hash, whose resistance to attacks is not needed here.
#[derive(Debug, Default)]
pub(super) struct BoardHasher(u64);

pub(super) type BoardHash = BuildHasherDefault<BoardHasher>;

impl Hasher for BoardHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    fn write_u32(&mut self, set: u32) {
        self.0 = (self.0 ^ u64::from(set)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Debug)]
pub(super) struct DistanceSearch<'p, 'f> {
    tablebase: &'p Tablebase<'f>,
    known: HashMap<Board, StoredValue, BoardHash>,
    rules: Rules,
    probes: u64,
}

impl Tablebase<'_> {
    /// Value of `position` under these rules with no quiet turn before it, with its exact distance.
    ///
    /// A win that the course's rules allow has the same distance under the game's, even if a turn into a win that only
    /// the game allows would come sooner.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn value(&self, position: &Position, rules: Rules) -> Result<Value, ProbeError> {
        DistanceSearch::new(self, rules, u64::MAX).exact(Board::of(position))
    }
}

impl<'p, 'f> DistanceSearch<'p, 'f> {
    pub(super) fn new(tablebase: &'p Tablebase<'f>, rules: Rules, probes: u64) -> DistanceSearch<'p, 'f> {
        DistanceSearch { tablebase, known: HashMap::default(), rules, probes }
    }

    pub(super) fn limit(&mut self, probes: u64) {
        self.probes = self.probes.min(probes);
    }

    /// Value of a board with no quiet turn before it.
    pub(super) fn exact(&mut self, board: Board) -> Result<Value, ProbeError> {
        let stored = self.probe(board)?;
        let mut plies = stored.span.least;
        while plies < stored.span.most && !self.decided_within(board, plies)? {
            plies += 1;
        }
        Ok(match stored.outcome {
            Wdl::Win => Value::Win(plies),
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss(plies),
        })
    }

    pub(super) fn outcome(&mut self, board: Board, quiet_turns: u16) -> Result<Wdl, ProbeError> {
        let outcome = self.probe(board)?.outcome;
        let Some(limit) = self.rules.quiet_limit::<Position>() else { return Ok(outcome) };
        let Some(left) = limit.checked_sub(quiet_turns) else { return Ok(Wdl::Draw) };
        Ok(if self.decided_within(board, left)? { outcome } else { Wdl::Draw })
    }

    pub(super) fn decided_within(&mut self, board: Board, plies: u16) -> Result<bool, ProbeError> {
        let stored = self.probe(board)?;
        match stored.outcome {
            Wdl::Draw => Ok(false),
            Wdl::Win => self.wins_within(board, stored, plies),
            Wdl::Loss => self.loses_within(board, stored, plies),
        }
    }

    /// Returns the result found so far for a board; `None` if it was not probed.
    pub(super) fn known(&self, board: Board) -> Option<StoredValue> {
        self.known.get(&board).copied()
    }

    /// Returns the result found so far for a board, from the tables the first time.
    pub(super) fn probe(&mut self, board: Board) -> Result<StoredValue, ProbeError> {
        if let Some(&known) = self.known.get(&board) {
            return Ok(known);
        }
        self.probes = self.probes.checked_sub(1).ok_or(ProbeError::Unfinished)?;
        let stored = self.tablebase.probe_board(board)?.under(self.rules);
        self.known.insert(board, stored);
        Ok(stored)
    }

    /// Returns true if the side to move, which wins as stored, can win within `plies` plies.
    fn wins_within(&mut self, board: Board, stored: StoredValue, plies: u16) -> Result<bool, ProbeError> {
        let StoredValue { span, is_cursed, .. } = stored;
        if let Some(answer) = span.ends_within(plies) {
            return Ok(answer);
        }
        // The distance of a win that is not cursed counts no turn into one that is.
        let loses = |after: StoredValue| after.outcome == Wdl::Loss && (is_cursed || !after.is_cursed);
        let turns = Turns::of(board);
        let mut losing = Vec::new();
        for &after in &turns.quiet {
            let stored = self.probe(after)?;
            if loses(stored) {
                losing.push((after, stored));
            }
        }
        let mut nearest = losing.iter().map(|&(_, stored)| stored.span).reduce(Span::nearer);
        for &after in &turns.zeroing {
            if loses(self.probe(after)?) {
                nearest = Some(Span::NOW);
            }
        }
        let mut span = nearest.map_or(span, |nearest| nearest.and_one().intersect(span));
        if span.ends_within(plies).is_none() {
            // Try the turn that may win soonest first.
            losing.sort_by_key(|(_, stored)| stored.span.least);
            let mut least = LONGEST_CURSED;
            for (after, child) in losing {
                if self.loses_within(after, child, plies - 1)? {
                    least = child.span.least;
                    span.most = plies;
                    break;
                }
                least = least.min(self.probe(after)?.span.least);
            }
            span.least = span.least.max(least.saturating_add(1)).min(span.most);
        }
        self.known.insert(board, StoredValue { span, ..stored });
        Ok(span.most <= plies)
    }

    /// Returns true if the side to move, which loses as stored, loses within `plies` plies.
    fn loses_within(&mut self, board: Board, stored: StoredValue, plies: u16) -> Result<bool, ProbeError> {
        let span = stored.span;
        if let Some(answer) = span.ends_within(plies) {
            return Ok(answer);
        }
        let turns = Turns::of(board);
        let mut winning = Vec::new();
        for &after in &turns.quiet {
            let stored = self.probe(after)?;
            if stored.outcome == Wdl::Win {
                winning.push((after, stored));
            }
        }
        let farthest = winning.iter().map(|&(_, stored)| stored.span).reduce(Span::farther);
        let farthest = farthest.or((!turns.zeroing.is_empty()).then_some(Span::NOW));
        let mut span = farthest.map_or(Span::NOW, |farthest| farthest.and_one().intersect(span));
        if span.ends_within(plies).is_none() {
            // Try the turn that may last longest first.
            winning.sort_by_key(|(_, stored)| Reverse(stored.span.most));
            let mut most = plies;
            for (after, child) in winning {
                if !self.wins_within(after, child, plies - 1)? {
                    span.least = span.least.max(self.probe(after)?.span.least + 1).min(span.most);
                    most = span.most;
                    break;
                }
            }
            span.most = most;
        }
        self.known.insert(board, StoredValue { span, ..stored });
        Ok(span.most <= plies)
    }
}
