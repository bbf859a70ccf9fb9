//! `review` with records as people, sites and other programs write them.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::command::*;
use crate::support::json::list;
use crate::support::table::rows;

/// Tables of cases.
const CASES: &str = include_str!("cases.txt");

fn review(text: impl AsRef<[u8]>) -> Ran {
    let dir = Dir::new().with("game.pdn", text);
    dir.review("game.pdn --seconds 0.001 --format json")
}

/// Reviews a record that is read to its end, and returns the review of its first game.
fn read(text: impl AsRef<[u8]>) -> Value {
    let ran = review(text);
    let all: Value = ran.exits_with(0).json();
    all["games"][0].clone()
}

fn moves(review: &Value) -> Vec<&str> {
    list(&review["moves"]).iter().filter_map(|mv| mv["mv"].as_str()).collect()
}

#[test]
fn a_bad_value_in_a_header_is_noted() {
    let text =
        "[White \"Anna\"]\n[Result \"White resigned\"]\n[Date \"yesterday\"]\n[GameType \"?!\"]\n1. 9-14 24-20\n";
    let ran = review(text);
    ran.exits_with(0).stderr_contains(&[
        "review: game.pdn: note: line 2: the result \"White resigned\" is unknown, expected a result: 1-0",
        "note: line 3: the date \"yesterday\" is not of the form 1998.03.07\n",
        "note: line 4: the game type \"?!\" is unknown, expected game type 21",
    ]);
    let game = read(text);
    assert_eq!((&game["result"], moves(&game)), (&"*".into(), vec!["9-14", "24-20"]));
    assert_eq!(game["notes"].as_array().map(Vec::len), Some(3), "{game}");
}

#[test]
fn a_win_past_the_courses_limit_is_one_unless_the_record_or_an_option_names_its_rules() {
    const LATE: &str = "[FEN \"W:WK30,K31:B8,K12\"]\n1. 31-26 *\n";
    for (rules, options, expected) in [
        ("", &[][..], "won"),
        ("[Rules \"course\"]\n", &[], "drawn"),
        ("[Rules \"Course\"]\n", &["--rules", "game"], "won"),
        ("", &["--rules", "course"], "drawn"),
    ] {
        let dir = Dir::new().with("game.pdn", format!("{rules}{LATE}"));
        let ran = dir.review(&[&["game.pdn", "--seconds", "0.001"], options].concat());
        assert!(
            ran.exits_with(0).stdout.contains(&format!("{expected} by the tables")),
            "{rules}{options:?}: {ran:#?}"
        );
    }
    let dir = Dir::new().with("game.pdn", LATE);
    dir.review("game.pdn --rules chess").exits_with(2).stderr_contains(&["game or course"]);
}

