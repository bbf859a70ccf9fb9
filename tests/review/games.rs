//! `review` with real files: its formats, and games that are broken or not played here.

use serde_json::Value;

use crate::support::command::*;
use crate::support::json::list;
use crate::support::programs::{Program, python_with};

/// A game in which White gives a piece away and loses.
const LOST: &str = include_str!("../data/lost-game.pdn");
/// White can win by the tables, but gives both kings away.
const ENDING: &str = "[SetUp \"1\"]\n[FEN \"W:WK15,K10:BK2\"]\n\n1... 10-7 *\n";

fn json(dir: &Dir, arguments: &[&str]) -> Value {
    dir.review(&[arguments, &["--format", "json", "--seconds", "0.01"]].concat()).json()
}

#[test]
fn a_lost_game_has_its_turning_point_with_a_better_move() {
    let dir = Dir::new().with("game.pdn", LOST);
    let ran = dir.review("game.pdn --seconds 0.02");
    let out = &ran.exits_with(0).stdout;
    assert!(out.starts_with("Bo - Anna, checkers, 1-0\n\n                    Black\n1.    11-15"), "{out}");
    assert!(out.contains("Turning point: 5... 25-22 decided the game. White: "), "{out}");
    assert!(out.contains("      better 25-21 ") && out.contains("\n  8  . b . b . b . b\n"), "{out}");
    assert_eq!(ran.stderr, "", "no progress without a terminal");
}

#[test]
fn reviews_are_equal_with_any_number_of_threads() {
    let dir = Dir::new().with("game.pdn", LOST);
    let with =
        |threads| dir.review(&["game.pdn", "--seconds", "0.01", "--format", "json", "--threads", threads]).stdout;
    assert_eq!(with("1"), with("3"));
}

#[test]
fn tables_are_exact() {
    let dir = Dir::new().with("ending.pdn", ENDING);
    let all = json(&dir, &["ending.pdn"]);
    let mv = &all["games"][0]["moves"][0];
    assert_eq!((&mv["before"]["chances"], &mv["after"]["exact"]["lost_in"]), (&1.0.into(), &1.into()), "{mv}");
    assert!(mv["before"]["exact"]["won"].is_u64() && mv["before"]["score"].is_null(), "{mv}");
    assert_eq!((&mv["mark"], &mv["reply"][0]), (&"blunder".into(), &"2x18".into()), "{mv}");
}

#[test]
fn squares_have_numbers_or_letters() {
    let dir = Dir::new().with("game.pdn", LOST);
    let first = |names| json(&dir, &["game.pdn", "--squares", names])["games"][0]["moves"][0].clone();
    assert_eq!((&first("numbers")["mv"], &first("letters")["mv"]), (&"11-15".into(), &"f6-e5".into()));
    assert_eq!(first("numbers")["path"], "f6-e5");
}

#[test]
fn the_other_games_of_a_file_are_reviewed() {
    let broken = "[White \"x\"]\n1. 11-15 23-19 2. 1-2 *\n";
    let russian = "[GameType \"25\"]\n1. c3-d4 *\n";
    let dir = Dir::new().with("games.pdn", format!("{broken}\n{russian}\n[Result \"*\"]\n*\n\n{LOST}"));
    let ran = dir.review("games.pdn --seconds 0.001 --format json");
    ran.exits_with(2).stderr_contains(&[
        "review: games.pdn, game 1: line 2: found \"1-2\", expected a legal move: ",
        "; reviewed up to there\n",
        "review: games.pdn, game 2: line 4: found \"25 (Russian draughts)\", expected game type 21, American checkers\n",
    ]);
    let all: Value = ran.json();
    let moves: Vec<usize> = list(&all["games"]).iter().map(|game| list(&game["moves"]).len()).collect();
    assert_eq!(moves, [2, 0, 10]);
    assert!(all["games"][0]["broken"].as_str().is_some_and(|text| text.contains("1-2")), "{all}");
    assert_eq!(all["refused"].as_array().map(Vec::len), Some(2), "{all}");
}

