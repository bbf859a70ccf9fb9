use std::sync::LazyLock;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::checkers::Position;
use crate::game::{Color, History, Rules, Value};
use crate::knowledge::tablebase::board::Board;
use crate::knowledge::tablebase::build::{self, SolvedValues, compress::compress};
use crate::knowledge::tablebase::probe::{ProbeError, Tablebase};
use crate::score::Score;

fn materials() -> Vec<Material> {
    (2..=3).flat_map(|pieces| Material::all(pieces, 2)).collect()
}

/// A sound table file of up to three pieces.
fn right() -> &'static [u8] {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let values = SolvedValues::up_to(3);
        let section = |material| (material, build::section(&values, material));
        to_bytes(&materials().into_iter().map(section).collect::<Vec<_>>())
    });
    &BYTES
}

fn positions() -> impl Iterator<Item = Position> {
    let of = |material| {
        let index = Index::new(material);
        (0..index.len()).step_by(1 + index.len() as usize / 12).filter_map(move |number| index.board(number))
    };
    materials().into_iter().flat_map(of).map(Board::position)
}

fn ask(bytes: &[u8], trust: Trust, position: &Position) -> Option<Result<Value, ProbeError>> {
    let file = TableFile::open(bytes, trust).ok()?;
    Some(Tablebase::new(&file).value(position, Rules::Game))
}

