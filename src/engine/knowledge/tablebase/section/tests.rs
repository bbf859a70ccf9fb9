use std::cell::RefCell;
use std::ops::Range;

use proptest::prelude::*;

use super::{Bits, Section};
use crate::knowledge::tablebase::BrokenTable;
use crate::knowledge::tablebase::build::compress::{DONT_CARE, compress};

fn open_all(bytes: &[u8]) -> Result<Vec<u8>, BrokenTable> {
    let section = Section::open(bytes)?;
    (0..section.len()).map(|index| section.get(index, &|_| Ok(()))).collect()
}

/// Compresses values, and checks that they can be read back. Ignores values that do not matter.
fn expect_round_trip(values: &[u8]) {
    let bytes = compress(values);
    let back = open_all(&bytes).unwrap();
    assert_eq!(back.len(), values.len());
    for (place, (&value, &back)) in values.iter().zip(&back).enumerate() {
        assert!(value == DONT_CARE || value == back, "{value} came back as {back} at {place}");
    }
    let len = values.len() as u32;
    let beyond = format!("index {len}, expected less than {len}");
    assert_eq!(Section::open(&bytes).unwrap().get(len, &|_| Ok(())), Err(beyond));
}

/// Makes up rows of a table, in which most values equal their left or upper neighbor.
fn table(len: usize, width: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let mut random = move |limit: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % limit
    };
    let mut values: Vec<u8> = Vec::with_capacity(len);
    for place in 0..len {
        let left = values.last().copied().unwrap_or(0);
        let upper = place.checked_sub(width).map_or(left, |place| values[place]);
        values.push(match random(20) {
            0 => random(32) as u8,
            1..=8 => left,
            _ => upper,
        });
    }
    for _ in 0..len / 200 {
        let start = random(len as u32) as usize;
        let end = len.min(start + random(30) as usize);
        values[start..end].fill(DONT_CARE);
    }
    values
}

