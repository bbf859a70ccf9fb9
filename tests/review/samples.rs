//! The puzzles in samples/puzzles.

use serde_json::Value;

use crate::support::command::Dir;
use crate::support::programs::{Program, root};

#[test]
fn the_sample_puzzles_end_in_certain_wins() {
    for name in ["checkers.pdn", "loa.sgf", "loa6.sgf"] {
        let path = root().join("samples/puzzles").join(name);
        let arguments = ["--seconds", "0.001", "--format", "json", path.to_str().expect("a plain path")];
        let ran = Dir::new().run_with_args(Program::Review, &arguments);
        let reviewed: Value = serde_json::from_str(&ran.exits_with(0).stdout).expect("JSON");
        let puzzles = reviewed["games"].as_array().expect("games");
        assert_eq!(puzzles.len(), 50, "{name}");
        for puzzle in puzzles {
            let moves = puzzle["moves"].as_array().expect("moves");
            let [first, .., last] = &moves[..] else { panic!("{name}: {moves:?}") };
            assert!((5..=10).contains(&moves.len()), "{name}: {moves:?}");
            // The player who begins wins, whoever makes the last move.
            let chances = if last["side"] == first["side"] { 1.0 } else { 0.0 };
            assert_eq!(last["after"]["chances"], chances, "{name}: {moves:?}");
            assert!(!last["after"]["exact"].is_null(), "{name}: {moves:?}");
        }
    }
}