#[test]
fn a_cut_file_knows_what_it_kept_and_nothing_else() {
    let cut = TableFile::open(right(), Trust::Checked).unwrap().up_to(2);
    assert!(cut.len() < right().len());
    assert_eq!(TableFile::open(&cut, Trust::CheckPages).unwrap().materials().count(), 4);
    let mut unknown = 0;
    for position in positions() {
        let few = position.count(Color::Black) + position.count(Color::White) == 2;
        let known = ask(right(), Trust::Checked, &position).expect("a sound file");
        let cut = ask(&cut, Trust::CheckPages, &position).expect("a sound file");
        // Jumps are played out, and may lead to two pieces.
        assert!(cut == known || !few && cut == Err(ProbeError::NotTabled), "{position}: {cut:?}, {known:?}");
        unknown += usize::from(cut.is_err());
    }
    assert!(unknown > 50, "{unknown}");
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let count = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let len = bytes.len();
    bytes[16..24].copy_from_slice(&(len as u64).to_le_bytes());
    if let Some(data) = data_start(count, len) {
        let sums: Vec<u8> = bytes[data..].chunks(PAGE).flat_map(|page| checksum(page).to_le_bytes()).collect();
        bytes[HEADER + count * ENTRY..data].copy_from_slice(&sums);
        let sum = checksum(&bytes[HEADER..data]);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

/// Overwrites a part of the sound file, and corrects all checksums.
fn with(place: usize, bytes: &[u8]) -> Vec<u8> {
    let mut altered = right().to_vec();
    altered[place..place + bytes.len()].copy_from_slice(bytes);
    sealed(altered)
}

fn level(_: &Position) -> Score {
    Score::DRAW
}

fn refused(bytes: &[u8], trust: Trust) -> TableError {
    TableFile::open(bytes, trust).map(|_| ()).unwrap_err()
}

fn message(bytes: &[u8]) -> String {
    refused(bytes, Trust::CheckPages).to_string()
}

#[test]
fn a_sound_file_answers_like_the_embedded_tables() {
    assert_eq!(sealed(right().to_vec()), right());
    let file = TableFile::open(right(), Trust::CheckPages).unwrap();
    let embedded = Tablebase::with_embedded(None);
    let tablebase = Tablebase::new(&file);
    for position in positions() {
        assert_eq!(tablebase.value(&position, Rules::Game), embedded.value(&position, Rules::Game), "{position}");
    }
    assert_eq!(tablebase.broken(), None);
}

#[test]
fn every_truncation_is_an_error() {
    for len in 0..right().len() {
        let expected = match len {
            0..8 => TableError::Foreign,
            8..32 => TableError::Length { found: len as u64, expected: 32 },
            _ => TableError::Length { found: len as u64, expected: right().len() as u64 },
        };
        for trust in [Trust::CheckPages, Trust::Checked] {
            assert_eq!(refused(&right()[..len], trust), expected, "{len} bytes");
        }
    }
}

#[test]
fn every_altered_byte_before_the_data_is_an_error() {
    let file = TableFile::open(right(), Trust::CheckPages).unwrap();
    for place in 0..file.data {
        for change in [1, 0x80, 0xff] {
            let mut altered = right().to_vec();
            altered[place] ^= change;
            let error = refused(&altered, Trust::CheckPages);
            match place {
                0..8 => assert_eq!(error, TableError::Foreign),
                8..12 => assert!(matches!(error, TableError::Version { expected: VERSION, .. }), "{error}"),
                16..24 => assert!(matches!(error, TableError::Length { .. }), "{error}"),
                _ => assert!(matches!(error, TableError::Altered(_)), "byte {place}: {error}"),
            }
            // Without checks the file may be accepted, but must not cause a panic.
            let _ = ask(&altered, Trust::Checked, &"W:WK1:BK32".parse().unwrap());
        }
    }
}

#[test]
fn an_altered_byte_of_the_data_is_an_error_where_it_is_read() {
    let data = TableFile::open(right(), Trust::CheckPages).unwrap().data;
    let known: Vec<_> = positions().map(|position| (position, ask(right(), Trust::Checked, &position))).collect();
    for place in (data..right().len()).step_by(61) {
        let mut altered = right().to_vec();
        altered[place] ^= 4;
        let file = TableFile::open(&altered, Trust::CheckPages).unwrap();
        let mut broken = 0;
        for (position, value) in &known {
            match Tablebase::new(&file).value(position, Rules::Game) {
                Err(ProbeError::Broken(what)) => {
                    assert!(what.starts_with("the table of ") && what.contains(" bytes at offset "), "{what}");
                    broken += 1;
                }
                found => assert_eq!(Some(found), *value, "{position}, byte {place}"),
            }
        }
        assert!(broken > 0, "byte {place}");
    }
}

#[test]
fn a_broken_file_is_reported_once_and_then_ignored() {
    let mut altered = right().to_vec();
    let data = TableFile::open(right(), Trust::CheckPages).unwrap().data;
    altered[data..].fill(0);
    let file = TableFile::open(&altered, Trust::CheckPages).unwrap();
    let position: Position = "W:WK1,K2:BK32".parse().unwrap();
    let alone = Tablebase::new(&file);
    assert!(matches!(alone.value(&position, Rules::Game), Err(ProbeError::Broken(_))));
    assert_eq!(alone.value(&position, Rules::Game), Err(ProbeError::NotTabled));
    let first = alone.broken().unwrap();
    // The embedded tables answer in its place, from the first probe on.
    let both = Tablebase::with_embedded(Some(&file));
    assert_eq!(both.value(&position, Rules::Game), Tablebase::with_embedded(None).value(&position, Rules::Game));
    assert!(both.broken().is_some());
    let history = History::new(position);
    let choose = |tablebase: &Tablebase| tablebase.choose(&history, &level, u64::MAX);
    assert_eq!(choose(&both), choose(&Tablebase::with_embedded(None)));
    assert!(first.starts_with("the table of "), "{first}");
}

#[test]
fn foreign_files_and_other_versions_are_errors() {
    for bytes in [&b""[..], b"k", b"\x7fELF\x02\x01\x01", b"\x89PNG\r\n\x1a\n", b"some text", &[0; 5000]] {
        assert_eq!(message(bytes), "not an endgame table file: it does not start with \"kltables\"");
    }
    assert_eq!(message(&with(8, &[1])), "version 1, expected 2");
    assert_eq!(message(b"kltables"), "8 bytes, expected 32");
    let longer = [right(), b"and more"].concat();
    assert_eq!(message(&longer), format!("{} bytes, expected {}", longer.len(), right().len()));
}

#[test]
fn impossible_directories_are_errors() {
    let entry = |place: usize| HEADER + place * ENTRY;
    let number = |number: u64| number.to_le_bytes();
    for (altered, expected) in [
        (with(12, &255u32.to_le_bytes()), "material code "),
        (with(12, &256u32.to_le_bytes()), "256 materials in"),
        (with(12, &[0xff; 4]), "4294967295 materials in"),
        (with(12, &[0; 4]), "bytes of data, expected 0"),
        (with(entry(0), &[0, 0]), "material code 0, expected 1 to 4 pieces a side"),
        (with(entry(0), &[0xff, 0x0f]), "material code 4095,"),
        (with(entry(0), &[0, 0x12]), "material code 4608,"),
        // Two men and two kings on each side have more positions than numbers.
        (with(entry(0), &(2u32 | 2 << 3 | 2 << 6 | 2 << 9).to_le_bytes()), "material code 1170,"),
        (with(entry(1), &right()[entry(0)..][..4]), " twice, expected once"),
        (with(entry(0) + 8, &number(1)), "at byte 1 of the data, expected byte 0"),
        (with(entry(1) + 8, &number(u64::MAX)), "at byte 18446744073709551615 of the data"),
        (with(entry(1) + 8, &number(0)), "at byte 0 of the data"),
        (with(entry(0) + 4, &[0xff; 4]), "expected byte 4294967295"),
        (with(entry(materials().len() - 1) + 4, &[0xff; 4]), "bytes of data, expected 429"),
        (with(entry(materials().len() - 1) + 4, &[0; 4]), "bytes of data, expected"),
    ] {
        for trust in [Trust::CheckPages, Trust::Checked] {
            let found = refused(&altered, trust).to_string();
            assert!(found.starts_with("altered: ") && found.contains(expected), "{found}, not: {expected}");
        }
    }
}

/// At these file lengths, no length of data fits together with the checksums of its pages.
#[test]
fn impossible_lengths_are_errors() {
    for pages in [0, 1, 2] {
        for more in 1..=8 {
            let mut bytes = b"kltables\x02\0\0\0\0\0\0\0".to_vec();
            bytes.resize(HEADER + pages * (PAGE + 8) + more, 0);
            assert!(message(&sealed(bytes)).contains("0 materials in "), "{pages} pages, and {more} bytes");
        }
    }
    let mut bytes = b"kltables\x02\0\0\0\0\0\0\0".to_vec();
    bytes.resize(HEADER, 0);
    assert_eq!(TableFile::open(&sealed(bytes), Trust::CheckPages).unwrap().materials().count(), 0);
}

/// Tests sections with a wrong number of positions for their material.
#[test]
fn sections_of_another_material_are_errors() {
    let [king_each, man_each] = ["K-K", "m-m"].map(|name| *materials().iter().find(|m| m.to_string() == name).unwrap());
    let bytes = to_bytes(&[(king_each, compress(&[0; 5])), (man_each, compress(&[31; 784]))]);
    let broken = |position: &str| match ask(&bytes, Trust::CheckPages, &position.parse().unwrap()) {
        Some(Err(ProbeError::Broken(what))) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(broken("W:WK1:BK32"), "the table of K-K: 5 positions, expected 992");
    assert_eq!(broken("W:W25:B5"), "the table of m-m: code 31, which has no meaning");
}

/// Checks that every probe soon ends with an answer or an error.
fn answers(bytes: &[u8]) {
    for trust in [Trust::CheckPages, Trust::Checked] {
        let Ok(file) = TableFile::open(bytes, trust) else { continue };
        for position in positions().step_by(7) {
            let _ = Tablebase::new(&file).value(&position, Rules::Game);
            let _ = Tablebase::new(&file).choose(&History::new(position), &level, 10_000);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..6000), count in 0..4u8) {
        let bytes = [b"kltables\x02\0\0\0", &[count, 0, 0, 0][..], &[0; 16], &bytes].concat();
        answers(&sealed(bytes));
    }

    #[test]
    fn no_sections_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0..3u8) {
        let section = |material| {
            let len = Index::new(material).len().to_le_bytes();
            // The length in the header is right, and groups are small.
            let head = [&[kind, 10][..], &len, &[2, 0, 9, 0, 5, 11, 0, 0xff, 0, 0, 0]].concat();
            (material, [&head, &bytes[..]].concat())
        };
        answers(&to_bytes(&materials().into_iter().map(section).collect::<Vec<_>>()));
    }

    #[test]
    fn no_altered_bytes_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9)) {
        let mut bytes = right().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        answers(&sealed(bytes.clone()));
        answers(&bytes);
    }
}

/// Tests tables that contradict themselves.
#[test]
fn contradicting_codes_end_soon() {
    let mut rng = StdRng::seed_from_u64(1);
    for round in 0..10 {
        let few: Vec<u8> = (0..2 + round % 3).map(|_| rng.random_range(0..13)).collect();
        let mut section = |material| {
            let codes = (0..Index::new(material).len()).map(|_| few[rng.random_range(0..few.len())]);
            (material, compress(&codes.collect::<Vec<u8>>()))
        };
        answers(&to_bytes(&materials().into_iter().map(&mut section).collect::<Vec<_>>()));
    }
}
