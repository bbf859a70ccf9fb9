//! A position that is read from PDN is written so that it is read again as the same.
#![no_main]

use kingline::checkers::{Position, pdn};
use kingline::game::{Game, MoveList};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = text.parse::<Position>() else { return };
    assert_eq!(position.to_string().parse(), Ok(position));
    let mut list = MoveList::new();
    position.moves(&mut list);
    for &mv in list.iter() {
        assert_eq!(pdn::read_move(&position, &position.notation(mv).to_string()), Ok(mv));
    }
});
