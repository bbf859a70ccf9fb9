//! Every game read from SGF has only legal moves and round-trips.
#![no_main]

use kingline::game::Game;
use kingline::loa::sgf::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check::<8>(text);
    check::<6>(text);
});

fn check<const N: usize>(text: &str) {
    let Ok(record) = text.parse::<Record<N>>() else { return };
    for (pair, mv) in record.positions().windows(2).zip(record.moves()) {
        let list = pair[0].legal_moves();
        assert!(list.contains(mv) && pair[0].play(*mv) == pair[1]);
    }
    assert_eq!(record.to_string().parse(), Ok(record));
}
