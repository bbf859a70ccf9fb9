//! Transposition table of the search.
//!
//! Source: R. Greenblatt et al., "The Greenblatt chess program", 1967.

use std::time::Duration;

use super::buckets::{Buckets, GoesOn, age};
use super::params::AGE_PLIES;
use super::window::Window;
use crate::score::{Depth, Ply, Score};

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// The true score is at least the stored one.
    Lower = 1,
    /// The true score is at most the stored one.
    Upper = 2,
    /// The true score is the stored one.
    Exact = 3,
}

impl Bound {
    /// Bound that a search within `window` establishes with its score (fail-soft).
    pub(super) fn of(score: Score, window: Window) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Returns `true` if a score with this bound makes a search within `window` unnecessary.
    pub(super) fn decides(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        }
    }
}

/// Stored result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
    /// Index of the best move in the list of all legal moves: short, and legal even if two positions share a key.
    pub(super) best: u8,
}

/// A transposition table: scores by key. It starts small and grows as it fills, up to its limit; it is never cleared.
/// Searches read and write it by [`TableAccess`].
#[derive(Debug)]
pub(super) struct TranspositionTable(Buckets);

impl TranspositionTable {
    /// Creates a table that never takes more than `bytes` bytes (at least 64).
    pub(super) fn with_limit(bytes: usize) -> TranspositionTable {
        TranspositionTable(Buckets::with_limit(bytes))
    }

    /// Ages the entries of earlier searches, so that they are replaced first.
    pub(super) fn next_search(&mut self) {
        self.0.next_generation();
    }

    /// Reserves address space for the final size of the table, so that it need not move.
    pub(super) fn reserve(&mut self) {
        self.0.reserve();
    }

    /// Makes room for the final size of the table, since it cannot move while several threads use it.
    pub(super) fn make_room(&mut self, goes_on: GoesOn) {
        self.0.make_room(goes_on);
    }
}

/// The table of a search in progress.
pub(super) enum TableAccess<'a> {
    /// One thread uses the table, which grows as it fills.
    Alone(&'a mut TranspositionTable),
    /// Several threads use the table.
    Shared(SharedTable<'a>),
}

/// The table of a search in progress, as one of its threads sees it. The first thread lets it grow, and takes the number of
/// its own entries for that of each thread: a common counter would go from core to core.
pub(super) struct SharedTable<'a> {
    table: &'a TranspositionTable,
    /// Threads for which this one counts entries: all, or none.
    counted: usize,
    /// Entries not counted yet.
    stores: usize,
}

impl<'a> SharedTable<'a> {
    /// Table as the first of `threads` threads sees it.
    pub(super) fn first(table: &'a TranspositionTable, threads: usize) -> SharedTable<'a> {
        SharedTable { table, counted: threads, stores: 0 }
    }

    /// Table as another thread sees it.
    pub(super) fn other(table: &'a TranspositionTable) -> SharedTable<'a> {
        SharedTable { table, counted: 0, stores: 0 }
    }
}

impl TableAccess<'_> {
    #[inline(always)]
    fn table(&self) -> &Buckets {
        match self {
            TableAccess::Alone(table) => &table.0,
            TableAccess::Shared(shared) => &shared.table.0,
        }
    }

    #[inline]
    pub(super) fn probe(&self, key: u64, ply: Ply) -> Option<Entry> {
        self.table().find(key).map(|packed| unpack(packed, ply))
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: Ply, entry: Entry) {
        let now = self.table().generation();
        let worth = |packed| i32::from(packed_depth(packed)) - AGE_PLIES * age(now, packed_generation(packed));
        match self {
            TableAccess::Alone(table) => table.0.count_store(),
            TableAccess::Shared(shared) => shared.stores += 1,
        }
        self.table().write(key, worth, |_| pack(entry, ply, now));
    }

    /// Doubles the table if it has been filled once, may grow, and the growth fits into the time left.
    pub(super) fn grow_if_full(&mut self, left: Option<Duration>, goes_on: GoesOn) {
        match self {
            TableAccess::Alone(table) => table.0.grow_if_full(left, goes_on),
            TableAccess::Shared(shared) if shared.counted > 0 => {
                shared.table.0.count_stores(shared.counted * std::mem::take(&mut shared.stores));
                shared.table.0.grow_within_if_full(left, goes_on);
            }
            TableAccess::Shared(_) => {}
        }
    }
}

// Bits of a packed entry: score 0..16, depth 16..32, best 32..40, bound 40..42, generation 42..48.

fn pack(entry: Entry, ply: Ply, generation: u8) -> u64 {
    let score = entry.score.to_table(ply).value() as u16;
    u64::from(score)
        | u64::from(entry.depth.0 as u16) << 16
        | u64::from(entry.best) << 32
        | (entry.bound as u64) << 40
        | u64::from(generation) << 42
}

fn unpack(packed: u64, ply: Ply) -> Entry {
    Entry {
        score: Score::from_table(Score::from_value(packed as u16 as i16), ply),
        depth: Depth(packed_depth(packed)),
        best: (packed >> 32) as u8,
        bound: match packed >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

fn packed_depth(packed: u64) -> i16 {
    (packed >> 16) as u16 as i16
}

fn packed_generation(packed: u64) -> u8 {
    (packed >> 42) as u8 & 0x3f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i16) -> Entry {
        Entry { score: Score::loss_in(Ply(9)), bound: Bound::Upper, depth: Depth(depth), best: 7 }
    }

    #[test]
    fn stored_scores_are_adjusted_to_the_probing_ply() {
        let mut table = TranspositionTable::with_limit(1 << 16);
        table.next_search();
        let mut table = TableAccess::Alone(&mut table);
        for key in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(table.probe(key, Ply(3)), None);
            table.store(key, Ply(3), entry(-1));
            assert_eq!(table.probe(key, Ply(3)), Some(entry(-1)));
            let seen = table.probe(key, Ply(5)).unwrap();
            assert_eq!(seen.score, Score::loss_in(Ply(11)), "two plies later, two plies farther from the root");
        }
    }

    #[test]
    fn a_bound_depends_on_the_side_of_the_window() {
        let window = Window { alpha: Score::estimate(-5), beta: Score::estimate(5) };
        let of = |score| Bound::of(Score::estimate(score), window);
        assert_eq!(
            [-6, -5, -4, 4, 5, 6].map(of),
            [Bound::Upper, Bound::Upper, Bound::Exact, Bound::Exact, Bound::Lower, Bound::Lower]
        );
        let decides = |score| {
            [Bound::Upper, Bound::Exact, Bound::Lower].map(|bound| bound.decides(Score::estimate(score), window))
        };
        assert_eq!([-5, 0, 5].map(decides), [[true, true, false], [false, true, false], [false, true, true]]);
    }

    #[test]
    fn a_full_bucket_replaces_its_shallowest_entry() {
        let mut memory = TranspositionTable::with_limit(64);
        memory.next_search();
        let mut table = TableAccess::Alone(&mut memory);
        for depth in 1..=4 {
            table.store(depth as u64, Ply(0), entry(depth));
        }
        table.store(5, Ply(0), entry(1));
        assert_eq!(table.probe(1, Ply(0)), None);
        assert!((2..=5).all(|key| table.probe(key, Ply(0)).is_some()));
        memory.next_search();
        memory.next_search();
        let mut table = TableAccess::Shared(SharedTable::other(&memory));
        table.store(6, Ply(0), entry(9));
        assert_eq!(table.probe(5, Ply(0)), None, "older and shallow");
    }
}
