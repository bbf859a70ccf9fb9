//! The exact distance to the next zeroing turn, from a search as deep as the stored spans are wide.
//!
//! The search tests whether the root is decided within `n` plies, then within `n + 1`, and so on. For most positions
//! below the root the stored spans answer at once. The search continues only below positions in the root's span, one
//! ply less each time, until it leaves that span. It keeps its results for each position for later calls.

use crate::checkers::Position;
use crate::game::{Value, Wdl};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::board::Board;
use super::probe::{ProbeError, Tablebase};
use super::stored::{Span, StoredValue};
use super::turns::Turns;
use super::value::LONGEST;

/// Hashes the four sets of a board with the Rust compiler's "FxHash" (P. Edwards and others). It takes a tenth of the
/// time of the default hash, whose resistance to attacks is not needed here.
#[derive(Debug, Default)]
struct BoardHasher(u64);

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

/// A search for exact distances, and its results so far.
#[derive(Debug)]
pub(super) struct DistanceSearch<'p, 'f> {
    tablebase: &'p Tablebase<'f>,
    known: HashMap<Board, StoredValue, BuildHasherDefault<BoardHasher>>,
    /// Number of table probes left.
    probes: u64,
}

impl Tablebase<'_> {
    /// Value of `position` with no quiet turn before it, with its exact distance.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        DistanceSearch::new(self, u64::MAX).exact(Board::of(position))
    }
}

impl<'p, 'f> DistanceSearch<'p, 'f> {
    /// Creates a search that may probe the tables `probes` times.
    pub(super) fn new(tablebase: &'p Tablebase<'f>, probes: u64) -> DistanceSearch<'p, 'f> {
        DistanceSearch { tablebase, known: HashMap::default(), probes }
    }

    /// Allows at most `probes` more probes.
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

    /// Outcome of a board after `quiet_turns` quiet turns.
    pub(super) fn outcome(&mut self, board: Board, quiet_turns: u16) -> Result<Wdl, ProbeError> {
        let Some(left) = LONGEST.checked_sub(quiet_turns) else { return Ok(Wdl::Draw) };
        let outcome = self.probe(board)?.outcome;
        Ok(if self.decided_within(board, left)? { outcome } else { Wdl::Draw })
    }

    /// Returns true if the board is won or lost within `plies` plies.
    pub(super) fn decided_within(&mut self, board: Board, plies: u16) -> Result<bool, ProbeError> {
        let StoredValue { outcome, span } = self.probe(board)?;
        match outcome {
            Wdl::Draw => Ok(false),
            Wdl::Win => self.wins_within(board, span, plies),
            Wdl::Loss => self.loses_within(board, span, plies),
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
        let stored = self.tablebase.probe_board(board)?;
        self.known.insert(board, stored);
        Ok(stored)
    }

    /// Returns true if the side to move, which wins within `span`, can win within `plies` plies.
    fn wins_within(&mut self, board: Board, span: Span, plies: u16) -> Result<bool, ProbeError> {
        if let Some(answer) = span.ends_within(plies) {
            return Ok(answer);
        }
        let turns = Turns::of(board);
        let mut losing = Vec::new();
        for &after in &turns.quiet {
            if let StoredValue { outcome: Wdl::Loss, span } = self.probe(after)? {
                losing.push((after, span));
            }
        }
        let mut nearest = losing.iter().map(|&(_, span)| span).reduce(Span::nearer);
        for &after in &turns.zeroing {
            if self.probe(after)?.outcome == Wdl::Loss {
                nearest = Some(Span::NOW);
            }
        }
        let mut span = nearest.map_or(span, |nearest| nearest.and_one().intersect(span));
        if span.ends_within(plies).is_none() {
            // Try the turn that may win soonest first.
            losing.sort_by_key(|(_, span)| span.least);
            let mut least = LONGEST;
            for (after, child) in losing {
                if self.loses_within(after, child, plies - 1)? {
                    least = child.least;
                    span.most = plies;
                    break;
                }
                least = least.min(self.probe(after)?.span.least);
            }
            span.least = span.least.max(least.saturating_add(1)).min(span.most);
        }
        self.known.insert(board, StoredValue { outcome: Wdl::Win, span });
        Ok(span.most <= plies)
    }

    /// Returns true if the side to move, which loses within `span`, loses within `plies` plies.
    fn loses_within(&mut self, board: Board, span: Span, plies: u16) -> Result<bool, ProbeError> {
        if let Some(answer) = span.ends_within(plies) {
            return Ok(answer);
        }
        let turns = Turns::of(board);
        let mut winning = Vec::new();
        for &after in &turns.quiet {
            if let StoredValue { outcome: Wdl::Win, span } = self.probe(after)? {
                winning.push((after, span));
            }
        }
        let farthest = winning.iter().map(|&(_, span)| span).reduce(Span::farther);
        let farthest = farthest.or((!turns.zeroing.is_empty()).then_some(Span::NOW));
        let mut span = farthest.map_or(Span::NOW, |farthest| farthest.and_one().intersect(span));
        if span.ends_within(plies).is_none() {
            // Try the turn that may last longest first.
            winning.sort_by_key(|(_, span)| Reverse(span.most));
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
        self.known.insert(board, StoredValue { outcome: Wdl::Loss, span });
        Ok(span.most <= plies)
    }
}

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests {
    use super::*;
    use crate::knowledge::tablebase::solved::{exact, materials, some};

    #[test]
    fn distances_are_exact() {
        let tablebase = Tablebase::with_embedded(None);
        for position in materials().flat_map(|material| some(material, 200)) {
            assert_eq!(tablebase.value(&position), Ok(exact(&position)), "{position}");
            let flipped = position.flipped();
            assert_eq!(tablebase.value(&flipped), Ok(exact(&position)), "{flipped}");
        }
    }

    #[test]
    fn outcomes_under_a_count_are_exact() {
        let tablebase = Tablebase::with_embedded(None);
        for position in materials().flat_map(|material| some(material, 40)) {
            let mut distances = DistanceSearch::new(&tablebase, u64::MAX);
            for quiet_turns in (0..=50).step_by(3) {
                let outcome = distances.outcome(Board::of(&position), quiet_turns);
                assert_eq!(
                    outcome,
                    Ok(exact(&position).with_quiet_turns::<Position>(quiet_turns)),
                    "{position} {quiet_turns}"
                );
            }
        }
    }
}