fn values() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![3 => 0..4u8, 1 => 0..32u8, 1 => Just(DONT_CARE)];
    let run = (value, prop_oneof![4 => 1..5usize, 2 => 1..100usize, 1 => 1..3000usize]);
    prop::collection::vec(run, 0..200)
        .prop_map(|runs| runs.into_iter().flat_map(|(value, length)| std::iter::repeat_n(value, length)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn values_round_trip(values in values()) {
        expect_round_trip(&values);
    }

    #[test]
    fn noise_round_trips(values in prop::collection::vec(prop_oneof![4 => 0..32u8, 1 => Just(DONT_CARE)], 0..3000)) {
        expect_round_trip(&values);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0..3u8) {
        let bytes: Vec<u8> = std::iter::once(kind).chain(bytes).collect();
        let _ = Section::opening(&bytes);
        let _ = open_all_if_small(&bytes);
    }
}

/// Reads all values, unless a broken header claims too many.
fn open_all_if_small(bytes: &[u8]) -> Option<Result<Vec<u8>, BrokenTable>> {
    let few = |section: &Section| section.len() < 100_000;
    Section::open(bytes).is_ok_and(|section| few(&section)).then(|| open_all(bytes))
}

#[test]
fn tables_round_trip_and_shrink() {
    for len in [1, 2, 255, 256, 257, 5000, 70_000] {
        let values = table(len, 37, len as u32);
        expect_round_trip(&values);
    }
    assert!(compress(&table(70_000, 37, 1)).len() < 30_000);
}

#[test]
fn equal_values_take_six_bytes() {
    for values in [&[][..], &[3; 1_000_000], &[DONT_CARE; 12345], &[DONT_CARE, 5, DONT_CARE, 5]] {
        expect_round_trip(values);
        assert_eq!(compress(values).len(), 6);
    }
    let mut values = vec![3; 1_000_000];
    values[400_000] = 4;
    expect_round_trip(&values);
    assert!(compress(&values).len() < 400);
}

#[test]
fn a_repeated_pattern_round_trips() {
    let values = [1, 2, 2, 3].repeat(100_000);
    expect_round_trip(&values);
    assert!(compress(&values).len() < 1000);
}

#[test]
fn a_value_outside_the_sample_round_trips() {
    // Of so many values the compressor samples every second piece of 2^14, beginning with the first.
    let mut values = table(20_000, 37, 5).repeat(150);
    values.iter_mut().filter(|value| **value == 31).for_each(|value| *value = 30);
    values[(1 << 14) + 5] = 31;
    expect_round_trip(&values);
}

#[test]
fn do_not_care_values_extend_runs_for_free() {
    let mut values = vec![7; 20_000];
    values[10_000..].fill(9);
    let plain = compress(&values);
    for place in (3..values.len()).step_by(7) {
        values[place..place + 3].fill(DONT_CARE);
    }
    expect_round_trip(&values);
    assert!(compress(&values).len() <= plain.len());
}

#[test]
fn bytes_are_checked_before_they_are_read() {
    let bytes = compress(&table(30_000, 50, 3));
    let opening = Section::opening(&bytes[..super::HEAD_BYTES]).unwrap();
    // All bytes are spoiled except those that were checked.
    let mut spoiled = bytes.clone();
    spoiled[opening..].fill(0xa5);
    assert!(Section::open(&spoiled).is_ok());
    let right = Section::open(&bytes).unwrap();
    for index in (0..right.len()).step_by(97) {
        let checked: RefCell<Vec<Range<usize>>> = RefCell::default();
        let value = right.get(index, &|range| {
            checked.borrow_mut().push(range);
            Ok(())
        });
        let mut partly = spoiled.clone();
        for range in checked.into_inner() {
            partly[range.clone()].copy_from_slice(&bytes[range]);
        }
        assert_eq!(Section::open(&partly).unwrap().get(index, &|_| Ok(())), value);
    }
    let refuse = |_| Err("page".to_owned());
    assert_eq!(right.get(5, &refuse), Err("page".to_owned()));
}

#[test]
fn every_truncation_is_an_error_and_no_altered_byte_panics() {
    let bytes = compress(&table(3000, 20, 9));
    for end in 0..bytes.len() {
        let error = Section::open(&bytes[..end]).unwrap_err().to_string();
        assert!(error.contains("bytes, expected "), "cut to {end}: {error}");
    }
    for place in 0..bytes.len() {
        for change in [1, 16, 128, 255] {
            let mut altered = bytes.clone();
            altered[place] ^= change;
            let _ = open_all_if_small(&altered);
        }
    }
}

#[test]
fn a_section_written_by_hand_is_read() {
    // Two runs, "2 2" with code 0 and "5" with code 10, and the pair of both with code 11: 2 2 5 | 2 2 2 2.
    let mut bytes = vec![1, 2, 7, 0, 0, 0, 2, 0, 3, 0, 2, 3, 0, 2, 0, 0, 0];
    bytes.extend(bits::<3>("00010 010 110  00101 1 0  010 1 0"));
    bytes.extend([0, 0, 0, 0, 0, 0, 1, 0, 2, 0]);
    bytes.extend([0b1100_0000, 0b0000_0000]);
    assert_eq!(open_all(&bytes), Ok(vec![2, 2, 5, 2, 2, 2, 2]));
}

fn bits<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    for (place, bit) in text.bytes().filter(|byte| !byte.is_ascii_whitespace()).enumerate() {
        bytes[place / 8] |= (bit - b'0') << (7 - place % 8);
    }
    bytes
}

#[test]
fn bits_are_read_in_order_then_zeros() {
    let bytes: Vec<u8> = (0..40u8).map(|n| n.wrapping_mul(73)).collect();
    for step in [1, 3, 7, 13, 32] {
        let mut bits = Bits::new(&bytes);
        for at in (0..400).step_by(step) {
            let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| u32::from(byte >> (7 - at % 8) & 1));
            let expected = (at..at + step).fold(0, |number, at| number << 1 | bit(at));
            assert_eq!((bits.ahead() >> (64 - step)) as u32, expected, "bit {at}");
            assert_eq!(bits.peek(step as u32), expected, "bit {at}");
            bits.skip(step as u32);
            assert_eq!(bits.read(), (at + step) as u64);
        }
    }
}
