//! Four entries in one cache line, which several threads may read and write at once, without locks.
//!
//! The two words of an entry are then not written together, so the key is stored combined with the data: two words of
//! different entries make no key that anybody looks for. Source: R. Hyatt, T. Mann, "A lockless transposition-table
//! implementation for parallel search", 2002.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of entries of a bucket.
pub(super) const ENTRIES: usize = 4;

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
    /// Returns the packed entry of `key`.
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

    /// Takes the entries of another bucket.
    pub(super) fn copy_from(&self, other: &Bucket) {
        for (to, from) in self.0.iter().zip(&other.0) {
            to.mixed.store(from.mixed.load(Relaxed), Relaxed);
            to.packed.store(from.packed.load(Relaxed), Relaxed);
        }
    }
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
}
