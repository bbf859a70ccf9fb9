//! `calibrate judge`: log losses over made-up positions and results.

use serde_json::Value;

use super::{REFUSED, rows};
use crate::support::command::*;
use crate::support::json::{list, number};

/// Lines in which the side that is a piece ahead wins three of four games, and level positions are drawn.
const LINES: &str = "W:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7;1\n\
                     B:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7,8;1\n\
                     W:W21,22,23,24:B1,2,3,4,5;0\n\
                     W:W21,22,K23:B1,2,K3,4;1\n\
                     W:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7;0.5\r\n\
                     B:WK21,22:BK1,2;0.5\n";

#[test]
fn losses_are_reported_for_all_and_by_pieces() {
    let dir = Dir::new().with("lines", LINES);
    let report: Value = dir.calibrate("judge checkers lines --json").exits_with(0).json();
    assert_eq!(report["positions"], 6, "{report}");
    // Four of six points were scored.
    let constant = -(4.0 / 6.0_f64).ln() * 4.0 / 6.0 - (2.0 / 6.0_f64).ln() * 2.0 / 6.0;
    assert!((number(&report, "constant") - constant).abs() < 1e-12, "{report}");
    // By material: two wins at 10, a loss and a win at -10, two draws at 0. The odds at 10 are three to one.
    let material = (4.0 * (-0.75 * 0.75_f64.ln() - 0.25 * 0.25_f64.ln()) + 2.0 * 2_f64.ln()) / 6.0;
    assert!((number(&report, "material") - material).abs() < 1e-9, "{report}");
    assert!((number(&report, "material_scale") - 3_f64.ln() / 10.0).abs() < 1e-9, "{report}");
    assert!(number(&report, "evaluation") < 2_f64.ln() && number(&report, "scale") > 0.0, "{report}");

    let slices = list(&report["slices"]);
    let names: Vec<_> = slices.iter().map(|slice| slice["pieces"].as_str().expect("a name")).collect();
    assert_eq!(names, ["14 and more", "8 to 13", "6 and 7", "5 and fewer"]);
    let counts: Vec<_> = slices.iter().map(|slice| slice["positions"].as_u64().expect("a number")).collect();
    assert_eq!(counts, [3, 1, 1, 1]);
    for name in ["constant", "material", "evaluation"] {
        let sum: f64 = slices.iter().zip(&counts).map(|(slice, &count)| number(slice, name) * count as f64).sum();
        assert!((sum / 6.0 - number(&report, name)).abs() < 1e-9, "{name}: {report}");
    }
    for slice in slices {
        assert!(number(slice, "rescaled") <= number(slice, "evaluation") + 1e-9, "{report}");
    }
}

#[test]
fn the_report_is_a_table() {
    let dir = Dir::new().with("lines", &LINES[..LINES.find("W:W21,22,23,24:").expect("a line")]);
    let ran = dir.calibrate("judge checkers lines");
    let lines: Vec<&str> = ran.exits_with(0).stdout.lines().collect();
    let words: Vec<Vec<&str>> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["pieces", "positions", "constant", "material", "evaluation", "rescaled"]);
    // A result that always occurs costs nothing as a constant, and almost nothing at a large scale.
    assert_eq!(words[1][..4], ["all", "2", "0.0000", "0.0000"], "{ran:#?}");
    assert_eq!(words[3], ["8", "to", "13", "0", "-", "-", "-", "-"], "{ran:#?}");
    assert!(lines[6].starts_with("best scale of the evaluation: "), "{ran:#?}");
}

#[test]
fn lines_of_action_are_judged_by_their_notation() {
    let board = |first: &str| format!("{first}/w------w{}/-bb-----", "/--------".repeat(5));
    let lines = format!("{} black;1\n{} white;0\n", board("-bbb----"), board("-bb-----"));
    let dir = Dir::new().with("lines", lines);
    let report: Value = dir.calibrate("judge loa lines --json").exits_with(0).json();
    let names: Vec<_> = list(&report["slices"]).iter().map(|slice| &slice["pieces"]).collect();
    assert_eq!(names, ["20 and more", "16 to 19", "12 to 15", "11 and fewer"]);
    assert_eq!((&report["positions"], &report["slices"][3]["positions"]), (&2.into(), &2.into()), "{report}");
}

#[test]
fn the_positions_of_a_game_file_are_judged() {
    let dir = Dir::new();
    dir.calibrate("selfplay loa6 --folder g --games 20 --nodes 100").exits_with(0);
    let report: Value = dir.calibrate("judge loa6 g/loa6-1-of-1.games --json --figures rows").exits_with(0).json();
    let bytes = std::fs::metadata(dir.path("g/loa6-1-of-1.games")).expect("games").len();
    assert_eq!(report["positions"], (bytes - 256) / 32, "{report}");
    assert!(number(&report, "evaluation") < number(&report, "constant"), "{report}");
    let row: Value = dir.json("rows");
    assert_eq!(row["topic"], "Evaluation", "{row}");
    dir.calibrate("judge loa g/loa6-1-of-1.games").exits_with(2).stderr_contains(&["loa6-1-of-1.games", "loa6"]);
}

#[test]
fn bad_lines_say_where_and_what_was_expected() {
    let dir = Dir::new();
    for [line, found, expected] in rows(REFUSED, "lines of judge") {
        for end in ["", "\n"] {
            dir.write("lines", format!("W:W21:B1;1\n{line}\n{LINES}{end}"));
            dir.calibrate("judge checkers lines").exits_with(2).stderr_contains(&["lines: line 2: ", found, expected]);
        }
    }
    dir.write("lines", b"W:W21:B1;1\nW:W21,\xff:B1;1\n");
    dir.calibrate("judge checkers lines").exits_with(2).stderr_contains(&["lines: line 2: "]);
    dir.write("lines", "");
    dir.calibrate("judge checkers lines").exits_with(2).stderr_contains(&["lines: found an empty file, expected"]);
    dir.write("lines", LINES);
    dir.run_rows(Program::Calibrate, REFUSED, "judge");
}
