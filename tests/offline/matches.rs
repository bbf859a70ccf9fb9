//! `calibrate match` with a sequential test.

use std::process::Command;

use serde_json::Value;

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;

const STRONG: &str = "{\"nodes\": 300}";
const WEAK: &str = "{\"nodes\": 50}";

fn play(arguments: &[&str]) -> Ran {
    Dir::new().run_command(Command::new(Program::Calibrate.path()).arg("match").args(arguments))
}

/// Returns the object that a match prints, without the fields that depend on the clock.
fn figures(arguments: &[&str]) -> Value {
    let ran = play(&[arguments, &["--json"]].concat());
    let mut figures: Value = serde_json::from_str(&ran.exits_with(0).stdout).expect("JSON");
    for field in ["seconds", "most_seconds"] {
        assert!(figures[field].take()[1].is_f64(), "{ran:#?}");
    }
    // Also depends on the clock: a draw goes to the player with more time left.
    assert!(figures["course"].take().is_f64(), "{ran:#?}");
    figures
}

#[test]
fn a_match_ends_once_the_test_is_sure_on_any_number_of_threads() {
    let arguments = [STRONG, WEAK, "--sprt", "0,100", "--openings", "60"];
    let figures = ["1", "3"].map(|threads| figures(&[&arguments[..], &["--threads", threads]].concat()));
    let [alone, _] = &figures;
    assert_eq!(alone, &figures[1]);
    let pairs: Vec<u64> = serde_json::from_value(alone["pairs"].clone()).expect("numbers of pairs");
    let count: u64 = pairs.iter().sum();
    assert!(pairs.len() == 5 && (10..60).contains(&count), "{alone}");
    assert_eq!(alone["games"], 2 * count, "{alone}");
    let points: f64 = pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(&pairs, share)| pairs as f64 * share).sum();
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!((number(&alone["points"]) - points / count as f64).abs() < 1e-9, "{alone}");
    assert!(number(&alone["elo"]["difference"]) > 100.0 && number(&alone["elo"]["error"]) > 0.0, "{alone}");
    let sprt = &alone["sprt"];
    assert_eq!(sprt["verdict"], "H1", "{alone}");
    assert!(number(&sprt["llr"]) >= number(&sprt["bounds"][1]), "{alone}");
    assert!((number(&sprt["bounds"][1]) - 19f64.ln()).abs() < 1e-9, "{alone}");
}

#[test]
fn the_weaker_player_loses_the_test_and_few_games_decide_nothing() {
    for (game, players, test, openings, verdict) in [
        ("checkers", [WEAK, STRONG], "0,100", "60", "H0 accepted after "),
        ("checkers", [STRONG, STRONG], "-5,0", "4", ": undecided after 4 pairs"),
        ("loa6", [WEAK, WEAK], "0,5", "3", ": undecided after 3 pairs"),
    ] {
        let ran = play(&[players[0], players[1], "--game", game, "--sprt", test, "--openings", openings]);
        let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
        assert!(lines[1].starts_with("pairs of 0 0.5 1 1.5 2 points: ") && lines[1].contains("  Elo "), "{lines:?}");
        let (elo0, elo1) = test.split_once(',').expect("two numbers");
        assert!(lines[4].starts_with(&format!("SPRT of {elo0} against {elo1} Elo: LLR ")), "{lines:?}");
        assert!(lines[4].contains(", bounds -2.94 and 2.94: ") && lines[4].contains(verdict), "{lines:?}");
    }
}

#[test]
fn figures_without_a_test_have_no_verdict() {
    let figures = figures(&[WEAK, WEAK, "--openings", "2"]);
    assert!(figures["sprt"].is_null() && figures["games"] == 4, "{figures}");
}

#[test]
fn wrong_tests_are_bad_usage() {
    for (arguments, message) in [
        (&["--sprt", "10,0"][..], "expected two numbers from -1000 to 1000, the smaller first, like 0,10"),
        (&["--sprt", "5,5"], "the smaller first"),
        (&["--sprt", "5"], "the smaller first"),
        (&["--sprt", "0,5", "--alpha", "0"], "expected a number above 0 and below 0.5"),
        (&["--sprt", "0,5", "--beta", "0.5"], "expected a number above 0 and below 0.5"),
        (&["--alpha", "0.1"], "--sprt"),
    ] {
        play(&[&[WEAK, WEAK], arguments].concat()).exits_with(2).stderr_contains(&[message]);
    }
}
