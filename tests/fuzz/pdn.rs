//! Every game and position read from PDN round-trips.
#![no_main]

use kingline::checkers::{Position, pdn};
use kingline::game::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let records: Vec<pdn::Record> = pdn::games(text).flatten().collect();
    let written: String = records.iter().map(ToString::to_string).collect();
    assert_eq!(pdn::games(&written).collect::<Result<Vec<_>, _>>(), Ok(records));
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse(), Ok(position));
    let list = position.legal_moves();
    for &mv in list.iter() {
        assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv));
    }
});
