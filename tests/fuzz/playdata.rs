//! Every game read from playdata.txt leads to the board by legal turns.
#![no_main]

use kingline::checkers::Position;
use kingline::game::Game;
use kingline_players::protocol::turn_files::Playdata;
use libfuzzer_sys::fuzz_target;

/// Splits off the first line, which contains the board in PDN.
fn split(text: &str) -> Option<(Position, &str)> {
    let (board, playdata) = text.split_once('\n')?;
    Some((board.parse().ok()?, playdata))
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Some((board, playdata)) = split(&text) else { return };
    let Ok(known) = Playdata::parse(playdata, board) else { return };
    assert_eq!(known.history.position(), board);
    assert_eq!(usize::from(known.history.quiet_turns()) + 1, known.history.positions().len());
    for pair in known.history.positions().windows(2) {
        let list = pair[0].legal_moves();
        assert!(list.iter().any(|&mv| pair[0].play(mv) == pair[1]));
    }
});