#[test]
fn files_of_lines_of_action_may_hold_boards_of_both_sizes() {
    let dir = Dir::new().with(
        "games.sgf",
        "(;GM[9]SZ[6];B[b1-b3])(;GM[9];B[b1-b3])(;GM[9]SZ[7];B[b1-b3])(;GM[1])(;GM[9]SZ[6];B[c1-e3];W[f5-d5])",
    );
    let ran = dir.review("games.sgf --seconds 0.001 --format json");
    ran.exits_with(2).stderr_contains(&[
        "games.sgf, game 3: found a board of 7 columns, expected 8 or 6\n",
        "games.sgf, game 4: line 1: found \"1 (Go)\", expected GM[9], Lines of Action\n",
    ]);
    let all: Value = ran.json();
    let before = &all["games"][0]["moves"][0]["before"];
    assert_eq!((&all["games"][0]["game"], &all["games"][1]["game"]), (&"loa6".into(), &"loa".into()));
    assert_eq!(before["exact"]["won_in"], 57, "the strategy is known: {before}");
    let lost = &all["games"][2]["moves"][1]["before"]["exact"];
    assert_eq!(lost["lost_in"], 68, "the defense after c1-e3 is known: {lost}");
}

#[test]
fn annotated_records_are_read_again() {
    let dir = Dir::new().with("game.pdn", LOST).with("game.sgf", "(;GM[9];B[b1-b3];W[a2-c2];B[b8-b6];W[h7-f5])");
    for (name, format) in [("game.pdn", "pdn"), ("game.sgf", "sgf")] {
        dir.review(&[name, "--seconds", "0.02", "--format", format, "--output", "out"]).exits_with(0);
        let text = dir.text("out");
        assert!(text.contains("Accuracy: Black ") && text.contains("Now: "), "{text}");
        let again = |name| json(&dir, &[name])["games"][0]["moves"].as_array().expect("moves").len();
        assert_eq!(again("out"), again(name));
        let other = if format == "pdn" { "sgf" } else { "pdn" };
        dir.review(&[name, "--format", other]).exits_with(2).stderr_contains(&["help: use another --format"]);
    }
}

#[test]
fn bad_usage_and_files() {
    let dir = Dir::new().with("game.pdn", LOST).with("empty.pdn", "").with("text", "some words, no game");
    dir.run_rows(Program::Review, include_str!("cases.txt"), "bad usage and files");
}

#[test]
fn a_page_is_one_file_with_all_games() {
    let dir = Dir::new().with("games.pdn", format!("{LOST}\n{}", LOST.replace("Anna", "<b>&amp;")));
    dir.review("games.pdn --seconds 0.01 --format html --output page.html").exits_with(0);
    let page = dir.text("page.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>2 games reviewed</title>"), "{page}");
    assert!(page.contains("Bo - &lt;b&gt;&amp;amp;, checkers") && !page.contains("<b>"), "names are escaped");
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing from elsewhere");
    assert_eq!(page.matches("class=\"review\"").count(), 2);
}

#[test]
fn pages_name_squares_as_the_record_does() {
    let letters = "1. f6-e5 C3D4 *\n";
    let dir = Dir::new().with("games.pdn", format!("{LOST}\n{letters}")).with("ending.pdn", ENDING);
    let page = |arguments: &[&str]| {
        let ran = dir.review(&[arguments, &["--seconds", "0.01", "--format", "html"]].concat());
        ran.exits_with(0).stdout.clone()
    };
    let found = |page: &str, parts: [&str; 3]| parts.map(|part| page.matches(part).count());
    let parts = ["class=\"numbers\"", "class=\"move\">11-15<", "class=\"move\">f6-e5<"];
    assert_eq!(found(&page(&["games.pdn"]), parts), [1, 1, 1], "each game has its own");
    assert_eq!(found(&page(&["games.pdn", "--squares", "letters"]), parts), [0, 0, 2]);
    assert_eq!(found(&page(&["games.pdn", "--squares", "numbers"]), parts), [2, 2, 0]);
    let player = page(&["games.pdn", "--player", "Anna"]);
    assert!(
        player.contains("aria-label=\"The board before 25-22\"") && player.matches(parts[0]).count() > 1,
        "{player}"
    );
    let board = "aria-label=\"The board after 10-7\"";
    assert_eq!(found(&page(&["ending.pdn"]), [board, parts[0], ">10-7"]), [1, 1, 1]);
}

