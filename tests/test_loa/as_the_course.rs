//! `--as-the-course`: verdicts where the course's own testers differ from the contract. On all other scripts of these tests
//! both agree.

use super::{CASES, NOTHING, reason, run, says};
use crate::support::command::Dir;
use crate::support::table::rows;

/// Verdicts on `t.in`: as the contract, and as the course's tester.
#[track_caller]
fn verdicts(dir: &Dir, passed: &str, failed: &str) -> [String; 2] {
    [&["t.in"][..], &["--as-the-course", "t.in"]].map(|arguments| {
        let ran = run(dir, arguments);
        let warned = ran.stdout.lines().any(|line| line.starts_with("warning: "));
        if warned {
            assert!(ran.exits_with(0).stdout.starts_with(&format!("{passed}\n")), "{ran:?}");
            return String::new();
        }
        reason(&ran, passed, failed)
    })
}

/// Directory with a player that prints lines, then does nothing.
fn player(lines: &str) -> Dir {
    Dir::new().with("player.sh", says(lines))
}

#[test]
fn a_malformed_message_of_2020_fails_when_it_is_read() {
    for [lines, script, course] in rows(CASES, "malformed messages of 2020") {
        let dir = player(lines).with("t.in", format!("#* sh player.sh\n{script}")).with("t.std", NOTHING);
        let [contract, found] = verdicts(&dir, "** t PASSED.", "** t FAILED (");
        assert!(contract.starts_with("malformed message: found \"*"), "{lines:?} {script:?}: {contract:?}");
        assert_eq!(found, if course == "fails" { contract } else { String::new() }, "{lines:?} {script:?}");
    }
}

#[test]
fn any_word_is_a_move_of_2015() {
    for [lines, script, contract, course] in rows(CASES, "words of 2015") {
        let dir = player(lines).with("t.in", format!("sh player.sh\nNone\n===#1===\n{script}"));
        let verdicts = verdicts(&dir, "t: OK", "t: FAIL (");
        for (verdict, expected) in verdicts.iter().zip([contract, course]) {
            assert_eq!(verdict.is_empty(), expected == "passes", "{lines:?} {script:?}: {verdict:?}");
            assert!(expected == "passes" || verdict.starts_with("malformed message: found \""), "{verdict:?}");
        }
    }
}

#[test]
fn output_without_a_std_fails() {
    for (lines, course) in [("* a2-c2\\n", ""), ("===\\n===\\n", "nothing compared: no t.std")] {
        let dir = player(lines).with("t.in", "#* sh player.sh\n#*move\n");
        let dir = if course.is_empty() { dir } else { dir.with("t.in", "#* sh player.sh\n") };
        assert_eq!(verdicts(&dir, "** t PASSED.", "** t FAILED ("), ["", course]);
    }
}

#[test]
fn a_std_must_end_with_a_newline_and_have_no_comment_behind_a_line() {
    for [std, course] in rows(CASES, "ends of a std") {
        let dir = player("===\\n - b\\n===\\n").with("t.in", "#* sh player.sh\n").with("t.std", std);
        assert_eq!(verdicts(&dir, "** t PASSED.", "** t FAILED ("), ["", course], "{std:?}");
    }
}

#[test]
fn a_program_may_end_before_a_move_of_2020() {
    let ended = "its output ended before a move";
    for (player, std, [contract, course]) in [
        ("exit 0", NOTHING, [ended, ""]),
        ("exec >&-; cat >/dev/null", NOTHING, [ended, ""]),
        ("exit 0", "* Tie game.\n", [ended, "output differs from t.std"]),
        ("exit 3", NOTHING, ["ended with exit status: 3"; 2]),
    ] {
        let dir = Dir::new().with("player.sh", player).with("t.in", "#* sh player.sh\n#*move\nquit\n");
        let verdicts = verdicts(&dir.with("t.std", std), "** t PASSED.", "** t FAILED (");
        assert_eq!(verdicts, [contract, course], "{player}");
    }
}

/// Sets up a test that shows an example of a row of the guide's table.
type Shown = fn(&str) -> Dir;

#[test]
fn the_examples_in_the_guide_are_true() {
    const DUMP: &str = "===\\n- b\\n===\\n";
    let rows: [Shown; 6] = [
        |line| player(&format!("{line}\\n")).with("t.in", "#* sh player.sh\ndump\n").with("t.std", NOTHING),
        |line| player(&format!("{line}\\n")).with("t.in", "sh player.sh\nNone\n===#1===\ndump\n"),
        |_| player(DUMP).with("t.in", "#* sh player.sh\n"),
        |_| player(DUMP).with("t.in", "#* sh player.sh\n").with("t.std", "===\n- b\n==="),
        |line| {
            let text = line.split(" #").next().unwrap_or_default();
            let std = "===\n- b\n===\n".replacen(text, line, 1);
            player(DUMP).with("t.in", "#* sh player.sh\n").with("t.std", std)
        },
        |instruction| Dir::new().with("t.in", format!("#* true\n{instruction}\n")).with("t.std", NOTHING),
    ];
    let guide = include_str!("../../src/players/guide/scripts.md");
    let (_, table) = guide.split_once("# Departures\n").expect("the departures");
    let table: Vec<&str> = table.lines().filter(|line| line.starts_with("| 20")).collect();
    assert_eq!(table.len(), rows.len(), "{table:#?}");
    for (line, shown) in table.into_iter().zip(rows) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [case, contract, course] = cells[..] else { panic!("{line}") };
        let [passed, failed] =
            if case.starts_with("2020") { ["** t PASSED.", "** t FAILED ("] } else { ["t: OK", "t: FAIL ("] };
        let examples: Vec<&str> = case.split('`').skip(1).step_by(2).collect();
        for example in if examples.is_empty() { vec![""] } else { examples } {
            let verdicts = verdicts(&shown(example), passed, failed);
            for (verdict, cell) in verdicts.iter().zip([contract, course]) {
                assert!(["passes", "fails"].contains(&cell.split([' ', ',']).next().unwrap_or_default()), "{line}");
                assert_eq!(verdict.is_empty(), cell.starts_with("passes"), "{example}: {verdict:?}, but {line}");
            }
        }
    }
}
