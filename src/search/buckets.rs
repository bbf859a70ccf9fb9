//! Storage of table entries in buckets, and their replacement.

use std::time::Duration;

use super::params::{FIRST_BUCKETS, GROWTH_FACTOR};
use crate::clock::Clock;

/// Packed entries by key: the storage behind the tables of the search and of the solver. It has no buckets before the
/// first search and few in it; their number doubles as they fill, up to a limit, so that a short search touches little
/// memory. It is never cleared.
#[derive(Debug)]
pub(super) struct Buckets {
    buckets: Vec<Bucket>,
    /// Maximum number of buckets.
    limit: usize,
    /// Number of entries written, overwritten ones included.
    stores: usize,
    /// CPU time of the last growth; zero before the first.
    growth: Duration,
    generation: u8,
}

/// Four entries in one cache line, each a key and a packed entry; a packed 0 means no entry.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([[u64; 2]; ENTRIES]);

const ENTRIES: usize = 4;
const EMPTY: Bucket = Bucket([[0; 2]; ENTRIES]);
/// Mask of a generation, which has six bits.
const GENERATIONS: u8 = 0x3f;

impl Buckets {
    /// Creates storage of at most `bytes` bytes, but at least one bucket of 64 bytes.
    pub(super) fn with_limit(bytes: usize) -> Buckets {
        let limit = (bytes / size_of::<Bucket>()).max(1);
        let limit = 1 << limit.ilog2();
        Buckets { buckets: Vec::new(), limit, stores: 0, growth: Duration::ZERO, generation: 0 }
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Ages all entries by one generation; the first call allocates the first buckets.
    pub(super) fn next_generation(&mut self) {
        if self.buckets.is_empty() {
            self.buckets = vec![EMPTY; self.limit.min(FIRST_BUCKETS)];
        }
        self.generation = self.generation.wrapping_add(1) & GENERATIONS;
    }

    /// Generation of entries written now, below 64.
    pub(super) fn generation(&self) -> u8 {
        self.generation
    }

    /// Doubles the number of buckets if enough entries were written to fill them and the limit allows it. Does nothing
    /// if memory runs out, or if a growth might take longer than `left`.
    pub(super) fn grow_if_full(&mut self, left: Option<Duration>) {
        let now = self.buckets.len();
        let is_full = self.stores >= now * ENTRIES && 2 * now <= self.limit;
        if is_full && left.is_none_or(|left| self.growth * GROWTH_FACTOR <= left) {
            let began = Clock::Thread.now();
            if self.buckets.try_reserve_exact(now).is_ok() {
                // One more bit of the key counts: with a copy in each half, every entry is still found.
                self.buckets.extend_from_within(..);
            }
            self.growth = Clock::Thread.now().saturating_sub(began);
        }
    }

    /// Returns the packed entry of `key`.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        let bucket = &self.buckets[key as usize & (self.buckets.len() - 1)];
        bucket.0.iter().find(|[held, packed]| *held == key && *packed != 0).map(|&[_, packed]| packed)
    }

    /// Writes the entry of `key`, which `pack` makes from the previous one, if any. In a full bucket the entry with the
    /// least `worth` is replaced.
    #[inline]
    pub(super) fn store(&mut self, key: u64, worth: impl Fn(u64) -> i32, pack: impl FnOnce(Option<u64>) -> u64) {
        let mask = self.buckets.len() - 1;
        let place = key as usize & mask;
        let least = |&[held, packed]: &[u64; 2]| {
            if held == key {
                i32::MIN
            } else if packed == 0 || held as usize & mask != place {
                // Empty, or a copy in the wrong half.
                i32::MIN + 1
            } else {
                worth(packed)
            }
        };
        if let Some(slot) = self.buckets[place].0.iter_mut().min_by_key(|slot| least(slot)) {
            let known = Some(slot[1]).filter(|&packed| slot[0] == key && packed != 0);
            self.stores += 1;
            *slot = [key, pack(known)];
        }
    }
}

/// Number of generations since an entry was written.
#[inline]
pub(super) fn age(now: u8, then: u8) -> i32 {
    i32::from(now.wrapping_sub(then) & GENERATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_the_smallest_size_works() {
        let mut buckets = Buckets::with_limit(0);
        assert_eq!(buckets.bytes(), 0);
        buckets.next_generation();
        assert_eq!(buckets.bytes(), 64);
        buckets.store(u64::MAX, |_| 0, |known| known.map_or(7, |packed| packed + 1));
        assert_eq!((buckets.find(u64::MAX), buckets.find(1)), (Some(7), None));
        buckets.store(u64::MAX, |_| 0, |known| known.map_or(7, |packed| packed + 1));
        assert_eq!(buckets.find(u64::MAX), Some(8));
    }

    #[test]
    fn growing_keeps_the_entries_and_the_limit() {
        let mut buckets = Buckets::with_limit(1 << 20);
        buckets.next_generation();
        let keys: Vec<u64> = (1..40_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let first = buckets.bytes();
        for &key in &keys[..1000] {
            buckets.store(key, |packed| packed as i32, |_| 50);
        }
        for &key in &keys {
            buckets.store(key, |packed| packed as i32, |_| 1);
            buckets.grow_if_full(None);
        }
        assert!(buckets.bytes() > first && buckets.bytes() <= 1 << 20);
        let found = keys[1000..].iter().filter(|&&key| buckets.find(key).is_some()).count();
        assert!(found > 30_000, "{found}");
    }

    #[test]
    fn growth_waits_for_a_search_with_enough_time() {
        let mut buckets = Buckets::with_limit(4 * FIRST_BUCKETS * size_of::<Bucket>());
        buckets.next_generation();
        let fill = |buckets: &mut Buckets, left| {
            (0..4 * ENTRIES * FIRST_BUCKETS).for_each(|key| buckets.store(key as u64, |_| 0, |_| 1));
            buckets.grow_if_full(left);
            buckets.bytes() / size_of::<Bucket>() / FIRST_BUCKETS
        };
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_nanos(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 4);
        assert_eq!(fill(&mut buckets, None), 4);
    }

    #[test]
    fn ages_wrap_around() {
        assert_eq!((age(3, 3), age(3, 1), age(1, 63)), (0, 2, 2));
    }
}
