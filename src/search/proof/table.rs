use super::numbers::Numbers;

/// A table of proof numbers. It starts small and doubles as it fills, up to its limit, so that a short
/// proof touches little memory; it is never cleared.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// No more buckets than this.
    limit: usize,
    /// Positions stored since the table was made, those replaced included.
    stores: usize,
    generation: u8,
}

/// Four entries in one cache line: key and packed entry of each; a packed 0 is no entry.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([[u64; 2]; ENTRIES]);

const ENTRIES: usize = 4;
const EMPTY: Bucket = Bucket([[0; 2]; ENTRIES]);
/// Buckets of a new table: 256 KiB.
const FIRST_BUCKETS: usize = 1 << 12;

impl Table {
    /// A table that never takes more than `bytes` bytes; at least one bucket of 64.
    pub(super) fn with_limit(bytes: usize) -> Table {
        let limit = (bytes / size_of::<Bucket>()).max(1);
        let limit = 1 << limit.ilog2();
        Table { buckets: vec![EMPTY; limit.min(FIRST_BUCKETS)], limit, stores: 0, generation: 0 }
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Makes entries of earlier searches older, so that they give way first.
    pub(super) fn next_search(&mut self) {
        self.generation = self.generation.wrapping_add(1) & 0x3f;
    }

    /// Doubles the table if it has been filled once and may grow; without memory it stays as it is.
    pub(super) fn grow_if_full(&mut self) {
        let now = self.buckets.len();
        if self.stores < now * ENTRIES || 2 * now > self.limit || self.buckets.try_reserve_exact(now).is_err() {
            return;
        }
        // One bit more of the key counts: with a copy in each half every entry is still found.
        self.buckets.extend_from_within(..);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let bucket = &self.buckets[self.place(key)];
        bucket.0.iter().find(|[held, packed]| *held == key && *packed != 0).map(|&[_, packed]| unpack(packed))
    }

    /// Remembers the numbers of a position, on which `work` nodes more were spent. The entry with the
    /// least work gives way, each search since it was written halving what it has.
    #[inline]
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u64) {
        let generation = self.generation;
        let place = self.place(key);
        let mask = self.buckets.len() - 1;
        let worth = |&[held, packed]: &[u64; 2]| {
            if held == key {
                return i32::MIN;
            }
            // Nothing, or a copy in the wrong half.
            if packed == 0 || held as usize & mask != place {
                return i32::MIN + 1;
            }
            let age = i32::from(generation.wrapping_sub(packed_generation(packed)) & 0x3f);
            packed_work(packed) as i32 - age
        };
        let Some(least) = self.buckets[place].0.iter_mut().min_by_key(|slot| worth(slot)) else { return };
        let mut work = work.max(1);
        if least[0] == key && least[1] != 0 {
            work += 1 << packed_work(least[1]);
        } else {
            self.stores += 1;
        }
        *least = [key, pack(numbers, work, generation)];
    }
}

// Bits of a packed entry: work (the binary logarithm) 0..6, generation 6..12, win 12..38, loss 38..64.
// A decided position has one 0, and its plies, and one more, in the place of the other number.

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
    fn what_is_stored_is_found() {
        let mut table = Table::with_limit(1 << 16);
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
    fn the_entry_with_the_least_work_gives_way() {
        let mut table = Table::with_limit(0);
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

    #[test]
    fn a_growing_table_keeps_its_entries_and_its_limit() {
        let mut table = Table::with_limit(1 << 20);
        let first = table.bytes();
        let keys: Vec<u64> = (1..40_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for &key in &keys {
            table.store(key, Numbers::UNKNOWN, 1);
            table.grow_if_full();
        }
        assert!(table.bytes() > first && table.bytes() <= 1 << 20);
        let found = keys.iter().filter(|&&key| table.probe(key).is_some()).count();
        assert!(found > 30_000, "{found}");
    }
}
