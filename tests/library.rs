//! Programs in samples/library, which show how to use the library.

use std::path::Path;
use std::process::{Command, Output};

fn run(name: &str, arguments: &[&str]) -> Output {
    let path = match name {
        "search" => env!("CARGO_BIN_EXE_search"),
        "perft" => env!("CARGO_BIN_EXE_perft"),
        _ => env!("CARGO_BIN_EXE_own_game"),
    };
    Command::new(path).args(arguments).output().expect("the program runs")
}

fn lines(name: &str, arguments: &[&str]) -> Vec<String> {
    let output = run(name, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn search_finds_a_win_in_any_game() {
    for (game, position, start, end) in [
        ("checkers", "W:WK10,K15:BK2", "White plays ", "(win in 3)"),
        ("loa6", "------/-bb---/----b-/--w---/------/w----w black", "Black plays ", "(win in 1)"),
        ("loa", "--------/-bb-----/--------/---w----/--------/----b---/--------/w------w black", "Black plays ", ")"),
    ] {
        let lines = lines("search", &[game, position]);
        let best = lines.last().expect("a line");
        assert!(best.starts_with(start) && best.ends_with(end) && best.contains("(win in "), "{lines:#?}");
    }
    let lines_of_start = lines("search", &["checkers", "B:W21-32:B1-12"]);
    assert!(lines_of_start.len() > 5 && lines_of_start[0].starts_with("  1 "), "{lines_of_start:#?}");
    assert_eq!(lines("search", &["checkers", "B:W18:B"]), ["Black has no legal move and loses"]);
}

#[test]
fn bad_arguments_of_search_say_what_was_expected() {
    for (arguments, message) in [
        (&["chess", "x"][..], "expected checkers, loa or loa6"),
        (&["checkers", "W:W33:B1"], "expected a square number"),
        (&[], "usage: search"),
    ] {
        let output = run("search", arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && errors.contains(message), "{output:?}");
    }
}

#[test]
fn perft_counts_every_game() {
    let lines = lines("perft", &["3"]);
    let counted: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("  3 ")).collect();
    let counts: Vec<&str> = counted.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(counts, ["302", "11440", "44952"]);
}

/// Domineering on 8x8 is a win for the first player: D. Breuker, J. Uiterwijk, H. van den Herik, "Solving 8x8
/// Domineering", 2000. This search does not solve it, but plays complete, legal games.
#[test]
fn own_game_is_played_to_its_end() {
    let lines = lines("own_game", &[]);
    let (last, moves) = lines.split_last().expect("lines");
    let mut taken = std::collections::BTreeSet::new();
    for (number, line) in moves.iter().enumerate() {
        let (color, square) = line.split_once(' ').expect("a color and a square");
        assert_eq!(color, ["Black", "White"][number % 2]);
        let [column, row] = square.as_bytes() else { panic!("{line}") };
        let other = if color == "Black" { (*column, row + 1) } else { (column + 1, *row) };
        for place in [(*column, *row), other] {
            assert!((b'a'..=b'h').contains(&place.0) && (b'1'..=b'8').contains(&place.1), "{line}");
            assert!(taken.insert(place), "{line}: a square taken twice");
        }
    }
    assert_eq!(last, ["White has won", "Black has won"][moves.len() % 2]);
    assert_eq!(lines, self::lines("own_game", &[]), "the same limits give the same game");
}

#[test]
fn own_game_has_at_most_seventy_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("own_game.rs");
    let lines = std::fs::read_to_string(root).expect("the program").lines().count();
    assert!(lines <= 70, "{lines} lines");
}
