//! A position that is read from PDN is written so that it is read again as the same.
#![no_main]

use kingline::checkers::{Position, pdn};
use kingline::game::{Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse(), Ok(position));
    let list = position.legal_moves();
    for &mv in list.iter() {
        assert_eq!(position.parse_move(&position.notation(mv).to_string()), Ok(mv));
    }
});
