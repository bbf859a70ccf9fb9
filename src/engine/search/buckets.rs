//! Storage of table entries in buckets: as many as the entries need, up to a limit.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::Duration;

use super::params::{FIRST_BUCKETS, GROWTH_FACTOR, GROWTH_PIECE};
use crate::clock::Clock;

pub(super) const ENTRIES: usize = 4;

/// Four entries in one cache line, which several threads may read and write at once, without locks.
///
/// The two words of an entry are then not written together, so the key is stored combined with the data: two words of
/// different entries make no key that anybody looks for. Source: R. Hyatt, T. Mann, "A lockless transposition-table
/// implementation for parallel search", 2002.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Bucket([Slot; ENTRIES]);

/// A packed entry, and its key combined with it by exclusive or; a packed 0 means no entry.
#[derive(Debug, Default)]
struct Slot {
    mixed: AtomicU64,
    packed: AtomicU64,
}

impl Slot {
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
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        for slot in &self.0 {
            let (held, packed) = slot.load();
            if held == key && packed != 0 {
                return Some(packed);
            }
        }
        None
    }

    /// Writes the entry of `key`, which `pack` makes from the previous one, if any. In a full bucket the entry that is
    /// `worth` least is replaced, by its key and the packed entry. If several threads write at once, an entry may be lost.
    #[inline(always)]
    pub(super) fn write(&self, key: u64, worth: impl Fn(u64, u64) -> i32, pack: impl FnOnce(Option<u64>) -> u64) {
        let least = |slot: &&Slot| {
            let (held, packed) = slot.load();
            if held == key {
                i32::MIN
            } else if packed == 0 {
                i32::MIN + 1
            } else {
                worth(held, packed)
            }
        };
        if let Some(slot) = self.0.iter().min_by_key(least) {
            let (held, packed) = slot.load();
            let known = Some(packed).filter(|&packed| held == key && packed != 0);
            slot.write(key, pack(known));
        }
    }

    pub(super) fn copy_from(&self, other: &Bucket) {
        for (to, from) in self.0.iter().zip(&other.0) {
            to.mixed.store(from.mixed.load(Relaxed), Relaxed);
            to.packed.store(from.packed.load(Relaxed), Relaxed);
        }
    }
}

/// Packed entries by key: the storage behind the tables of the search and of the solver. It has no buckets before the
/// first search and few in it; their number doubles as they fill, up to a limit, so that a search touches little memory:
/// two threads visit 1.9 times the nodes of one, 1.6 times if they use 64 MiB from the start. It is never cleared.
#[derive(Debug)]
pub(super) struct Buckets {
    /// The first of them are in use. [`make_room`](Self::make_room) adds buckets for later.
    buckets: Vec<Bucket>,
    /// Number of buckets in use, a power of two, less one.
    mask: AtomicUsize,
    limit: usize,
    /// Number of entries counted as written, overwritten ones included.
    stores: AtomicUsize,
    /// CPU time of the last growth in nanoseconds; zero before the first.
    growth: AtomicU64,
    generation: u8,
}

/// Question to the search, during a growth, if it goes on.
pub(super) type GoesOn<'a> = &'a mut dyn FnMut() -> bool;

/// Mask of a generation, which has six bits.
const GENERATIONS: u8 = 0x3f;

