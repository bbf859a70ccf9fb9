//! Storage of table entries in buckets, and their replacement.
//!
//! Several threads may read and write the entries at once, without locks. The two words of an entry are then not
//! written together, so the key is stored combined with the data: two words of different entries make no key that
//! anybody looks for. Source: R. Hyatt, T. Mann, "A lockless transposition-table implementation for parallel search",
//! 2002.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
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
    /// Number of entries [counted](Self::count_store) as written, overwritten ones included.
    stores: usize,
    /// CPU time of the last growth; zero before the first.
    growth: Duration,
    generation: u8,
}

/// Four entries in one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; ENTRIES]);

/// A packed entry, and its key combined with it by exclusive or; a packed 0 means no entry.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    packed: AtomicU64,
}

const ENTRIES: usize = 4;
/// Mask of a generation, which has six bits.
const GENERATIONS: u8 = 0x3f;

impl Slot {
    /// Returns the key and the packed entry.
    #[inline(always)]
    fn load(&self) -> (u64, u64) {
        let packed = self.packed.load(Relaxed);
        (self.mixed.load(Relaxed) ^ packed, packed)
    }

    #[inline(always)]
    fn write(&self, key: u64, packed: u64) {
        self.mixed.store(key ^ packed, Relaxed);
        self.packed.store(packed, Relaxed);
    }
}

