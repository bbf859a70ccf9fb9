//! Verdicts by 2015 scripts (§2).

use super::{CASES, IDLE, run, says, verdict_2015, verdict_of_two_2015};
use crate::support::command::Dir;
use crate::support::table::rows;

#[test]
fn messages_and_instructions() {
    for [lines, script, expected] in rows(CASES, "2015: messages") {
        assert_eq!(verdict_2015(&says(lines), "", script), expected, "{lines:?} {script:?}");
    }
}

#[test]
fn invalid_scripts_are_errors() {
    for [script, expected] in rows(CASES, "2015: invalid scripts") {
        let dir = Dir::new().with("t.in", script);
        let ran = run(&dir, &["t.in"]);
        assert!(ran.exits_with(1).stdout.starts_with(&format!("t: ERROR ({expected}")), "{script:?}: {ran:?}");
    }
}

#[test]
fn commands_run_in_a_shell_and_comments_are_skipped() {
    let dir = Dir::new();
    dir.write(
        "t.in",
        "\n# why\n  tr a-z A-Z | cat > \"a b\"; exit 0  \n\nNone\n===#1===\n\n# no\n dump \n set\r\nquit",
    );
    run(&dir, &["t.in"]).exits_with(0);
    assert_eq!(dir.read("a b").as_deref(), Some(" DUMP \n SET\r\nQUIT\n"));
}

#[test]
fn lines_of_a_missing_second_program_are_ignored() {
    let dir = Dir::new().with("player.sh", "cat > sent");
    dir.write("t.in", "sh player.sh\nNone\n===#1===\ndump\n\n===#2===\nset\n%no instruction\n");
    run(&dir, &["t.in"]).exits_with(0);
    assert_eq!(dir.read("sent").as_deref(), Some("dump\n"));
}

#[test]
fn time_per_color_counts_over_the_whole_run() {
    let player = |pause: &str| {
        let game = "for side in B W B W B; do [ $side = W ] || sleep";
        format!("{game} {pause}; echo $side::a2-c2; done; echo Tie game.; cat")
    };
    // Each color has one second. Black takes longer for its three moves, whether or not they alternate with White's.
    let late = "time limit exceeded, waiting for move of Black";
    assert_eq!(verdict_2015(&player("0.4"), "--time=0.0166", "%mb\n%mw\n%mb\n%mw\n%mb\n"), late);
    assert_eq!(verdict_2015(&player("0.4"), "--time=0.0166", "%bw\n%e\n"), late);
    // The larger time counts.
    let options = "--time=0.0001 --time=0.5 --time=x --time=-9";
    assert_eq!(verdict_2015(&player("0.1"), options, "%bw\n%e\n"), "");
}

#[test]
fn ends_of_programs_are_judged() {
    for [player, script, expected] in rows(CASES, "2015: ends of programs") {
        assert_eq!(verdict_2015(player, "", script), expected, "{player} {script}");
    }
    let dir = Dir::new().with("t.in", "./missing\nNone\n===#1===\n");
    run(&dir, &["t.in"]).exits_with(1).stdout_starts_with("t: FAIL (ended with exit status: 127)");
}

#[test]
fn outputs_are_compared() {
    let player = "printf '===\\n  - b \\n===\\n'; cat";
    for (out, passes) in [
        ("Program #1:\n===\n  - b \n===\n", true),
        ("  Program #1:  \r\n ===\n- b\n===\n\n\n", true),
        ("Program #1:\n===\n- b\n", false),
        ("===\n- b\n===\n", false),
        ("", false),
    ] {
        let dir = Dir::new().with("player.sh", player).with("t.in", "sh player.sh\nNone\n===#1===\n");
        dir.write("t.out", out);
        let ran = run(&dir, &["t.in"]);
        let expected = if passes { "t: OK\n" } else { "t: FAIL (output differs from t.out)\n" };
        assert!(ran.stdout.starts_with(expected), "{out:?}: {ran:?}");
        assert_eq!(dir.read("t.out").as_deref(), Some(out), "the expected output is unchanged");
    }
    assert_eq!(verdict_2015(player, "", ""), "", "nothing is expected");
    let dir = Dir::new().with("player.sh", player).with("t.in", "sh player.sh\ncat\n===#1===\n===#2===\n");
    dir.write("t.out", "Program #1:\n===\n- b\n===\nProgram #2:\n");
    run(&dir, &["t.in"]).exits_with(0);
    dir.delete("t.out");
    dir.make_dir("t.out");
    run(&dir, &["t.in"]).exits_with(1).stdout_starts_with("t: ERROR (cannot read t.out: not a regular file)\n");
}

