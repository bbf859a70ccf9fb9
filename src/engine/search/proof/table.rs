//! Transposition table of the solver.

use std::time::Duration;

use super::numbers::Numbers;
use crate::search::buckets::{Buckets, GoesOn, age};

/// A table of proof numbers. It starts small and grows as it fills, up to its limit; it is never cleared.
#[derive(Debug)]
pub(super) struct ProofTable(Buckets);

impl ProofTable {
    /// Creates a table that never takes more than `bytes` bytes (at least 64).
    pub(super) fn with_limit(bytes: usize) -> ProofTable {
        ProofTable(Buckets::with_limit(bytes))
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// Ages the entries of earlier searches, so that they are replaced first.
    pub(super) fn next_search(&mut self) {
        self.0.next_generation();
    }

    /// Doubles the table if it has been filled once, may grow, and the growth fits into the time left.
    pub(super) fn grow_if_full(&mut self, left: Option<Duration>, goes_on: GoesOn) {
        self.0.grow_if_full(left, goes_on);
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        self.0.find(key).map(unpack)
    }

    /// Stores the numbers of a position on which `work` more nodes were spent. In a full bucket the entry with the
    /// least work is replaced; each later search halves the work of an entry.
    #[inline]
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u64) {
        let now = self.0.generation();
        let worth = |packed| packed_work(packed) as i32 - age(now, packed_generation(packed));
        self.0.count_store();
        self.0.write(key, worth, |known| {
            let before = known.map_or(0, |packed| 1 << packed_work(packed));
            pack(numbers, work.max(1) + before, now)
        });
    }
}

// Bits of a packed entry: work (the binary logarithm) 0..6, generation 6..12, win 12..38, loss 38..64.
// A decided position has 0 in place of one number, and its plies plus one in place of the other.

fn pack(numbers: Numbers, work: u64, generation: u8) -> u64 {
    let plies = u32::from(numbers.plies) + 1;
    let (win, loss) = match (numbers.win, numbers.loss) {
        (0, _) => (0, plies),
        (_, 0) => (plies, 0),
        both => both,
    };
    u64::from(work.ilog2()) | u64::from(generation) << 6 | u64::from(win) << 12 | u64::from(loss) << 38
}

fn unpack(packed: u64) -> Numbers {
    let win = (packed >> 12) as u32 & 0x03ff_ffff;
    let loss = (packed >> 38) as u32;
    match (win, loss) {
        (0, plies) => Numbers::won_in((plies - 1) as u16),
        (plies, 0) => Numbers::lost_in((plies - 1) as u16),
        (win, loss) => Numbers { win, loss, plies: 0 },
    }
}

fn packed_work(packed: u64) -> u32 {
    packed as u32 & 0x3f
}

fn packed_generation(packed: u64) -> u8 {
    (packed >> 6) as u8 & 0x3f
}

#[cfg(test)]
mod tests {
    use super::super::numbers::MANY;
    use super::*;

    #[test]
    fn stored_entries_are_found() {
        let mut table = ProofTable::with_limit(1 << 16);
        table.next_search();
        let kinds = [
            Numbers::UNKNOWN,
            Numbers { win: MANY, loss: 7, plies: 0 },
            Numbers { win: 7, loss: MANY, plies: 0 },
            Numbers::won_in(1),
            Numbers::won_in(1000),
            Numbers::lost_in(0),
            Numbers::lost_in(200),
        ];
        for (key, numbers) in [0, 1, u64::MAX, 0x1234_5678_9abc_def0].into_iter().zip(kinds.into_iter().cycle()) {
            assert_eq!(table.probe(key), None);
            for numbers in kinds.into_iter().chain([numbers]) {
                table.store(key, numbers, 1 << 40);
                assert_eq!(table.probe(key), Some(numbers));
            }
        }
    }

    #[test]
    fn the_entry_with_the_least_work_is_replaced() {
        let mut table = ProofTable::with_limit(0);
        table.next_search();
        assert_eq!(table.bytes(), 64);
        for key in 1..=4 {
            table.store(key, Numbers::UNKNOWN, 1000 << key);
        }
        table.store(1, Numbers::UNKNOWN, 1_000_000);
        table.store(5, Numbers::UNKNOWN, 1);
        assert_eq!(table.probe(2), None);
        for _ in 0..30 {
            table.next_search();
        }
        table.store(5, Numbers::UNKNOWN, 1);
        table.store(6, Numbers::UNKNOWN, 1);
        assert!(table.probe(5).is_some(), "young, if small");
    }
}
