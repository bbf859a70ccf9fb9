//! `calibrate solve`: proofs for small Lines of Action boards, and their verification.

use std::fs;

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;

fn solve(dir: &Dir, arguments: &[&str]) -> Ran {
    dir.run_with_args(Program::Calibrate, &[&["solve"], arguments].concat())
}

/// Returns a directory with the complete strategy for 5x5 in `whole`.
fn solved() -> Dir {
    let dir = Dir::new();
    solve(&dir, &["--board", "5", "--store", "store", "--strategy", "whole"]).exits_with(0);
    dir
}

#[test]
fn the_first_player_wins_on_four_and_on_five_columns() {
    // The length of the win is that of the first proof found, which depends on the evaluation.
    for (board, most) in [("4", 3), ("5", 30)] {
        let dir = Dir::new();
        let plies = |ran: &Ran| -> Option<u16> {
            let (_, rest) = ran.stdout.split_once("black: the side to move wins, in at most ")?;
            rest.split_once(" plies")?.0.parse().ok()
        };
        let ran = solve(&dir, &["--board", board, "--store", "store", "--strategy", "whole"]);
        let proved = plies(ran.exits_with(0)).unwrap_or_else(|| panic!("{ran:#?}"));
        assert!(proved <= most, "{ran:#?}");
        let ran = solve(&dir, &["--board", board, "--verify", "whole"]);
        assert_eq!(plies(ran.exits_with(0)), Some(proved), "{ran:#?}");
        assert!(ran.stdout.contains(": 0 failures"), "{ran:#?}");
    }
}

#[test]
fn a_killed_run_continues_and_a_later_one_adds_nothing() {
    let dir = solved();
    let whole = fs::read(dir.path("store")).expect("a store");
    let strategy = fs::read(dir.path("whole")).expect("a strategy");
    let again = solve(&dir, &["--board", "5", "--store", "store", "--strategy", "again"]);
    again.exits_with(0);
    assert_eq!(fs::read(dir.path("store")).expect("a store"), whole, "nothing was added");
    assert_eq!(fs::read(dir.path("again")).expect("a strategy"), strategy);
    // A run that is killed while writing leaves part of a batch.
    for kept in [whole.len() - 1, whole.len() / 2, 30] {
        dir.write("store", &whole[..kept]);
        let ran = solve(&dir, &["--board", "5", "--store", "store", "--strategy", "again"]);
        assert!(ran.exits_with(0).stdout.contains("the side to move wins"), "{ran:#?}");
        ran.stderr_contains(&["store: removed the last ", " bytes, an incomplete batch"]);
        solve(&dir, &["--board", "5", "--verify", "again"]).exits_with(0);
    }
}

#[test]
fn a_strategy_that_is_cut_or_altered_is_refused() {
    let dir = solved();
    let whole = fs::read(dir.path("whole")).expect("a strategy");
    let refused = |bytes: &[u8], message: &str| {
        dir.write("spoiled", bytes);
        let ran = solve(&dir, &["--board", "5", "--verify", "spoiled"]);
        ran.exits_with(1).stderr_contains(&["calibrate: ", message]);
    };
    refused(&whole[..whole.len() - 1], "positions with forms of 7");
    refused(&[&whole[..], b"x"].concat(), "positions with forms of 7");
    refused(b"", "found something else, expected a strategy");
    let mut altered = whole.clone();
    *altered.last_mut().expect("a byte") ^= 1;
    refused(&altered, "the recorded one");
    solve(&dir, &["--verify", "whole"]).exits_with(1).stderr_contains(&["for \"loa5\", expected one for \"loa6\""]);
    let ran = solve(&dir, &["--board", "5", "--cut", "whole", "--output", "cut"]);
    ran.exits_with(1).stderr_contains(&["only the 6x6 strategy can be cut"]);
}

#[test]
fn a_side_without_a_win_is_reported() {
    let dir = Dir::new();
    let arguments = ["--board", "4", "--store", "store", "--strategy", "whole", "--after"];
    let ran = solve(&dir, &[&arguments[..], &["b1-b3"]].concat());
    ran.exits_with(1)
        .stderr_contains(&["found no win for the side to move, or only one that repeats a position: -bb-/wb-w"]);
    assert_eq!(dir.names(), ["store"]);
    let ran = solve(&dir, &[&arguments[..], &["b1-d1"]].concat());
    assert!(ran.exits_with(0).stdout.contains(" white: the side to move wins, in at most 3 plies"), "{ran:#?}");
    // The second player's strategy does not cover the start.
    let ran = solve(&dir, &["--board", "4", "--verify", "whole"]);
    ran.exits_with(1).stderr_contains(&["the strategy is wrong: 1 failures"]);
    assert!(ran.stdout.contains("no move leads to a lost position"), "{ran:#?}");
}

#[test]
fn bad_usage_is_reported() {
    let dir = Dir::new().with("notes", "mine\n");
    let wrong = [
        (&["--store", "notes"][..], 1, "found \"mine\", expected \"kingline solve 1 loa6\""),
        (&["--store", "nowhere/store"], 1, "cannot open nowhere/store"),
        (&["--verify", "nowhere"], 1, "cannot read nowhere"),
        (&["--store", "store", "--after", "b1-b9"], 1, "b1-b9"),
        (&["--store", "store", "--board", "7"], 2, "7"),
        (&[], 2, "--store"),
        (&["--cut", "notes"], 2, "--output"),
    ];
    for (arguments, code, message) in wrong {
        solve(&dir, arguments).exits_with(code).stderr_contains(&[message]);
    }
    assert_eq!(dir.read("notes").as_deref(), Some("mine\n"));
}
