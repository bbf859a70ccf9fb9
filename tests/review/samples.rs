//! The puzzles in samples/puzzles.

use serde_json::Value;

use crate::support::command::*;
use crate::support::json::list;

#[test]
fn the_sample_puzzles_end_in_certain_wins() {
    for name in ["checkers.pdn", "loa.sgf", "loa6.sgf"] {
        let path = root().join("samples/puzzles").join(name);
        let ran = Dir::new().review(&format!("--seconds 0.001 --format json {}", path.display()));
        let reviewed: Value = ran.exits_with(0).json();
        let puzzles = list(&reviewed["games"]);
        assert_eq!(puzzles.len(), 50, "{name}");
        for puzzle in puzzles {
            let moves = list(&puzzle["moves"]);
            let [first, .., last] = moves else { panic!("{name}: {moves:?}") };
            assert!((5..=10).contains(&moves.len()), "{name}: {moves:?}");
            // The player who begins wins, whoever makes the last move.
            let chances = if last["side"] == first["side"] { 1.0 } else { 0.0 };
            assert_eq!(last["after"]["chances"], chances, "{name}: {moves:?}");
            assert!(!last["after"]["exact"].is_null(), "{name}: {moves:?}");
        }
    }
}
