//! Archives with altered bytes: either unpacked within the limits or refused without a trace.

use proptest::prelude::*;
use proptest::sample::Index;

use super::forge::{bzip2, gzip, item, records, tar, tar_entry, tar_item, xz, zip};
use super::{Unpacking, TreeLimits};

/// Limits barely larger than the archives need.
const LIMITS: TreeLimits = TreeLimits { bytes: 3000, entries: 8, depth: 2, name: 30, path: 60 };

fn honest() -> [Vec<u8>; 5] {
    let text = b"0123456789\n".repeat(100);
    let zipped = zip(&[
        item("a/", 0o040_755, ""),
        item("a/homework.py", 0o100_644, &text),
        item("a/b/notes.txt", 0o100_644, "notes"),
        item("a/.DS_Store", 0o100_644, "1"),
    ]);
    let tarred = tar(&[
        tar_entry(b'5', "a/", 0o755, b""),
        tar_entry(b'x', "x", 0, &records(&[("mtime", "1.5"), ("path", "a/homework.py")])),
        tar_item(&item("short", 0o100_644, &text)),
        tar_entry(b'L', "././@LongLink", 0, b"a/b/notes.txt\0"),
        tar_item(&item("short", 0o100_644, "notes")),
    ]);
    [gzip(&tarred), bzip2(&tarred), xz(&tarred), zipped, tarred]
}

/// An alteration of an archive.
#[derive(Clone, Debug)]
enum Change {
    /// Replaces one byte.
    Set(Index, u8),
    /// Flips one bit.
    Flip(Index, u8),
    /// Overwrites this many bytes with one value.
    Fill(Index, u8, u8),
    /// Overwrites bytes with others from the same archive.
    Copy(Index, Index, u8),
    /// Removes this many bytes.
    Remove(Index, u8),
    /// Cuts off the end.
    Cut(Index),
}

fn change() -> impl Strategy<Value = Change> {
    // Bytes that are common in headers.
    let byte = prop_oneof![any::<u8>(), Just(0), Just(0xff), Just(b'/'), Just(b'.'), b'0'..b'8'];
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), byte.clone()).prop_map(|(place, byte)| Change::Set(place, byte)),
        4 => (index(), 0..8_u8).prop_map(|(place, bit)| Change::Flip(place, bit)),
        1 => (index(), 1..9_u8, byte).prop_map(|(place, count, byte)| Change::Fill(place, count, byte)),
        1 => (index(), index(), any::<u8>()).prop_map(|(from, to, count)| Change::Copy(from, to, count)),
        1 => (index(), any::<u8>()).prop_map(|(place, count)| Change::Remove(place, count)),
        1 => index().prop_map(Change::Cut),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        let range = |place: &Index, count: u8| {
            let start = place.index(length);
            start..length.min(start + usize::from(count))
        };
        match self {
            Change::Set(place, byte) => bytes[place.index(length)] = *byte,
            Change::Flip(place, bit) => bytes[place.index(length)] ^= 1 << bit,
            Change::Fill(place, count, byte) => bytes[range(place, *count)].fill(*byte),
            Change::Copy(from, to, count) => {
                let copied = bytes[range(from, *count)].to_vec();
                let target = range(to, *count);
                let fitting = target.len().min(copied.len());
                bytes[target][..fitting].copy_from_slice(&copied[..fitting]);
            }
            Change::Remove(place, count) => drop(bytes.drain(range(place, *count))),
            Change::Cut(place) => bytes.truncate(place.index(length)),
        }
    }
}

/// Repairs the checksums of all tar headers, so that other changes take effect.
fn sum_again(bytes: &mut [u8]) {
    for block in bytes.chunks_exact_mut(512).filter(|block| &block[257..262] == b"ustar") {
        let mut header = ::tar::Header::from_byte_slice(block).clone();
        header.set_cksum();
        block.copy_from_slice(header.as_bytes());
    }
}

fn expect_bounded(archive: &[u8]) {
    // `unpack` compares everything outside, and checks that there are only files and folders inside.
    let Ok(listing) = Unpacking::new(archive).unpack(&LIMITS) else { return };
    let bytes: usize = listing.values().filter_map(|(_, content)| content.as_ref()).map(Vec::len).sum();
    assert!(bytes as u64 <= LIMITS.bytes && listing.len() as u64 <= LIMITS.entries);
    for (path, (mode, _)) in &listing {
        assert!([0o644, 0o755].contains(mode), "{path}: {mode:o}");
        assert!(path.len() <= LIMITS.path && path.split('/').all(|name| name.len() <= LIMITS.name), "{path}");
        assert!(path.matches('/').count() <= LIMITS.depth, "{path}");
    }
}

#[test]
fn unaltered_archives_are_accepted() {
    for archive in honest() {
        let listing = Unpacking::new(&archive).unpack(&LIMITS).unwrap();
        assert_eq!(listing.keys().collect::<Vec<_>>(), ["b", "b/notes.txt", "homework.py"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn altered_archives_are_bounded(which in 0..5_usize, changes in prop::collection::vec(change(), 1..6)) {
        let mut archive = honest()[which].clone();
        changes.iter().for_each(|change| change.apply(&mut archive));
        expect_bounded(&archive);
    }

    #[test]
    fn altered_tars_with_valid_checksums_are_bounded(changes in prop::collection::vec(change(), 1..6), packed: bool) {
        let mut archive = honest()[4].clone();
        changes.iter().for_each(|change| change.apply(&mut archive));
        sum_again(&mut archive);
        expect_bounded(&if packed { gzip(&archive) } else { archive });
    }
}
