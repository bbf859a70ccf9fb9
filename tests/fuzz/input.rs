//! Every request read from input.txt can be played and round-trips.
#![no_main]

use kingline::checkers::{Diagram, Route};
use kingline::game::{Color, Game};
use kingline_players::protocol::turn_files::{Mode, TurnRequest, read_answer, write_answer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Ok(request) = TurnRequest::recover(&text) else { return assert!(TurnRequest::parse(&text).is_err()) };
    let position = request.position;
    let list = position.legal_moves();
    for &mv in list.iter() {
        assert_eq!(read_answer(&write_answer(&Route::of(&position, mv)), &position), Ok(mv));
        assert_eq!(position.play(mv).turn(), !position.turn());
    }
    let mode = if request.mode == Mode::Single { "SINGLE" } else { "GAME" };
    let turn = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
    // A time below a nanosecond is read as 0, and 0 cannot be written.
    let left = request.left.as_secs_f64().max(1e-12);
    let written = format!("{mode}\n{turn}\n{left:?}\n{}", Diagram(&position));
    let warnings = TurnRequest::parse(&written).map(|request| request.warnings).unwrap_or_default();
    assert_eq!(TurnRequest::parse(&written), Ok(TurnRequest { warnings, ..request }));
});
