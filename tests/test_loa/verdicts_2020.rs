//! Verdicts by 2020 scripts (§1).

use std::time::{Duration, Instant};

use super::{CASES, IDLE, run, says, verdict_2020, verdict_of_two_2020};
use crate::support::command::Dir;
use crate::support::table::rows;

#[test]
fn messages_and_instructions() {
    for [lines, script, expected] in rows(CASES, "2020: messages") {
        assert_eq!(verdict_2020(&says(lines), script), expected, "{lines:?} {script:?}");
    }
}

#[test]
fn invalid_scripts_are_errors() {
    for [script, expected] in rows(CASES, "2020: invalid scripts") {
        let dir = Dir::new().with("player.sh", IDLE).with("t.in", script);
        let ran = run(&dir, &["t.in"]);
        assert!(ran.exits_with(1).stdout.starts_with(&format!("** t FAILED ({expected}")), "{script:?}: {ran:?}");
    }
    assert_eq!(verdict_2020(&says("* a2-c2\\n"), "#*move/wi\n#*time 1.5 2s x\n"), "", "matched by prefix");
}

#[test]
fn lines_are_sent_verbatim() {
    let player = "od -An -c >&2; exit 3";
    let dir = Dir::new().with("player.sh", player);
    dir.write("t.in", b"# why\n\n  #* sh player.sh\n  dump \t\n\n# a comment\n #*time 9 9\n\xff\r\nquit");
    run(&dir, &["--keep", "t.in"]).exits_with(1);
    let errors = dir.text("t.err");
    let sent: String = errors.lines().take_while(|line| !line.starts_with("Ending")).collect();
    let words = sent.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, "d u m p \\t \\n \\n # a c o m m e n t \\n 377 \\r \\n q u i t");
    assert!(errors.ends_with("Ending: ended with exit status: 3\n"), "{errors}");
}

#[test]
fn messages_must_come_in_time() {
    let late = "time limit exceeded, waiting for a move";
    assert_eq!(verdict_2020(IDLE, "#*time 0.2 50\n#*move\n"), late);
    let every = |time: &str| format!("while echo '* a2-c2'; do sleep {time}; done");
    let script = "#*time 5 1\n#*move/win\n";
    assert_eq!(verdict_2020(&every("0.05"), script), format!("{late} or the end of a game"));
    // Each instruction gets the full time again.
    let script = "#*time 5 2\n#*move\n#*move\n#*move\n#*move\n";
    assert_eq!(verdict_2020("for i in 1 2 3 4; do sleep 0.6; echo '* a2-c2'; done", script), "");
}

#[test]
fn ends_of_programs_are_judged() {
    for [player, script, expected] in rows(CASES, "2020: ends of programs") {
        assert_eq!(verdict_2020(player, script), expected, "{player} {script}");
    }
}

#[test]
fn output_is_limited() {
    let unread = |count: u32| format!("for i in $(seq {count}); do echo '* a2-c2'; done; {IDLE}");
    for (player, expected) in [
        (format!("seq 3000; {IDLE}"), ""),
        (format!("seq 3001; {IDLE}"), "printed more than 3000 lines"),
        ("yes".to_string(), "printed more than 3000 lines"),
        (format!("seq 3000 >&2; {IDLE}"), ""),
        (format!("seq 3001 >&2; {IDLE}"), "printed more than 3000 lines on standard error"),
        (unread(98), ""),
        (unread(99), "left more than 98 messages unread"),
    ] {
        assert_eq!(verdict_2020(&player, "dump\n"), expected, "{player}");
    }
    // If the script reads all events, a program may be faster than the script.
    let many = "for i in $(seq 1000); do echo '* a2-c2'; done; echo '* Tie game.'; cat";
    assert_eq!(verdict_2020(many, "#*move/win\n"), "");
}

#[test]
fn errors_and_exceptions() {
    let player = |text: &str| format!("echo '{text}' >&2; {IDLE}");
    for harmless in ["Error: illegal move", "Exception in thread main", "Exception in threads"] {
        assert_eq!(verdict_2020(&player(harmless), "dump\n"), "", "{harmless}");
    }
    let exception = "Exception in thread \"main\" java.lang.NullPointerException";
    assert_eq!(verdict_2020(&player(exception), "dump\n"), format!("Java exception: {exception}"));
    // The report names the cause, not the consequence.
    let player = format!("echo '{exception}' >&2; exit 1");
    assert_eq!(verdict_2020(&player, "#*move\n"), format!("Java exception: {exception}"));
}

#[test]
fn outputs_are_compared() {
    let player = format!("printf 'hello\\nb> ===\\n  - b \\n\\n* x\\n===\\nbye\\n* Black wins.\\n'; {IDLE}");
    for (std, script, passes) in [
        ("===\n  - b\n* x\n===\n", "", true),
        ("# a dump\n\n===   \n  - b # why\n\n* x\t\r\n===\n\n", "", true),
        ("===\n  - b\n* x\n===\n* Black wins.\n", "#*win+\n", true),
        ("===\n  - b\n* x\n===\n* Black wins.\n", "", false),
        ("===\n - b\n* x\n===\n", "", false),
        ("===\n  - b\n===\n", "", false),
        ("", "", false),
    ] {
        let dir = Dir::new().with("player.sh", &player).with("t.in", format!("#* sh player.sh\n{script}"));
        dir.write("t.std", std);
        let ran = run(&dir, &["t.in"]);
        assert_eq!(ran.code == Some(0), passes, "{std:?}: {ran:?}");
        assert!(passes || ran.stdout.contains("** t FAILED (output differs from t.std)"), "{ran:?}");
    }
    let dir = Dir::new().with("player.sh", IDLE).with("t.in", "#* sh player.sh\n").with("t.std", "# nothing\n");
    run(&dir, &["t.in"]).exits_with(0);
    dir.delete("t.std");
    dir.make_dir("t.std");
    run(&dir, &["t.in"]).exits_with(1).stdout_contains(&["FAILED (cannot read t.std: not a regular file)"]);
}