impl Bucket {
    fn copy(&mut self) -> Bucket {
        Bucket(array::from_fn(|place| {
            let Slot { mixed, packed } = &mut self.0[place];
            Slot { mixed: AtomicU64::new(*mixed.get_mut()), packed: AtomicU64::new(*packed.get_mut()) }
        }))
    }
}

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
            self.buckets.resize_with(self.limit.min(FIRST_BUCKETS), Bucket::default);
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
        let is_full = self.stores >= self.buckets.len() * ENTRIES && self.may_double();
        if is_full && left.is_none_or(|left| self.growth * GROWTH_FACTOR <= left) {
            let began = Clock::Thread.now();
            self.double();
            self.growth = Clock::Thread.now().saturating_sub(began);
        }
    }

    /// Doubles the number of buckets up to the limit, or as far as memory allows.
    pub(super) fn grow_to_limit(&mut self) {
        // Without this room at once, each doubling would move the buckets.
        let _ = self.buckets.try_reserve_exact(self.limit - self.buckets.len());
        while self.may_double() && self.double() {}
    }

    fn may_double(&self) -> bool {
        2 * self.buckets.len() <= self.limit
    }

    /// Doubles the number of buckets. Returns `false`, and does nothing, if memory runs out.
    fn double(&mut self) -> bool {
        let now = self.buckets.len();
        if self.buckets.try_reserve_exact(now).is_err() {
            return false;
        }
        // One more bit of the key counts: with a copy in each half, every entry is still found.
        for place in 0..now {
            let copy = self.buckets[place].copy();
            self.buckets.push(copy);
        }
        true
    }

    /// Returns the packed entry of `key`.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        let bucket = &self.buckets[key as usize & (self.buckets.len() - 1)];
        bucket.0.iter().map(Slot::load).find(|&(held, packed)| held == key && packed != 0).map(|(_, packed)| packed)
    }

    /// Counts an entry that is written, for the growth.
    #[inline]
    pub(super) fn count_store(&mut self) {
        self.stores += 1;
    }

    /// Writes the entry of `key`, which `pack` makes from the previous one, if any. In a full bucket the entry with the
    /// least `worth` is replaced. If several threads write to a bucket at once, an entry may be lost.
    #[inline]
    pub(super) fn write(&self, key: u64, worth: impl Fn(u64) -> i32, pack: impl FnOnce(Option<u64>) -> u64) {
        let mask = self.buckets.len() - 1;
        let place = key as usize & mask;
        let least = |slot: &&Slot| {
            let (held, packed) = slot.load();
            if held == key {
                i32::MIN
            } else if packed == 0 || held as usize & mask != place {
                // Empty, or a copy in the wrong half.
                i32::MIN + 1
            } else {
                worth(packed)
            }
        };
        if let Some(slot) = self.buckets[place].0.iter().min_by_key(least) {
            let (held, packed) = slot.load();
            let known = Some(packed).filter(|&packed| held == key && packed != 0);
            slot.write(key, pack(known));
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
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_table_of_the_smallest_size_works() {
        let mut buckets = Buckets::with_limit(0);
        assert_eq!(buckets.bytes(), 0);
        buckets.next_generation();
        assert_eq!(buckets.bytes(), 64);
        buckets.write(u64::MAX, |_| 0, |known| known.map_or(7, |packed| packed + 1));
        assert_eq!((buckets.find(u64::MAX), buckets.find(1)), (Some(7), None));
        buckets.write(u64::MAX, |_| 0, |known| known.map_or(7, |packed| packed + 1));
        assert_eq!(buckets.find(u64::MAX), Some(8));
    }

    #[test]
    fn growing_keeps_the_entries_and_the_limit() {
        let mut buckets = Buckets::with_limit(1 << 20);
        buckets.next_generation();
        let keys: Vec<u64> = (1..40_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let first = buckets.bytes();
        for &key in &keys[..1000] {
            buckets.count_store();
            buckets.write(key, |packed| packed as i32, |_| 50);
        }
        for &key in &keys {
            buckets.count_store();
            buckets.write(key, |packed| packed as i32, |_| 1);
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
            (0..4 * ENTRIES * FIRST_BUCKETS).for_each(|_| buckets.count_store());
            buckets.grow_if_full(left);
            buckets.bytes() / size_of::<Bucket>() / FIRST_BUCKETS
        };
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_nanos(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 4);
        assert_eq!(fill(&mut buckets, None), 4);
    }

    #[test]
    fn all_buckets_can_be_taken_at_once() {
        let mut buckets = Buckets::with_limit(4 * FIRST_BUCKETS * size_of::<Bucket>());
        buckets.next_generation();
        let keys: Vec<u64> = (1..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        keys.iter().for_each(|&key| buckets.write(key, |_| 0, |_| 7));
        buckets.grow_to_limit();
        assert_eq!(buckets.bytes(), 4 * FIRST_BUCKETS * size_of::<Bucket>());
        assert!(keys.iter().all(|&key| buckets.find(key) == Some(7)));
        buckets.grow_to_limit();
        assert_eq!(buckets.bytes(), 4 * FIRST_BUCKETS * size_of::<Bucket>());
    }

    #[test]
    fn words_of_different_entries_are_a_miss() {
        let buckets = Buckets { buckets: vec![Bucket::default()], ..Buckets::with_limit(0) };
        let slot = &buckets.buckets[0].0[0];
        slot.write(5, 70);
        assert_eq!(buckets.find(5), Some(70));
        // Another thread has written one word of the entry (9, 80), or of a newer entry of the same position.
        slot.packed.store(80, Relaxed);
        assert_eq!([5, 9].map(|key| buckets.find(key)), [None; 2]);
        slot.write(5, 70);
        slot.mixed.store(9 ^ 80, Relaxed);
        assert_eq!([5, 9].map(|key| buckets.find(key)), [None; 2]);
    }

    /// Threads write to one entry as fast as they can, and look for each other's keys.
    #[test]
    fn torn_entries_are_never_found() {
        const THREADS: u64 = 4;
        const TIME: Duration = Duration::from_millis(300);
        let buckets = Buckets { buckets: vec![Bucket::default()], ..Buckets::with_limit(0) };
        let slot = &buckets.buckets[0].0[0];
        let (found, start) = (AtomicU64::new(0), Instant::now());
        std::thread::scope(|scope| {
            for key in 0..THREADS {
                let (buckets, found) = (&buckets, &found);
                scope.spawn(move || {
                    for round in (1..).take_while(|round| round % 1024 != 0 || start.elapsed() < TIME) {
                        // The packed entry contains its key, and differs from all others.
                        slot.write(key, round << 8 | key);
                        let other = (key + round) % THREADS;
                        if let Some(packed) = buckets.find(other) {
                            assert_eq!(packed & 0xff, other, "{packed:x}");
                            found.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 10_000);
    }

    #[test]
    fn ages_wrap_around() {
        assert_eq!((age(3, 3), age(3, 1), age(1, 63)), (0, 2, 2));
    }
}
