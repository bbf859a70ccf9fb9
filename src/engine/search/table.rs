//! Transposition table (R. Greenblatt et al., "The Greenblatt chess program", 1967), and a cache of static evaluations.

use std::ops::Neg;
use std::time::Duration;

use super::buckets::{Buckets, GoesOn, age};
use super::params::{AGE_PLIES, EVALUATION_SLOTS, FIRST_EVALUATION_SLOTS};
use crate::score::{Depth, Ply, Score};

/// Open interval of the scores that still matter: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window =
        Window { alpha: Score::from_value(-Score::INFINITE.value()), beta: Score::INFINITE };

    pub(super) fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha.plus(1) }
    }

    pub(super) fn null_below(beta: Score) -> Window {
        Window { alpha: beta.plus(-1), beta }
    }

    pub(super) fn around(score: Score, margin: i16) -> Window {
        Window { alpha: score.plus(-margin), beta: score.plus(margin) }
    }

    /// Returns `true` if there is no score between the bounds.
    pub(super) fn is_null(self) -> bool {
        i32::from(self.beta.value()) - i32::from(self.alpha.value()) <= 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

impl Neg for Window {
    type Output = Window;
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    Lower = 1,
    Upper = 2,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
    /// Index of the best move in the list of all legal moves: short, and legal even if two positions share a key.
    pub(super) best: u8,
}

/// The transposition table of a search in progress, as one of its threads sees it.
pub(super) enum TableAccess<'a> {
    Alone(&'a mut Buckets),
    Shared {
        table: &'a Buckets,
        /// Number of threads for which this one counts entries.
        counted: usize,
        /// Entries not counted yet.
        stores: usize,
    },
}

impl<'a> TableAccess<'a> {
    /// Table of several threads. The first lets it grow, and takes the number of its own entries for that of each of the
    /// `counted` threads: a common counter would go from core to core. The others count none.
    pub(super) fn shared(table: &'a Buckets, counted: usize) -> TableAccess<'a> {
        TableAccess::Shared { table, counted, stores: 0 }
    }

    #[inline(always)]
    fn table(&self) -> &Buckets {
        match self {
            TableAccess::Alone(table) => table,
            TableAccess::Shared { table, .. } => table,
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
            TableAccess::Alone(table) => table.count_store(),
            TableAccess::Shared { stores, .. } => *stores += 1,
        }
        self.table().write(key, worth, |_| pack(entry, ply, now));
    }

    /// Doubles the table if it has been filled once, may grow, and the growth fits into the time left.
    pub(super) fn grow_if_full(&mut self, left: Option<Duration>, goes_on: GoesOn) {
        match self {
            TableAccess::Alone(table) => table.grow_if_full(left, goes_on),
            TableAccess::Shared { table, counted, stores } if *counted > 0 => {
                table.count_stores(*counted * std::mem::take(stores));
                table.grow_within_if_full(left, goes_on);
            }
            TableAccess::Shared { .. } => {}
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

/// Bits of a slot with the score; those above are the position's key.
const SCORE_BITS: u64 = 0xffff;

/// Cache of static evaluations.
///
/// Iterations and transpositions bring the same positions back, mostly below the depth that the transposition table
/// keeps. Each slot holds the last evaluation of the positions that share it. More slots are used as evaluations are
/// computed, so that a short search touches few pages of memory: the first touch of a page takes about 2 us.
#[derive(Debug)]
pub(super) struct Evaluations {
    slots: Vec<u64>,
    used: usize,
    computed: usize,
}

impl Evaluations {
    pub(super) fn new() -> Evaluations {
        // Zeros from the system: pages that no evaluation reaches take no memory.
        Evaluations { slots: vec![0; EVALUATION_SLOTS], used: FIRST_EVALUATION_SLOTS, computed: 0 }
    }

    /// Returns the evaluation of the position with this key, and computes it unless its slot holds it.
    #[inline]
    pub(super) fn get(&mut self, key: u64, compute: impl FnOnce() -> Score) -> Score {
        let slot = &mut self.slots[key as usize & (self.used - 1)];
        // 0 is an empty slot.
        if (*slot ^ key) & !SCORE_BITS == 0 && *slot != 0 {
            return Score::from_value(*slot as i16);
        }
        let score = compute();
        *slot = key & !SCORE_BITS | u64::from(score.value() as u16);
        self.computed += 1;
        if self.computed > self.used && self.used < EVALUATION_SLOTS {
            (self.used, self.computed) = (2 * self.used, 0);
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(alpha: i32, beta: i32) -> Window {
        Window { alpha: Score::estimate(alpha), beta: Score::estimate(beta) }
    }

    #[test]
    fn null_windows_hold_no_score_and_are_not_empty() {
        for null in [Window::null_above(Score::estimate(7)), Window::null_below(Score::estimate(8))] {
            assert_eq!(null, window(7, 8));
            assert!(null.is_null() && !null.is_empty());
        }
        assert!(!window(7, 9).is_null() && !Window::FULL.is_null());
        assert!(window(8, 8).is_empty() && window(9, 8).is_empty());
    }

    #[test]
    fn the_other_side_sees_the_same_window_upside_down() {
        assert_eq!(-window(-3, 20), window(-20, 3));
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn a_window_around_a_score_stays_within_the_full_one() {
        assert_eq!(Window::around(Score::estimate(5), 20), window(-15, 25));
        let wide = Window::around(Score::estimate(5), i16::MAX);
        assert!(wide.alpha >= Window::FULL.alpha && wide.beta <= Window::FULL.beta);
    }

    fn entry(depth: i16) -> Entry {
        Entry { score: Score::loss_in(Ply(9)), bound: Bound::Upper, depth: Depth(depth), best: 7 }
    }

    #[test]
    fn stored_scores_are_adjusted_to_the_probing_ply() {
        let mut table = Buckets::with_limit(1 << 16);
        table.next_generation();
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
        let mut memory = Buckets::with_limit(64);
        memory.next_generation();
        let mut table = TableAccess::Alone(&mut memory);
        for depth in 1..=4 {
            table.store(depth as u64, Ply(0), entry(depth));
        }
        table.store(5, Ply(0), entry(1));
        assert_eq!(table.probe(1, Ply(0)), None);
        assert!((2..=5).all(|key| table.probe(key, Ply(0)).is_some()));
        memory.next_generation();
        memory.next_generation();
        let mut table = TableAccess::shared(&memory, 0);
        table.store(6, Ply(0), entry(9));
        assert_eq!(table.probe(5, Ply(0)), None, "older and shallow");
    }

    #[test]
    fn a_slot_holds_the_last_evaluation_of_its_positions() {
        let mut evaluations = Evaluations::new();
        let (one, other) = (7 << 32 | 5, 9 << 32 | 5);
        let mut computed = 0;
        let mut get = |key, value| {
            evaluations.get(key, || {
                computed += 1;
                Score::estimate(value)
            })
        };
        let scores =
            [(one, 3), (one, 4), (other, -2), (other, 8), (one, 5)].map(|(key, value)| get(key, value).value());
        assert_eq!((scores, computed), ([3, 3, -2, -2, 5], 3));
    }

    #[test]
    fn more_slots_are_used_as_evaluations_are_computed() {
        let mut evaluations = Evaluations::new();
        let mut counts = Vec::new();
        for key in 0..2 * EVALUATION_SLOTS as u64 {
            evaluations.get(key << 16 | key, || Score::estimate(1));
            if counts.last() != Some(&evaluations.used) {
                counts.push(evaluations.used);
            }
        }
        assert_eq!(counts, [512, 1024, 2048, 4096, 8192, 16_384, EVALUATION_SLOTS]);
    }

    #[test]
    fn an_empty_slot_holds_nothing() {
        assert_eq!(Evaluations::new().get(0, || Score::estimate(12)).value(), 12);
    }
}
