//! `calibrate tune`: its results, its folder, and errors in its input.

use serde_json::Value;

use super::{REFUSED, rows};
use crate::support::command::*;

const NUMBERS: &str = r#"{"params.prob_cut.margin": {"min": 0, "max": 100, "step": 8},
    "params.late_move_reduction.divisor": {"begin": 2.5, "min": 0.5, "max": 5, "step": 0.3}}"#;

fn tune(dir: &Dir, arguments: &[&str]) -> Ran {
    dir.calibrate(&[&["tune", "checkers", "numbers.json", "--folder", "tuned"], arguments].concat())
}

const FEW: [&str; 6] = ["--player", "{\"nodes\": 30}", "--pairs", "40", "--openings", "2"];

/// Takes the fields that depend on the clock out of a result.
fn without_clock(mut result: Value) -> Value {
    for field in ["seconds", "most_seconds", "seconds_per_move", "course"] {
        result["match"][field].take();
    }
    result
}

#[test]
fn an_interrupted_run_continues_and_ends_with_the_same_numbers() {
    let dir = Dir::new().with("numbers.json", NUMBERS);
    let run = |more: &[&str]| tune(&dir, &[&FEW[..], &["--json"], more].concat()).exits_with(0).json();
    let whole = without_clock(run(&["--threads", "1"]));
    assert_eq!((&whole["pairs"], &whole["match"]["games"]), (&40.into(), &4.into()), "{whole}");
    let margin = &whole["numbers"]["params.prob_cut.margin"];
    assert!(margin["begin"] == 25.0 && (0.0..=100.0).contains(&margin["end"].as_f64().expect("a number")), "{whole}");
    assert_eq!(whole["player"]["params"]["prob_cut"]["margin"].as_f64(), margin["end"].as_f64(), "{whole}");
    let plot = dir.text("tuned/numbers.svg");
    assert!(plot.contains("params.prob_cut.margin: 25 to ") && plot.ends_with("</svg>\n"), "{plot}");
    // A killed run leaves some batches and half a line.
    let text = dir.text("tuned/games.jsonl");
    assert_eq!(text.lines().count(), 4, "{text}");
    let rows: usize = text.lines().take(2).map(|line| line.len() + 1).sum();
    dir.write("tuned/games.jsonl", &text[..rows + 9]);
    dir.delete("tuned/match.jsonl");
    assert_eq!(without_clock(run(&["--threads", "3"])), whole);
    assert_eq!(dir.read("tuned/games.jsonl").as_ref(), Some(&text));
    // The tuned player can be pasted into a match.
    let player = whole["player"].to_string();
    dir.calibrate(&["match", &player, "{\"nodes\": 30}", "--openings", "1"]).exits_with(0);
}

#[test]
fn the_folder_of_another_run_is_refused_or_begun_anew() {
    let dir = Dir::new().with("numbers.json", NUMBERS);
    tune(&dir, &FEW).exits_with(0);
    let text = dir.text("tuned/games.jsonl");
    let refused = |more: &[&str], message: &str| {
        let ran = tune(&dir, &[&FEW[..], more].concat());
        ran.exits_with(2).stderr_contains(&["games.jsonl belongs to another tuning run: ", message, "--anew"]);
    };
    refused(&["--seed", "2"], "its seed is 1, expected 2");
    dir.write("tuned/games.jsonl", text.replace("\"engine\":", "\"engine\":1"));
    refused(&[], "its engine is ");
    dir.write("tuned/games.jsonl", text.replace("\"version\":\"", "\"version\":\"0."));
    refused(&[], "its version is \"0.");
    tune(&dir, &[&FEW[..], &["--anew"]].concat()).exits_with(0);
    assert_eq!(dir.read("tuned/games.jsonl"), Some(text));
    dir.write("tuned/match.jsonl", "my only copy");
    let ran = tune(&dir, &[&FEW[..], &["--anew"]].concat());
    ran.exits_with(2).stderr_contains(&["match.jsonl", "found something else"]);
    assert_eq!(dir.read("tuned/match.jsonl").as_deref(), Some("my only copy"));
}

#[test]
fn wrong_numbers_and_players_are_bad_input() {
    let dir = Dir::new();
    tune(&dir, &[]).exits_with(2).stderr_contains(&["cannot read numbers.json"]);
    for [numbers, player, message] in rows(REFUSED, "numbers and players of tune") {
        dir.write("numbers.json", if numbers == "usual" { NUMBERS } else { numbers });
        tune(&dir, &["--player", player]).exits_with(2).stderr_contains(&[message]);
        assert_eq!(dir.names(), ["numbers.json"], "nothing is written");
    }
    dir.write("numbers.json", NUMBERS);
    dir.run_rows(Program::Calibrate, REFUSED, "tune");
}

/// The solver's share, set to 0.7 on purpose, comes back within 20 % of its bounds in 1,200 games at 1,000 nodes, and the
/// tuned player wins. Takes about a minute.
#[test]
#[ignore = "takes minutes"]
fn a_number_set_wrong_comes_back() {
    let dir =
        Dir::new().with("numbers.json", r#"{"settings.solver": {"begin": 0.7, "min": 0, "max": 1, "step": 0.1}}"#);
    let words = "tune loa numbers.json --folder tuned --pairs 600 --rate 0.03 --openings 100 --json";
    let result: Value = dir.calibrate(words).exits_with(0).json();
    let share = result["numbers"]["settings.solver"]["end"].as_f64().expect("a number");
    assert!((share - 0.05).abs() < 0.2, "{result}");
    assert!(result["match"]["points"].as_f64().expect("a share") > 0.65, "{result}");
}