#[test]
fn a_search_that_finds_no_puzzle_says_so() {
    let dir = Dir::new().with("game.pdn", LOST);
    for format in ["text", "html"] {
        let ran = dir.review(&["game.pdn", "--puzzles", "--seconds", "0.001", "--format", format]);
        assert!(ran.exits_with(0).stdout.contains("No puzzles: no position has exactly one move that wins"), "{ran:?}");
        assert!(!ran.stdout.contains("Find the"), "{ran:?}");
    }
    let ran = dir.review("game.pdn --puzzles --seconds 0.001 --format json");
    assert_eq!(ran.exits_with(0).stdout, "[]\n");
}

#[test]
fn other_programs_read_annotated_records() {
    let mut python = match python_with("draughts.PDN, sgfmill") {
        Ok(python) => python,
        Err(why) => return skipped("review::games, other programs", &why),
    };
    let dir = Dir::new().with("game.pdn", LOST).with("game.sgf", "(;GM[9];B[b1-b3];W[a2-c2];B[b8-b6];W[h7-f5])");
    for (name, format) in [("game.pdn", "pdn"), ("game.sgf", "sgf")] {
        let output = format!("out.{format}");
        dir.review(&[name, "--seconds", "0.02", "--format", format, "--output", &output]).exits_with(0);
    }
    let script = include_str!("read.py");
    let ran = dir.run_command(python.args(["-W", "ignore", "-c", script]));
    let expected = "11-15 23-19 8-11 22-17 9-13 17-14 10x17 21x14 6-10 25-22\nTrue\n5\nTrue\nTrue\n";
    assert_eq!(ran.exits_with(0).stdout, expected);
}

/// Black to move wins in 5 plies with b2-b3 alone; the record goes on with another move.
const PUZZLE: &str = include_str!("../data/puzzle.sgf");

#[test]
fn puzzles_have_one_winning_move_and_are_read_as_records() {
    let dir = Dir::new().with("game.sgf", PUZZLE);
    let in_format = |format| {
        let arguments = ["game.sgf", "--puzzles", "--seconds", "0.02", "--format", format, "--output", "out"];
        dir.review(&arguments).exits_with(0);
        dir.text("out")
    };
    let text = in_format("text");
    assert!(text.starts_with("1. Black to move and win in 5 plies\n") && text.contains("\nb2-b3 "), "{text}");
    let puzzles: Value = serde_json::from_str(&in_format("json")).expect("JSON");
    let puzzle = &puzzles[0];
    assert_eq!((&puzzle["worth"]["exact"]["won_in"], &puzzle["solution"][0]["mv"]), (&5.into(), &"b2-b3".into()));
    assert!(puzzle["second_worth"]["chances"].as_f64().is_some_and(|chances| chances <= 0.6), "{puzzle}");
    let page = in_format("html");
    assert!(page.contains("<summary>Answer</summary>") && page.contains("data-path=\"b2-b3\""), "{page}");
    let record = in_format("sgf");
    assert!(record.contains("C[Black to move and win in 5 plies.]"), "{record}");
    assert_eq!(json(&dir, &["out"])["games"][0]["moves"].as_array().map(Vec::len), Some(5));
}
