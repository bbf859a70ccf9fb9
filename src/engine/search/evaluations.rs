//! Cache of static evaluations.
//!
//! Iterations and transpositions bring the same positions back, mostly below the depth that the transposition table
//! keeps. Each slot holds the last evaluation of the positions that share it. More slots are used as evaluations are
//! computed, so that a short search touches few pages of memory: the first touch of a page takes about 2 us.

use super::params::{EVALUATION_SLOTS, FIRST_EVALUATION_SLOTS};
use crate::score::Score;

/// Bits of a slot with the score; those above are the position's key.
const SCORE_BITS: u64 = 0xffff;

#[derive(Debug)]
pub(super) struct Evaluations {
    slots: Vec<u64>,
    /// Number of slots in use, a power of two.
    used: usize,
    /// Number of evaluations computed with these.
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