/// Players of Black and of White in a game of two moves.
const BLACK: &str = "echo B::b1-b3; read mv; [ \"$mv\" = a2-c2 ] || exit 4; echo White wins.; cat >/dev/null";
const WHITE: &str = "read mv; [ \"$mv\" = b1-b3 ] || exit 5; echo W::a2-c2; echo White wins.; cat >/dev/null";

#[test]
fn two_programs() {
    for [first, second, script, other, expected] in rows(CASES, "2015: two programs") {
        let players = [first, second].map(|player| match player {
            "black" => BLACK,
            "white" => WHITE,
            other => other,
        });
        let reason = verdict_of_two_2015(players, "", [script, other]);
        let is_right = if expected.is_empty() { reason.is_empty() } else { reason.contains(expected) };
        assert!(is_right, "{expected}: {reason}: {players:?} {script:?} {other:?}");
    }
}

#[test]
fn clocks_run_for_either_program() {
    for (players, scripts) in [
        ([BLACK, WHITE], ["%ib", "%ib"]),
        ([IDLE, WHITE], ["%mb\n%iw...\n%ew", "%ib...\n%ew"]),
        ([BLACK, IDLE], ["%mb\n%iw...\n%ew", "%ib...\n%ew"]),
    ] {
        let reason = verdict_of_two_2015(players, "--time=0.01", scripts);
        assert!(reason.contains("time limit exceeded, waiting for "), "{reason}: {players:?} {scripts:?}");
    }
}

#[test]
fn both_programs_end_when_one_script_is_done() {
    let dir = Dir::new().with("other.sh", "echo B::b1-b3; cat >/dev/null; echo ended > ended");
    dir.write("t.in", "cat\nsh other.sh --time=0.5\n===#1===\ndump\n===#2===\n%mb\n%ib\n");
    run(&dir, &["t.in"]).exits_with(0);
    assert_eq!(dir.read("ended").as_deref(), Some("ended\n"));
    // The exit status of the closed program counts as well.
    dir.write("other.sh", "cat; exit 3");
    run(&dir, &["t.in"]).exits_with(1).stdout_starts_with("t: FAIL (program 2: ended with exit status: 3)");
}

#[test]
fn a_late_result_is_still_reported() {
    let dir = Dir::new().with("player.sh", "echo B::b1-b3; sleep 0.5; echo Black wins.; cat");
    dir.write("t.in", "sh player.sh\nread mv; echo Black wins.; cat\n===#1===\n%mb\n%ae\n===#2===\n%ib\n%e\n");
    run(&dir, &["t.in"]).exits_with(0).stdout_starts_with("t: Black wins\n");
    // Nobody waits for a missing result once its program has ended.
    dir.write("player.sh", "echo B::b1-b3; cat");
    run(&dir, &["t.in"]).exits_with(0).stdout_starts_with("t: OK\n");
}

#[test]
fn a_move_for_a_program_that_has_ended_fails() {
    let black = "echo B::b1-b3; cat >/dev/null";
    let reason = verdict_of_two_2015([black, "echo White wins."], "", ["%mb\n", "%ib\n%ew\n"]);
    assert_eq!(reason, "program 2: ended with exit status: 0 before it read \"b1-b3\"");
}
