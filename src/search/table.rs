use crate::score::{Depth, Ply, Score};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// The score, or more.
    Lower = 1,
    /// The score, or less.
    Upper = 2,
    /// The score itself.
    Exact = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) depth: Depth,
    /// The best move, as its place in the list of all legal moves: short, and legal even if two
    /// positions should share a key.
    pub(super) best: u8,
}

/// A transposition table. It starts small and doubles as it fills, up to its limit, so that a short
/// search touches little memory; it is never cleared.
#[derive(Debug)]
pub struct Table {
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
/// An entry counts as this much shallower for every search since it was written.
const AGE_PLIES: i32 = 4;

impl Table {
    /// A table that never takes more than `bytes` bytes; at least one bucket of 64.
    pub fn with_limit(bytes: usize) -> Table {
        let limit = (bytes / size_of::<Bucket>()).max(1);
        let limit = 1 << limit.ilog2();
        Table { buckets: vec![EMPTY; limit.min(FIRST_BUCKETS)], limit, stores: 0, generation: 0 }
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
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
    pub(super) fn probe(&self, key: u64, ply: Ply) -> Option<Entry> {
        let bucket = &self.buckets[self.place(key)];
        bucket.0.iter().find(|[held, packed]| *held == key && *packed != 0).map(|&[_, packed]| unpack(packed, ply))
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, ply: Ply, entry: Entry) {
        self.stores += 1;
        let generation = self.generation;
        let place = self.place(key);
        let mask = self.buckets.len() - 1;
        let bucket = &mut self.buckets[place].0;
        let worth = |&[held, packed]: &[u64; 2]| {
            if held == key {
                return i32::MIN;
            }
            // Nothing, or a copy in the wrong half.
            if packed == 0 || held as usize & mask != place {
                return i32::MIN + 1;
            }
            let age = i32::from(generation.wrapping_sub(packed_generation(packed)) & 0x3f);
            i32::from(packed_depth(packed)) - AGE_PLIES * age
        };
        if let Some(least) = bucket.iter_mut().min_by_key(|slot| worth(slot)) {
            *least = [key, pack(entry, ply, generation)];
        }
    }
}

// Bits of a packed entry: score 0..16, depth 16..32, best 32..40, bound 40..42, generation 42..48.

fn pack(entry: Entry, ply: Ply, generation: u8) -> u64 {
    let score = entry.score.at_node(ply).value() as u16;
    u64::from(score)
        | u64::from(entry.depth.0 as u16) << 16
        | u64::from(entry.best) << 32
        | (entry.bound as u64) << 40
        | u64::from(generation) << 42
}

fn unpack(packed: u64, ply: Ply) -> Entry {
    Entry {
        score: Score::from_value(packed as u16 as i16).at_root(ply),
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
    fn what_is_stored_is_found_with_distances_moved() {
        let mut table = Table::with_limit(1 << 16);
        for key in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(table.probe(key, Ply(3)), None);
            table.store(key, Ply(3), entry(-1));
            assert_eq!(table.probe(key, Ply(3)), Some(entry(-1)));
            let seen = table.probe(key, Ply(5)).unwrap();
            assert_eq!(seen.score, Score::loss_in(Ply(11)), "two plies later, two plies farther from the root");
        }
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let mut table = Table::with_limit(64);
        for depth in 1..=4 {
            table.store(depth as u64, Ply(0), entry(depth));
        }
        table.store(5, Ply(0), entry(1));
        assert_eq!(table.probe(1, Ply(0)), None);
        assert!((2..=5).all(|key| table.probe(key, Ply(0)).is_some()));
        table.next_search();
        table.next_search();
        table.store(6, Ply(0), entry(9));
        assert_eq!(table.probe(5, Ply(0)), None, "older and shallow");
    }

    #[test]
    fn the_smallest_table_works() {
        let mut table = Table::with_limit(0);
        assert_eq!(table.bytes(), 64);
        table.store(u64::MAX, Ply(0), entry(1));
        assert!(table.probe(u64::MAX, Ply(0)).is_some());
    }

    #[test]
    fn a_growing_table_keeps_its_entries_and_its_limit() {
        let mut table = Table::with_limit(1 << 20);
        let keys: Vec<u64> = (1..40_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let first = table.bytes();
        for &key in &keys[..1000] {
            table.store(key, Ply(0), entry(50));
        }
        for &key in &keys {
            table.store(key, Ply(0), entry(1));
            table.grow_if_full();
        }
        assert!(table.bytes() > first && table.bytes() <= 1 << 20);
        let found = keys[1000..].iter().filter(|&&key| table.probe(key, Ply(0)).is_some()).count();
        assert!(found > 30_000, "{found}");
    }
}
