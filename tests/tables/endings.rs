//! Endings against a perfect opponent: the agent makes no mistakes, and the report shows those of a random player.

use kingline::checkers::Position;
use kingline::game::{DrawReason, Ending, Game, History, Progress};
use serde_json::Value;

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;

/// Runs `calibrate endings`. Returns the run and its report.
fn played(arguments: &[&str]) -> (Ran, Value) {
    let ran = Dir::new().run_with_input(Program::Calibrate, &[&["endings", "--json"], arguments].concat(), "");
    let report = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    (ran, report)
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text"))
}

#[test]
fn won_endings_are_won_and_drawn_ones_drawn() {
    for (pieces, games) in [("3", "200"), ("4", "300")] {
        let (ran, report) = played(&["--pieces", pieces, "--games", games]);
        ran.exits_with(0);
        let count = |kind: &str, name: &str| report["report"][kind][name].as_u64().expect("a count");
        let games: u64 = games.parse().expect("a number");
        for kind in ["won", "drawn"] {
            assert_eq!((count(kind, "games"), count(kind, "failures")), (games, 0), "{report}");
            assert_eq!(count(kind, "by_search"), 0, "{report}");
            assert!(count(kind, "by_tables") > games, "{report}");
        }
        assert_eq!((count("won", "won"), count("drawn", "won")), (games, 0), "{report}");
        assert_eq!(count("drawn", "most_quiet_turns"), 50, "{report}");
        assert!(count("drawn", "by_count") > 0, "{report}");
        assert_eq!(report["failures"], Value::Array(Vec::new()));
    }
}

/// Replays every reported failure by the rules.
#[test]
fn random_play_fails_and_each_failure_is_printed_in_full() {
    let (ran, report) = played(&["--pieces", "3", "--games", "100", "--player", "random"]);
    ran.exits_with(1).stderr_contains(&["games ended with a wrong result"]);
    let failures = report["failures"].as_array().expect("a list");
    let mut drawn = Vec::new();
    for failure in failures {
        let mut game = History::new(failure["first"].as_str().expect("PDN").parse::<Position>().expect("a position"));
        for text in texts(&failure["history"]) {
            let mv = game.position().parse_move(text).expect("a legal turn");
            assert_ne!(game.position().progress(mv), Progress::Zeroing, "{failure}");
            game.play(mv);
            assert_eq!((game.ending(), game.occurrences()), (None, 1), "{failure}");
        }
        let start = game.position();
        assert_eq!(failure["position"], start.to_string());
        for text in texts(&failure["moves"]) {
            assert_eq!(game.ending(), None, "{failure}");
            game.play(game.position().parse_move(text).expect("a legal turn"));
        }
        let won = failure["kind"] == "won";
        assert!(!won || failure["value"].as_str().expect("a value").starts_with("won"), "{failure}");
        match game.ending() {
            Some(Ending::Win(winner)) => assert!(winner != start.turn() && failure["problem"] == "lost", "{failure}"),
            Some(Ending::Draw(reason)) => {
                assert!(won && failure["problem"] == format!("drawn by {reason}"), "{failure}");
                drawn.push(reason);
            }
            None => panic!("the game is not over: {failure}"),
        }
    }
    assert!(drawn.contains(&DrawReason::QuietTurns) && drawn.contains(&DrawReason::Repetition), "{drawn:?}");
    let printed = |kind: &str| failures.iter().filter(|failure| failure["kind"] == kind).count();
    for kind in ["won", "drawn"] {
        assert_eq!(report["report"][kind]["failures"], printed(kind), "{ran:#?}");
        assert!(printed(kind) > 10, "{ran:#?}");
    }
}

#[test]
fn equal_seeds_play_equal_games_on_any_number_of_threads() {
    let play = |seed, threads| {
        let arguments = ["--pieces", "3", "--games", "20", "--player", "random", "--seed", seed, "--threads", threads];
        played(&arguments).1["failures"].clone()
    };
    assert_eq!(play("7", "1"), play("7", "2"));
    assert_ne!(play("7", "1"), play("8", "1"));
}

#[test]
fn the_report_has_a_row_for_each_count() {
    let arguments = ["endings", "--pieces", "2", "--games", "3", "--player", "random"];
    let ran = Dir::new().run_with_input(Program::Calibrate, &arguments, "");
    let start = ran.stdout.lines().position(|line| line.contains("from won")).expect("a table");
    let table: Vec<&str> = ran.stdout.lines().skip(start).collect();
    assert_eq!(table.len(), 13, "{ran:#?}");
    assert!(table[1].starts_with("games ") && table[1].ends_with("           3            3"), "{ran:#?}");
    let failures = ran.stdout.lines().take(start).filter(|line| line.contains(" position ")).count();
    assert_eq!(4 * failures, start, "a failure takes four lines: {ran:#?}");
    assert_eq!(ran.code, Some(i32::from(failures > 0)), "{ran:#?}");
}

#[test]
fn bad_usage_is_refused() {
    for (arguments, expected) in [
        (["--pieces", "6"], "2..=5"),
        (["--games", "0"], "--games"),
        (["--threads", "0"], "--threads"),
        (["--player", "nobody"], "nobody"),
    ] {
        let ran = Dir::new().run_with_input(Program::Calibrate, &[&["endings"], &arguments[..]].concat(), "");
        ran.exits_with(2).stderr_contains(&[expected]);
    }
}