#[test]
fn lines_have_no_limit_of_length() {
    let long = "x".repeat(300_000);
    // A message, a prompt, a dump and an error, each longer than any buffer.
    let player = "long=$(head -c 300000 /dev/zero | tr '\\0' x); echo \"* a2-c2 $long\"; echo \"$long> * Tie game.\"
        printf '===\\n%s\\n===\\n' \"$long\"; echo \"$long\" >&2; cat >/dev/null";
    let dir = Dir::new().with("player.sh", player).with("t.in", "#* sh player.sh\n#*move\n#*win+\n");
    for (std, code) in
        [(format!("* Tie game.\n===\n{long}\n===\n"), 0), (format!("* Tie game.\n===\n{long}x\n===\n"), 1)]
    {
        dir.write("t.std", std);
        run(&dir, &["--keep", "t.in"]).exits_with(code);
    }
    assert_eq!(dir.read("t.err"), Some(format!("{long}\nEnding: exit status: 0\n")));
}

#[test]
fn bytes_that_are_no_text_are_dropped() {
    let player = "printf '===\\n\\377 - b \\303\\n\\342\\202\\n===\\n'; cat";
    for std in [&b"===\n - b\n===\n"[..], b"===\n\xff - b\n===\n"] {
        let dir = Dir::new().with("player.sh", player).with("t.in", "#* sh player.sh\n").with("t.std", std);
        run(&dir, &["t.in"]).exits_with(0);
        dir.write("u.in", "sh player.sh\nNone\n===#1===\n");
        dir.write("u.out", b"Program #1:\n===\n\xff- b\n\xff\n===\n");
        run(&dir, &["u.in"]).exits_with(0);
    }
}

/// Player that makes a move, reads the answer, and announces the end.
fn plays(mv: &str, end: &str) -> String {
    format!("echo '* {mv}'; read answer; [ \"$answer\" = a2-c2 ] || exit 4; echo '* {end}'; {IDLE}")
}

/// Player that reads a move, answers it, and announces the end.
fn answers(mv: &str, end: &str) -> String {
    format!("read move; [ \"$move\" = b1-b3 ] || exit 5; echo '* {mv}'; echo '* {end}'; {IDLE}")
}

const REMOTE: [&str; 2] = ["#*move\n#*remote move/win\n", "#*remote move/win\n"];
const LATE: [&str; 2] = ["#*time 0.3 9\n#*move\n#*remote move/win\n", "#*time 0.3 9\n#*remote move/win\n"];

#[test]
fn remote_games() {
    let end = "Tie game.";
    for (players, scripts, expected) in [
        ([plays("b1-b3", end), answers("a2-c2", end)], REMOTE, ""),
        ([plays("B1-B3 (good)", end), answers("A2-C2", end)], REMOTE, ""),
        (
            [plays("b1-b3", end), answers("a2-c2", end)],
            [REMOTE[0], "#*remote move/win+\n"],
            "output differs from t-2.std",
        ),
        ([plays("b1-b3", "Black wins."), answers("a2-c2", end)], REMOTE, ", as announced by the other program"),
        ([plays("b1-b3", end), answers("a2-c2", "a2-c2")], REMOTE, "found \"a2-c2\", expected the end of the game"),
        ([plays("b1-b3", "a2-c2"), answers("a2-c2", end)], LATE, "time limit exceeded, waiting for "),
        ([IDLE.to_string(), IDLE.to_string()], ["", REMOTE[1]], "the other script is done, waiting for "),
        ([IDLE.to_string(), IDLE.to_string()], LATE, "time limit exceeded, waiting for "),
        ([plays("b1-b3", end), "exit 3".to_string()], REMOTE, "program 2: ended with exit status: 3"),
    ] {
        let reason = verdict_of_two_2020(players.each_ref().map(String::as_str), scripts);
        let is_right = if expected.is_empty() { reason.is_empty() } else { reason.contains(expected) };
        assert!(is_right, "{expected}: {reason}: {players:?}");
    }
}

#[test]
fn thinking_of_either_program_counts_against_the_same_time() {
    let slow = "while read move; do sleep 0.3; echo '* a2-c2'; done";
    let fast = "echo '* b1-b3'; while read move; do echo '* b1-b3'; done";
    let scripts = ["#*time 9 1\n#*move\n#*remote move/win\n", "#*time 9 60\n#*remote move/win\n"];
    let reason = verdict_of_two_2020([fast, slow], scripts);
    assert!(reason.starts_with("program 1: time limit exceeded, waiting for "), "{reason}");
}

#[test]
fn unread_output_also_counts_against_the_limit() {
    let many = format!("for i in $(seq 99); do echo '* a2-c2'; done; echo '* Tie game.'; {IDLE}");
    let reason = verdict_of_two_2020([&many, "sleep 60"], ["#*move/win\n", "#*time 50 50\n#*move\n"]);
    assert_eq!(reason, "program 2: left more than 98 messages unread");
}

#[test]
fn a_failure_ends_both_programs_at_once() {
    let start = Instant::now();
    let reason = verdict_of_two_2020(["sleep 100", "echo '* hello'; sleep 100"], ["#*time 90 90\n#*move\n", ""]);
    assert!(reason.starts_with("program 2: malformed message"), "{reason}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
