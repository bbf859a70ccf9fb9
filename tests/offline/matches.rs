//! `calibrate match`: its sequential test, other programs as players, its record and its openings.

use std::path::Path;
use std::process::Command;

use kingline::checkers::Position;
use kingline::evaluate::checkers::Evaluation;
use kingline::search::{Limits, Searcher};
use serde_json::Value;

use super::{REFUSED, rows};
use crate::support::command::*;

const STRONG: &str = "{\"nodes\": 300}";
const WEAK: &str = "{\"nodes\": 100}";

pub(super) fn play(arguments: &[&str]) -> Ran {
    Dir::new().calibrate(&[&["match"], arguments].concat())
}

/// Returns the object that a match prints, without the fields that depend on the clock.
fn figures(arguments: &[&str]) -> Value {
    let ran = play(&[arguments, &["--json"]].concat());
    let mut figures: Value = ran.exits_with(0).json();
    for field in ["seconds", "most_seconds", "seconds_per_move"] {
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
    for [arguments, message] in rows(REFUSED, "sequential tests") {
        play(&[&[WEAK, WEAK], &*arguments.words()].concat()).exits_with(2).stderr_contains(&[message]);
    }
}

#[test]
fn players_with_threads_play_by_wall_time() {
    for (game, time) in [("checkers", "\"per_move\": 0.01"), ("loa", "\"seconds\": 0.02")] {
        let [two, one] = [format!("{{{time}, \"threads\": 2}}"), format!("{{{time}}}")];
        let found = figures(&[&two, &one, "--game", game, "--openings", "1", "--threads", "1"]);
        assert_eq!(found["games"], 2, "{found}");
    }
}

#[test]
fn wrong_threads_of_a_player_are_bad_input() {
    let homework = program(Program::Homework.path(), "\"per_move\": 0.1");
    for [game, player, other, message] in rows(REFUSED, "threads of a player") {
        let other = if other == "homework" { &homework } else { other };
        let ran = play(&[player, other, "--game", game, "--openings", "1"]);
        assert_eq!(ran.exits_with(2).stderr_contains(&[message]).stdout, "");
    }
}

/// Returns the JSON of a player that is a program.
fn program(path: &Path, more: &str) -> String {
    format!("{{\"program\": {path:?}, {more}}}")
}

/// Runs a match with its temporary folders in an own one, and checks that none is left.
fn play_with_folders(dir: &Dir, arguments: &[&str]) -> Ran {
    dir.make_dir("folders");
    let mut command = Command::new(Program::Calibrate.path());
    let ran = dir.run_command(command.arg("match").args(arguments).env("TMPDIR", dir.path("folders")));
    assert_eq!(dir.names_in("folders"), [""; 0]);
    std::fs::remove_dir(dir.path("folders")).expect("an empty folder");
    ran
}

#[test]
fn other_programs_play_by_turn_files_and_by_commands() {
    let dir = Dir::new();
    for (game, path, time, other) in [
        ("checkers", Program::Homework.path(), "\"per_move\": 0.006", "{\"per_move\": 0.006}"),
        ("checkers", Program::Homework.path(), "\"seconds\": 1.5, \"frugality\": 0.5", "{\"nodes\": 1}"),
        ("loa", Program::Loa.path(), "\"seconds\": 0.03", "{\"nodes\": 1}"),
    ] {
        let player = program(path, time);
        for players in [[&*player, other], [other, &*player]] {
            let place = usize::from(players[0] == other);
            let ran = play_with_folders(&dir, &[&players[..], &["--game", game, "--openings", "1", "--json"]].concat());
            let figures: Value = ran.exits_with(0).json();
            assert_eq!(figures["games"], 2, "{figures}");
            let seconds = figures["seconds_per_move"][place].as_f64().expect("a number");
            assert!((0.0003..0.05).contains(&seconds), "{figures}");
            if other.contains("nodes") {
                assert!(figures["wins"] == 2 * (1 - place) || figures["losses"] == 2 * place, "{figures}");
            }
        }
    }
}

#[test]
fn a_program_that_takes_too_long_loses_on_time() {
    let dir = Dir::new();
    let (homework, burn) = (Program::Homework.path(), "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done");
    dir.write_program("slow", &format!("#!/bin/sh\n{burn}\nexec {homework:?}\n"));
    let slow = program(&dir.path("slow"), "\"per_move\": 0.01");
    let ran = play_with_folders(&dir, &[&slow, "{\"per_move\": 0.01}", "--openings", "1", "--json"]);
    let figures: Value = ran.exits_with(0).json();
    assert_eq!((&figures["losses"], &figures["late"]), (&2.into(), &serde_json::json!([2, 0])), "{figures}");
}

#[test]
fn a_program_that_crashes_or_errs_ends_the_match_with_the_game_and_the_reason() {
    let dir = Dir::new();
    for [game, text, message] in rows(REFUSED, "programs that fail in a match") {
        dir.write_program("broken", &format!("#!/bin/sh\n{text}\n"));
        let broken = program(&dir.path("broken"), "\"seconds\": 1");
        let arguments = [&*broken, "{\"nodes\": 9}", "--game", game, "--openings", "1", "--threads", "1"];
        let ran = play_with_folders(&dir, &arguments);
        ran.exits_with(1).stderr_contains(&["calibrate: game 1 from ", " 1 of the first player, ", message]);
        ran.stderr_contains(&["last line on standard error: no luck"]);
    }
    let text = program(&dir.path("none"), "\"seconds\": 1");
    play(&[&text, "{}"]).exits_with(2).stderr_contains(&["cannot find the program ", "help: "]);
    let text = program(&dir.path(""), "\"seconds\": 1");
    play(&[&text, "{}"]).exits_with(2).stderr_contains(&["is not a program"]);
    dir.write("text", "");
    let text = program(&dir.path("text"), "\"seconds\": 1");
    play(&[&text, "{}", "--openings", "1"]).exits_with(1).stderr_contains(&["cannot run "]);
}

#[test]
fn fields_that_do_not_fit_a_program_are_refused() {
    let homework = Program::Homework.path();
    for [game, more, message] in rows(REFUSED, "fields beside a program") {
        let player = program(homework, more);
        play(&[&player, "{}", "--game", game, "--openings", "1"]).exits_with(2).stderr_contains(&[message]);
    }
    play(&["{\"arguments\": [\"-v\"]}", "{}"]).exits_with(2).stderr_contains(&["expected a program beside them"]);
}

#[test]
fn an_interrupted_match_continues_from_its_record() {
    let dir = Dir::new();
    let run = |arguments: &[&str]| dir.calibrate(&[&["match", STRONG, WEAK, "--json"], arguments].concat());
    let points = |ran: &Ran| {
        let figures: Value = ran.exits_with(0).json();
        (figures["games"].clone(), figures["pairs"].clone())
    };
    let whole = points(&run(&["--openings", "6"]));
    let record = ["--record", "games", "--openings"];
    run(&[&record[..], &["3"]].concat()).exits_with(0);
    let text = dir.text("games");
    assert_eq!(text.lines().count(), 7, "{text}");
    // A killed run leaves half a line.
    dir.write("games", &text[..text.len() - 9]);
    assert_eq!(points(&run(&[&record[..], &["6"]].concat())), whole);
    let text = dir.text("games");
    assert_eq!(text.lines().count(), 13, "{text}");
    // Nothing is left to play.
    assert_eq!(points(&run(&[&record[..], &["6"]].concat())), whole);
    assert_eq!(dir.text("games"), text);
    for (more, message) in
        [(&["--seed", "2"][..], "its seed is 1, expected 2"), (&["--level", "1"], "its level is null, expected 1.0")]
    {
        run(&[&record[..], &["6"], more].concat()).exits_with(2).stderr_contains(&["another match", message, "help: "]);
    }
    dir.write("games", text.replace("\"opening\":\"B:", "\"opening\":\"W:"));
    run(&[&record[..], &["6"]].concat()).exits_with(2).stderr_contains(&["has another opening than this match"]);
    dir.write("notes", "my only copy");
    run(&["--record", "notes"])
        .exits_with(2)
        .stderr_contains(&["found something else, expected the record of a match"]);
}

#[test]
fn level_openings_are_level_by_the_search_of_both_players() {
    let dir = Dir::new();
    dir.calibrate(&["match", WEAK, WEAK, "--openings", "5", "--level", "0.1", "--record", "games"]).exits_with(0);
    let text = dir.text("games");
    for row in text.lines().skip(1) {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let opening: Position = row["opening"].as_str().expect("an opening").parse().expect("a position");
        let mut searcher = Searcher::new(Evaluation::default()).with_table_limit(1 << 20);
        let score = searcher.search(opening, Limits::nodes(20_000), &mut ()).score.value();
        assert!(score.abs() <= 10, "{opening}: {score}");
    }
    for game in ["checkers", "loa"] {
        play(&[WEAK, WEAK, "--game", game, "--openings", "2", "--level", "0.5"]).exits_with(0);
        play(&[WEAK, WEAK, "--game", game, "--level", "0"]).exits_with(2).stderr_contains(&["above 0 and at most 100"]);
    }
}
