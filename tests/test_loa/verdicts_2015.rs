//! Verdicts by 2015 scripts (§2).

use super::{IDLE, run, verdict_2015, verdict_of_two_2015};
use crate::support::command::Dir;

/// Player that prints lines at once, then does nothing.
fn says(lines: &str) -> String {
    format!("printf '{lines}'\n{IDLE}")
}

#[test]
fn messages_and_instructions() {
    for (lines, script, expected) in [
        ("b> B::a2-c2\\n", "%mb\n", ""),
        ("W::a2-c2\\nB::a3-c3\\n", "  %mw why\n%mb", ""),
        ("W::a2-c2\\n", "%mb\n", "found \"W::a2-c2\", expected move of Black"),
        ("Black wins.\\n", "%mw\n", "found \"Black wins.\", expected move of White"),
        ("B::a2-c2\\nW::a3-c3\\nB::a4-c4\\nWhite wins.\\n", "%bw\n%ew\n", ""),
        ("W::a2-c2\\nTie game.\\n", "%wb\n%et\n", ""),
        ("Tie game.\\n", "%wb\n%bw\n%e\n", ""),
        ("B::a2-c2\\nB::a3-c3\\n", "%bw\n", "found \"B::a3-c3\", expected move of White"),
        ("Black wins.\\n", "%eb\n", ""),
        ("Black wins.\\n", "%ew\n", "found \"Black wins.\", expected White wins."),
        ("White wins.\\n", "%eb\n", "found \"White wins.\", expected Black wins."),
        ("White wins.\\n", "%et\n", "found \"White wins.\", expected Tie game."),
        ("B::a2-c2\\n", "%e\n", "found \"B::a2-c2\", expected the end of the game"),
        ("* a2-c2\\n\\377\\nTie game.\\n", "%e\n", ""),
        ("B:: a2-c2\\n", "%mb\n", "malformed message: found \"B:: a2-c2\", expected B:: or W:: and a move"),
        (
            "* White wins.\\n",
            "%e",
            "malformed message: found \"* White wins.\", expected Black wins. or White wins. alone",
        ),
        ("  Black wins.\\n", "%eb", ""),
        ("b> ->   Black wins.\\n", "%eb", ""),
        ("  B::a2-c2\\n", "", ""),
        ("  B::a2-c2\\n", "%mb", ""),
        ("=== 1 ===\\n", "%e", "malformed message: found \"=== 1 ===\", expected === alone"),
        ("b> ===\\n  ::\\nwho wins\\n===\\nTie game.\\n", "%e", ""),
    ] {
        assert_eq!(verdict_2015(&says(lines), "", script), expected, "{lines:?} {script:?}");
    }
}

#[test]
fn invalid_scripts_are_errors() {
    for (script, expected) in [
        ("cat\n===#1===\n", "line 2: found \"===#1===\", expected two commands before it; the second may be None"),
        (
            "None\ncat\n===#1===\n",
            "line 1: found \"None\", expected the command of program 1; only program 2 may be None",
        ),
        ("None\nNone\n===#1===\n", "line 1: found \"None\", expected the command of program 1"),
        ("===#1===\n", "line 1: found \"===#1===\", expected two commands"),
        ("cat\nNone\ndump\n===#1===\n", "line 3: found \"dump\", expected ===#1==="),
        ("cat\ncat\n===#1===\n%e\n", "line 5: found the end of the script, expected ===#2==="),
        ("cat\nNone\n===#1===\n# %x\n%x\n", "line 5: found \"%x\", expected one of %ib %iw "),
        ("cat\nNone\n===#1===\n%mb...\n", "line 4: found \"%mb...\", expected one of "),
        ("cat\nNone\n===#1===\n%ib\n", "line 4: found \"%ib\", expected no move of another program, since the second"),
        ("cat\nNone\n===#1===\n%iw...\n", "line 4: found \"%iw...\", expected no move of another program"),
    ] {
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
    for (player, script, expected) in [
        ("exit 0", "", ""),
        ("exit 0", "dump\nset\n", "ended with exit status: 0 before it read \"dump\""),
        ("exec sleep 0.3", "dump\n", "ended with exit status: 0 before it read \"dump\""),
        ("read line; exit 0", "dump\nset\n", "ended with exit status: 0 before it read \"set\""),
        ("echo B::a2-c2; exit 0", "%mb\ndump\n", "ended with exit status: 0 before it read \"dump\""),
        ("read line; exit 0", "quit\n", ""),
        ("cat > /dev/null", "quit\ndump\n", ""),
        ("head -n 1", "quit\ndump\n", "ended with exit status: 0 before it read \"dump\""),
        ("read line; sleep 0.06; exit 0", "quit\n#\n\ndump\n", "ended with exit status: 0 before it read \"dump\""),
        ("exit 3", "dump\n", "ended with exit status: 3"),
        ("cat >/dev/null; exit 3", "dump\n", "ended with exit status: 3"),
        ("exit 3", "%mb\n", "ended with exit status: 3"),
        ("kill -9 $$", "", "ended with exit status: 137"),
        ("exit 0", "%mb\n", "its output ended before move of Black"),
        ("echo 'Exception in thread' >&2; seq 5000; seq 5000 >&2; cat", "dump\n", ""),
    ] {
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
    for (players, scripts, expected) in [
        ([BLACK, WHITE], ["%mb\n%iw...\n%ew", "%ib...\n%ew"], ""),
        ([BLACK, WHITE], ["%mb\n%iw\n%ew", "%ib\n%mw\n%e"], ""),
        ([BLACK, WHITE], ["%mb\n%iw\n%eb", "%ib\n%mw\n%e\n%mw"], "found \"White wins.\", expected Black wins."),
        ([BLACK, WHITE], ["%mb\n%ib\n", "%ib\n%mw\n%ew\n%mw"], "program 1: found \"W::a2-c2\", expected move of Black"),
        ([BLACK, WHITE], ["%mb\n%iw...\n%mb", "%ib...\n%mw"], "found \"White wins.\", expected move of "),
        ([BLACK, WHITE], ["%mb\n%iw...\n%ew", "%iw...\n%ew"], "program 2: found \"B::b1-b3\", expected move of White"),
        ([BLACK, "exit 3"], ["%mb\n%iw...\n%ew", "%ib...\n%ew"], "program 2: ended with exit status: 3"),
    ] {
        let reason = verdict_of_two_2015(players, "", scripts);
        let is_right = if expected.is_empty() { reason.is_empty() } else { reason.contains(expected) };
        assert!(is_right, "{expected}: {reason}: {players:?} {scripts:?}");
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