#[test]
fn what_people_write_is_read() {
    for [text, expected, note] in rows(CASES, "what people write") {
        let game = read(text);
        assert_eq!(moves(&game).join(" "), expected, "{text}");
        let notes = game["notes"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(
            notes.is_empty() == note.is_empty()
                && notes.iter().all(|one| one.to_string().replace("\\\"", "\"").contains(note)),
            "{notes:?}"
        );
    }
}

#[test]
fn positions_that_no_game_reaches_are_noted() {
    let man = "White's man on 2 is on its crowning row; it stays a man and cannot move";
    for (text, line) in [("W:WK18:BK9\nW:W2,K18:BK9\n", 2), ("[FEN \"W:W2,K18:BK9\"]\n", 1)] {
        let ran = review(text);
        ran.exits_with(0).stderr_contains(&["note: ", &format!("line {line}: {man}\n")]);
        let all: Value = ran.json();
        let last = all["games"].as_array().and_then(|games| games.last()).expect("a game");
        assert_eq!(last["notes"], serde_json::json!([format!("line {line}: {man}")]));
        assert_eq!(last["position"]["worth"]["exact"], Value::Null, "{last}");
    }
}

#[test]
fn other_games_are_refused_by_their_names() {
    for [text, words] in rows(CASES, "other games") {
        let ran = review(text);
        ran.exits_with(2).stderr_contains(&["review: game.pdn: line ", words]);
        ran.stderr_lacks(&["reviewed up to there"]);
        assert!(ran.stdout.contains("\"games\":[]"), "{}", ran.stdout);
    }
    let game = read("[GameType \"25\"]\n[Variant \"American checkers\"]\n1. 22-17 *");
    assert_eq!(moves(&game), ["22-17"]);
}

/// A problem of old books in small: White gives a man and then takes two.
const PROBLEM: &str = "[Event \"a problem\"]\n[Result \"0-1\"]\n[FEN \"W:W30,23,18:B14,7,1\"]\n0-1\n";

#[test]
fn a_record_without_moves_is_a_position() {
    let game = read(PROBLEM);
    let position = &game["position"];
    assert_eq!((&position["side"], moves(&game)), (&"white".into(), vec![]));
    assert!(position["worth"]["chances"].is_f64() && !position["best"][0].is_null(), "{game}");
    let dir = Dir::new().with("game.pdn", PROBLEM);
    let with = |more: &[&str]| {
        let arguments = [&["game.pdn", "--seconds", "0.001"], more].concat();
        dir.review(&arguments).exits_with(0).stdout.clone()
    };
    let text = with(&[]);
    assert!(text.starts_with("Black - White, checkers, 0-1\n\nNo moves. White to move: "), "{text}");
    assert!(with(&["--format", "html"]).contains("No moves. White to move: "));
    assert!(with(&["--format", "pdn"]).contains("{No moves. White to move: "));
    let puzzles = with(&["--puzzles"]);
    assert!(puzzles.starts_with("1. White to move and win\n") && puzzles.contains("\n18x9"), "{puzzles}");
    assert!(puzzles.contains("No other move is legal."), "{puzzles}");
    assert!(with(&["--puzzles", "--format", "html"]).contains("Answer"));
}

#[test]
fn games_without_a_choice_are_read_as_what_they_are() {
    // Nobody came, the game was over, and one move was legal.
    for (text, worth, best) in [
        ("[Result \"1-0\"]\n1-0\n", "score", None),
        ("[FEN \"B:W9:B\"]\n*\n", "exact", Some(0)),
        ("[FEN \"B:W32:B1,5\"]\n[Result \"?\"]", "", None),
        ("[FEN \"B:W27:B24\"]\n*\n", "", None),
    ] {
        let game = read(text);
        let position = &game["position"];
        assert!(worth.is_empty() || !position["worth"][worth].is_null(), "{game}");
        let length = position["best"].as_array().map_or(0, Vec::len);
        assert!(best.map_or(length > 0, |best| best == length), "{game}");
        Dir::new().with("game.pdn", text).review("game.pdn --puzzles --seconds 0.001").exits_with(0);
    }
    let dir = Dir::new().with("game.sgf", "(;GM[9]SZ[6]AB[b2][d4][e4]AW[c2][f2][c6]PL[W]RE[W+])");
    let ran = dir.review("game.sgf --seconds 0.001");
    ran.exits_with(0).stdout_contains(&["Black - White, 6x6 Lines of Action, 0-1\n\nNo moves. White to move: "]);
}

#[test]
fn a_list_of_positions_is_read() {
    let dir = Dir::new().with("list.txt", "\nB:W18,27,30:B14,1\nW:W32:B1;a comment\nB:W33:B1\n");
    let ran = dir.review("list.txt --seconds 0.001 --format json");
    ran.exits_with(2).stderr_contains(&["review: list.txt, game 3: line 4: found \"33\", expected a square number"]);
    let all: Value = ran.json();
    let sides: Vec<&Value> = list(&all["games"]).iter().map(|game| &game["position"]["side"]).collect();
    assert_eq!(sides, ["black", "white"]);
}

#[test]
fn names_are_found_in_every_encoding() {
    let text = "[White \"Ren\u{e9}\"]\n[Black \"O\u{2019}Neil\"]\n1. 9-14 24-20 {d\u{e9}j\u{e0} vu} *\n";
    let utf16 = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let windows = text.chars().map(|letter| if letter == '\u{2019}' { 0x92 } else { letter as u8 }).collect();
    for bytes in [text.as_bytes().to_vec(), utf16, windows] {
        let dir = Dir::new().with("game.pdn", bytes);
        let with = |more: &[&str]| dir.review(&[&["game.pdn", "--seconds", "0.001"], more].concat());
        with(&["--player", "Ren\u{e9}"]).exits_with(0).stdout_contains(&["Ren\u{e9} played 1 game"]);
        with(&["--format", "pdn"]).exits_with(0).stdout_contains(&["[White \"Ren\u{e9}\"]\n[Black \"O\u{2019}Neil\"]"]);
    }
    let dir = Dir::new().with("game.sgf", b"(;GM[9]CA[ISO-8859-2]PB[Ji\xf8\xed];B[b1-b3])");
    let ran = dir.review("game.sgf --seconds 0.001 --format sgf");
    ran.exits_with(0).stdout_contains(&["CA[UTF-8]", "PB[Ji\u{159}\u{ed}]"]);
}

#[test]
fn pipes_and_packed_files_are_read() {
    let (game, tree) = ("1. 9-14 24-20 *\n", "(;GM[9];B[b1-b3])");
    let dir = Dir::new();
    for (input, name) in [(game, "checkers"), (tree, "Lines of Action")] {
        for path in ["-", "/dev/stdin"] {
            let ran = dir.run_with_input(Program::Review, &[path, "--seconds", "0.001"], input);
            ran.exits_with(0).stdout_contains(&[name]);
        }
    }
    let ran = dir.run_with_input(Program::Review, &["-"], "");
    ran.exits_with(2).stderr_contains(&["review: standard input: no games, expected PDN or SGF"]);
    let packed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    dir.write("games.pdn.gz", packed(game));
    dir.write("games.sgf.gz", packed(tree));
    dir.write("cut.pdn.gz", &packed(game)[..15]);
    let ran = dir.review("games.pdn.gz games.sgf.gz --seconds 0.001");
    ran.exits_with(0).stdout_contains(&["checkers", "Lines of Action"]);
    dir.review("cut.pdn.gz").exits_with(1).stderr_contains(&["cannot read cut.pdn.gz: "]);
    let ran = dir.run_with_input(Program::Review, &["-", "--seconds", "0.001"], packed(game));
    ran.exits_with(0).stdout_contains(&["checkers"]);
}
