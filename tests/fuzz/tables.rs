//! Every probe of a file, whatever its contents, ends with an answer or an error.
#![no_main]

use kingline::checkers::Position;
use kingline::game::{History, Knowledge, Rules};
use kingline::knowledge::tablebase::{TableFile, Tablebase, Trust};
use kingline::score::Score;
use libfuzzer_sys::fuzz_target;

/// Positions with two to six pieces.
const POSITIONS: [&str; 6] = [
    "W:WK1:BK32",
    "B:WK22:B3",
    "W:WK30,K31:BK11",
    "B:W22,K30:B3,K11",
    "W:WK30,K31,K32:BK10,K11",
    "B:W21,K22,K31:B1,K2,K11",
];

fuzz_target!(|bytes: &[u8]| {
    // Without checks, altered bytes get further into the reader.
    for trust in [Trust::Checked, Trust::CheckPages] {
        let Ok(file) = TableFile::open(bytes, trust) else { continue };
        for position in POSITIONS.iter().filter_map(|text| text.parse::<Position>().ok()) {
            let _ = Tablebase::new(&file).value(&position, Rules::Game);
            let _ = Tablebase::new(&file).probe(&position, 30, Rules::Course);
            let level = |_: &Position| Score::DRAW;
            let _ = Tablebase::with_embedded(Some(&file)).choose(&History::new(position), &level, 1000);
        }
    }
});
