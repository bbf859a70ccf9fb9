//! Contents of a game file.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher};

use kingline::game::{Color, zobrist};
use serde::Serialize;

use crate::learn::file::Skipped;
use crate::learn::packing::Packing;
use crate::learn::record::{GameResult, Record};

/// Counts over the positions of one or more files.
#[derive(Serialize)]
pub(super) struct Census {
    pub(super) games: u64,
    pub(super) won_by_black: u64,
    pub(super) won_by_white: u64,
    pub(super) drawn: u64,
    pub(super) positions: u64,
    /// Number of positions that also occur earlier, in this file or a previous one.
    pub(super) duplicates: u64,
    pub(super) phases: Vec<PhaseCensus>,
    /// Number of records that were skipped because their game has a damaged record.
    pub(super) lost: u64,
    /// Number of bytes after the last complete game.
    pub(super) broken_tail: u64,
}

/// Counts over the positions of a phase.
#[derive(Clone, Default, Serialize)]
pub(super) struct PhaseCensus {
    /// Name of the phase: its range of pieces.
    pub(super) pieces: String,
    pub(super) positions: u64,
    /// Number of positions with level material.
    pub(super) level: u64,
    /// Number of positions in which neither side can capture.
    pub(super) quiet: u64,
    pub(super) level_and_quiet: u64,
}

impl Census {
    /// Returns a census with all counts 0.
    pub(super) fn new(packing: &Packing) -> Census {
        let phase = |pieces| PhaseCensus { pieces, ..PhaseCensus::default() };
        Census {
            games: 0,
            won_by_black: 0,
            won_by_white: 0,
            drawn: 0,
            positions: 0,
            duplicates: 0,
            phases: packing.phase_names().into_iter().map(phase).collect(),
            lost: 0,
            broken_tail: 0,
        }
    }

    /// Counts a game.
    pub(super) fn count(&mut self, game: &[Record], packing: &Packing, seen: &mut Seen) {
        self.games += 1;
        *match game.last().and_then(winner) {
            Some(Color::Black) => &mut self.won_by_black,
            Some(Color::White) => &mut self.won_by_white,
            None => &mut self.drawn,
        } += 1;
        for record in game {
            self.positions += 1;
            self.duplicates += u64::from(!seen.insert(record));
            let pieces = record.pieces.map(u64::count_ones).iter().sum();
            let phase = &mut self.phases[packing.phase(pieces)];
            let (level, quiet) = ((packing.is_level)(record.pieces), !record.captures && !record.threatened);
            phase.positions += 1;
            phase.level += u64::from(level);
            phase.quiet += u64::from(quiet);
            phase.level_and_quiet += u64::from(level && quiet);
        }
    }

    /// Counts the skipped parts of a file.
    pub(super) fn skip(&mut self, skipped: &Skipped) {
        self.lost += skipped.records;
        self.broken_tail += skipped.tail;
    }

    /// Adds the counts of another file of the same game.
    pub(super) fn add(&mut self, other: &Census) {
        self.games += other.games;
        self.won_by_black += other.won_by_black;
        self.won_by_white += other.won_by_white;
        self.drawn += other.drawn;
        self.positions += other.positions;
        self.duplicates += other.duplicates;
        self.lost += other.lost;
        self.broken_tail += other.broken_tail;
        for (phase, other) in self.phases.iter_mut().zip(&other.phases) {
            phase.positions += other.positions;
            phase.level += other.level;
            phase.quiet += other.quiet;
            phase.level_and_quiet += other.level_and_quiet;
        }
    }
}

/// Returns the side that won the game of this record; `None` for a draw.
fn winner(record: &Record) -> Option<Color> {
    match record.result {
        GameResult::Won => Some(record.turn),
        GameResult::Drawn => None,
        GameResult::Lost => Some(!record.turn),
    }
}

/// Set of positions (pieces and turn) by 64-bit hash. Among ten million positions, the chance that two share a hash is
/// one in 400,000.
#[derive(Default)]
pub(super) struct Seen(HashSet<u64, Hashed>);

impl Seen {
    pub(super) fn contains(&self, record: &Record) -> bool {
        self.0.contains(&hash(record))
    }

    /// Inserts a position. Returns true if it is new.
    pub(super) fn insert(&mut self, record: &Record) -> bool {
        self.0.insert(hash(record))
    }
}

/// Returns the hash of a position: one step of SplitMix64 per word.
fn hash(record: &Record) -> u64 {
    let words = [record.pieces[0], record.pieces[1], record.turn.index() as u64];
    words.iter().fold(0, |state: u64, &word| zobrist::number((state ^ word).wrapping_add(zobrist::GAMMA)))
}

/// Hasher that returns the given hash unchanged.
#[derive(Clone, Copy, Default)]
struct Hashed(u64);

impl BuildHasher for Hashed {
    type Hasher = Hashed;
    fn build_hasher(&self) -> Hashed {
        Hashed(0)
    }
}

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 ^ u64::from(byte));
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
