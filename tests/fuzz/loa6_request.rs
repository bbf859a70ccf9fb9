//! Every request of `loa6` round-trips, and so does each of its legal moves as an answer.
#![no_main]

use kingline::game::Game;
use kingline_players::protocol::request::{Request, read_answer, write_answer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(request) = Request::read(bytes) else { return };
    assert_eq!(Request::read(request.to_string().as_bytes()).ok(), Some(request));
    let Request::Move { position, .. } = request else { return };
    let list = position.legal_moves();
    for &mv in list.iter() {
        assert_eq!(read_answer(&write_answer(mv), &position), Ok(mv));
        assert_eq!(position.play(mv).turn(), !position.turn());
    }
});