impl Buckets {
    /// Creates storage of at most `bytes` bytes, but at least one bucket of 64 bytes.
    pub(super) fn with_limit(bytes: usize) -> Buckets {
        let limit = (bytes / size_of::<Bucket>()).max(1);
        let limit = 1 << limit.ilog2();
        let [stores, mask] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        Buckets { buckets: Vec::new(), mask, limit, stores, growth: AtomicU64::new(0), generation: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        if self.buckets.is_empty() { 0 } else { self.in_use() * size_of::<Bucket>() }
    }

    fn in_use(&self) -> usize {
        self.mask.load(Relaxed) + 1
    }

    /// Ages all entries by one generation; the first call allocates the first buckets.
    pub(super) fn next_generation(&mut self) {
        if self.buckets.is_empty() {
            self.buckets.resize_with(self.limit.min(FIRST_BUCKETS), Bucket::default);
            *self.mask.get_mut() = self.buckets.len() - 1;
        }
        self.generation = self.generation.wrapping_add(1) & GENERATIONS;
    }

    pub(super) fn generation(&self) -> u8 {
        self.generation
    }

    /// Doubles the number of buckets in use if enough entries were written to fill them and the limit allows it. Does
    /// nothing if memory runs out, if a growth might take longer than `left`, or if it may not go on to its end.
    pub(super) fn grow_if_full(&mut self, left: Option<Duration>, goes_on: GoesOn) {
        if self.should_grow(left) {
            let began = Clock::Thread.now();
            self.make_room_for(2 * self.in_use(), goes_on);
            self.double(began, goes_on);
        }
    }

    /// [Grows](Self::grow_if_full) as far as there is room, while other threads use the storage. What they write
    /// meanwhile may be lost.
    pub(super) fn grow_within_if_full(&self, left: Option<Duration>, goes_on: GoesOn) {
        if self.should_grow(left) {
            self.double(Clock::Thread.now(), goes_on);
        }
    }

    fn should_grow(&self, left: Option<Duration>) -> bool {
        let is_full = self.stores.load(Relaxed) >= self.in_use() * ENTRIES && 2 * self.in_use() <= self.limit;
        let last = Duration::from_nanos(self.growth.load(Relaxed));
        is_full && left.is_none_or(|left| last * GROWTH_FACTOR <= left)
    }

    /// Doubles the number of buckets in use, if there is room; the growth began at that CPU time.
    fn double(&self, began: Duration, goes_on: GoesOn) {
        let now = self.in_use();
        let Some((below, above)) = self.buckets.get(..2 * now).map(|buckets| buckets.split_at(now)) else { return };
        // One more bit of the key counts: with a copy in each half, every entry is still found.
        for (number, (to, from)) in above.chunks(GROWTH_PIECE).zip(below.chunks(GROWTH_PIECE)).enumerate() {
            if number > 0 && !goes_on() {
                return;
            }
            to.iter().zip(from).for_each(|(to, from)| to.copy_from(from));
        }
        self.mask.store(2 * now - 1, Relaxed);
        let took = Clock::Thread.now().saturating_sub(began);
        self.growth.store(took.as_nanos() as u64, Relaxed);
    }

    /// Makes room for all buckets up to the limit, which cannot move while several threads use them.
    pub(super) fn make_room(&mut self, goes_on: GoesOn) {
        self.make_room_for(self.limit, goes_on);
    }

    /// Reserves address space for all buckets up to the limit, if there is enough.
    pub(super) fn reserve(&mut self) {
        // Without it, a growth may move the buckets.
        let _ = self.buckets.try_reserve_exact(self.limit.saturating_sub(self.buckets.len()));
    }

    /// Makes room for `count` buckets, unless memory runs out or it may not go on.
    fn make_room_for(&mut self, count: usize, goes_on: GoesOn) {
        let missing = count.saturating_sub(self.buckets.len());
        if missing == 0 || self.buckets.try_reserve_exact(missing).is_err() {
            return;
        }
        let first = self.buckets.len();
        for made in (first..count).step_by(GROWTH_PIECE) {
            if made > first && !goes_on() {
                return;
            }
            self.buckets.resize_with(count.min(made + GROWTH_PIECE), Bucket::default);
        }
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u64> {
        self.buckets[key as usize & self.mask.load(Relaxed)].find(key)
    }

    #[inline]
    pub(super) fn count_store(&mut self) {
        *self.stores.get_mut() += 1;
    }

    /// Counts entries that were written by several threads. Only one of these may call it.
    pub(super) fn count_stores(&self, count: usize) {
        self.stores.store(self.stores.load(Relaxed) + count, Relaxed);
    }

    /// Writes the entry of `key`, which `pack` makes from the previous one, if any. In a full bucket the entry with the
    /// least `worth` is replaced. If several threads write to a bucket at once, an entry may be lost.
    #[inline]
    pub(super) fn write(&self, key: u64, worth: impl Fn(u64) -> i32, pack: impl FnOnce(Option<u64>) -> u64) {
        let mask = self.mask.load(Relaxed);
        let place = key as usize & mask;
        // A copy in the wrong half is worth nothing.
        let worth = |held, packed| if held as usize & mask == place { worth(packed) } else { i32::MIN + 1 };
        self.buckets[place].write(key, worth, pack);
    }
}

#[inline]
pub(super) fn age(now: u8, then: u8) -> i32 {
    i32::from(now.wrapping_sub(then) & GENERATIONS)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn words_of_different_entries_are_a_miss() {
        let bucket = Bucket::default();
        let slot = &bucket.0[0];
        slot.write(5, 70);
        assert_eq!(bucket.find(5), Some(70));
        // Another thread has written one word of the entry (9, 80), or of a newer entry of the same position.
        slot.packed.store(80, Relaxed);
        assert_eq!([5, 9].map(|key| bucket.find(key)), [None; 2]);
        slot.write(5, 70);
        slot.mixed.store(9 ^ 80, Relaxed);
        assert_eq!([5, 9].map(|key| bucket.find(key)), [None; 2]);
    }

    /// Threads write to one entry as fast as they can, and look for each other's keys.
    #[test]
    fn torn_entries_are_never_found() {
        const THREADS: u64 = 4;
        const TIME: Duration = Duration::from_millis(300);
        let bucket = Bucket::default();
        let slot = &bucket.0[0];
        let (found, start) = (AtomicU64::new(0), Instant::now());
        std::thread::scope(|scope| {
            for key in 0..THREADS {
                let (bucket, found) = (&bucket, &found);
                scope.spawn(move || {
                    for round in (1..).take_while(|round| round % 1024 != 0 || start.elapsed() < TIME) {
                        // The packed entry contains its key, and differs from all others.
                        slot.write(key, round << 8 | key);
                        let other = (key + round) % THREADS;
                        if let Some(packed) = bucket.find(other) {
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
            buckets.grow_if_full(None, &mut || true);
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
            buckets.grow_if_full(left, &mut || true);
            buckets.bytes() / size_of::<Bucket>() / FIRST_BUCKETS
        };
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_nanos(1))), 2);
        assert_eq!(fill(&mut buckets, Some(Duration::from_secs(1))), 4);
        assert_eq!(fill(&mut buckets, None), 4);
    }

    #[test]
    fn with_room_the_storage_grows_while_it_is_shared_and_alone() {
        let mut buckets = Buckets::with_limit(8 * FIRST_BUCKETS * size_of::<Bucket>());
        buckets.next_generation();
        let keys: Vec<u64> = (1..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        keys.iter().for_each(|&key| buckets.write(key, |_| 0, |_| 7));
        let size = |buckets: &Buckets| buckets.bytes() / size_of::<Bucket>() / FIRST_BUCKETS;
        buckets.make_room(&mut || true);
        buckets.grow_within_if_full(None, &mut || true);
        assert_eq!(size(&buckets), 1, "not full");
        buckets.count_stores(2 * ENTRIES * FIRST_BUCKETS);
        for expected in [2, 4, 4] {
            buckets.grow_within_if_full(None, &mut || true);
            assert_eq!(size(&buckets), expected);
        }
        buckets.count_stores(2 * ENTRIES * FIRST_BUCKETS);
        buckets.grow_if_full(None, &mut || true);
        assert_eq!((size(&buckets), buckets.buckets.len()), (8, 8 * FIRST_BUCKETS));
        assert!(keys.iter().all(|&key| buckets.find(key) == Some(7)));
    }

    #[test]
    fn a_growth_that_may_not_go_on_changes_nothing() {
        let mut buckets = Buckets::with_limit(4 * GROWTH_PIECE * size_of::<Bucket>());
        buckets.next_generation();
        let keys: Vec<u64> = (1..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        keys.iter().for_each(|&key| buckets.write(key, |_| 0, |_| 7));
        (0..8 * ENTRIES * GROWTH_PIECE).for_each(|_| buckets.count_store());
        while buckets.in_use() < GROWTH_PIECE * 2 {
            buckets.grow_if_full(None, &mut || panic!("a small growth asks nothing"));
        }
        // Each time there is one question: about the room, about the copy, and about the copy again.
        for (answer, expected) in [(false, 2), (false, 2), (true, 4)] {
            let mut questions = 0;
            buckets.grow_if_full(None, &mut || {
                questions += 1;
                answer
            });
            assert_eq!((buckets.in_use(), questions), (expected * GROWTH_PIECE, 1));
            assert!(keys.iter().all(|&key| buckets.find(key) == Some(7)));
        }
    }

    #[test]
    fn ages_wrap_around() {
        assert_eq!((age(3, 3), age(3, 1), age(1, 63)), (0, 2, 2));
    }
}
