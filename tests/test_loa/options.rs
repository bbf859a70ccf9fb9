//! Options: pairs with any names, times, traces and logs, and protection of files from being overwritten by mistake.

use std::fs;

use super::{CASES, IDLE, NOTHING, run};
use crate::support::command::*;
use crate::support::table::rows;

/// Player that makes Black's move, and player that answers it.
const PLAYERS: [&str; 2] = [
    "echo '* b1-b3'; read mv; echo '* Tie game.'; cat >/dev/null",
    "read mv; echo '* a2-c2'; echo '* Tie game.'; cat >/dev/null",
];

/// Directory with the two scripts of a remote game and their expected outputs.
fn pair() -> Dir {
    let dir = Dir::new().with("black.sh", PLAYERS[0]).with("white.sh", PLAYERS[1]);
    dir.write("black.in", "#* sh black.sh\n#*move\n#*remote move/win+\n");
    dir.write("white.txt", "#* sh white.sh\n#*remote move/win\n");
    dir.write("black.std", "* Tie game.\n");
    dir.write("white.std", NOTHING);
    dir
}

#[test]
fn two_scripts_of_any_names_are_a_pair() {
    let dir = pair();
    let passed = "** black PASSED.\n\nPassed all 1 tests.\n";
    assert_eq!(run(&dir, &["--pair", "black.in", "white.txt"]).exits_with(0).stdout, passed);
    dir.write("other.in", format!("#* sh -c {IDLE}\n"));
    let ran = run(&dir, &["--keep", "--pair", "black.in", "white.txt", "other.in", "--pair", "black.in", "white.txt"]);
    let reports: Vec<&str> = ran.exits_with(0).stdout.lines().filter(|line| line.starts_with("**")).collect();
    assert_eq!(reports, ["** other PASSED.", "** black PASSED.", "** black PASSED."]);
    assert_eq!(dir.read("black.out").as_deref(), Some("* Tie game.\n"));
    assert_eq!(dir.read("white.err").as_deref(), Some("Ending: exit status: 0\n"));
    dir.write("white.std", "* Tie game.\n");
    let ran = run(&dir, &["--pair", "black.in", "white.txt"]);
    ran.exits_with(1).stdout_starts_with("** black FAILED (output differs from white.std)\n");
}

#[test]
fn invalid_pairs_are_reported() {
    let dir = pair().with("old.in", "cat\nNone\n===#1===\n");
    for (second, expected) in [
        ("missing.in", "** black FAILED (cannot read missing.in: No such file"),
        ("old.in", "** black FAILED (old.in: found a script of 2015, expected one of 2020, since "),
        ("black.sh", "** black FAILED (black.sh: could not find initial command line)"),
    ] {
        run(&dir, &["--pair", "black.in", second]).exits_with(1).stdout_starts_with(expected);
    }
    run(&dir, &["--pair", "black.in"]).exits_with(255).stderr_contains(&["--pair", "A.in"]);
}

#[test]
fn the_default_time_of_a_side_can_be_set() {
    let dir = Dir::new().with("player.sh", "sleep 0.5; echo B::a2-c2; cat >/dev/null");
    dir.write("short.in", "sh player.sh\nNone\n===#1===\n%mb\n");
    dir.write("long.in", "sh player.sh --time=0.5\nNone\n===#1===\n%mb\n");
    let report = "short: FAIL (time limit exceeded, waiting for move of Black)\nlong: OK\n";
    run(&dir, &["--time=0.002", "short.in", "long.in"]).exits_with(1).stdout_starts_with(report);
    run(&dir, &["--time=0.5", "short.in"]).exits_with(0);
    for time in ["0", "-1", "x", "nan", ""] {
        let ran = run(&dir, &[&format!("--time={time}"), "short.in"]);
        ran.exits_with(255).stderr_contains(&["expected a number of minutes above 0"]);
    }
}

/// Runs a script that sends a line and gets it back.
fn echo(dir: &Dir, options: &[&str]) -> Ran {
    dir.write("t.in", "cat\nNone\n===#1===\ndump\n");
    run(dir, &[options, &["t.in"]].concat())
}

#[test]
fn the_trace_goes_to_standard_error_or_into_a_log() {
    let trace = ">Program 1: dump\n<Program 1: dump\n";
    let dir = Dir::new();
    for (options, expected) in [
        (&["--verbosity=0"][..], ""),
        (&["--verbosity=1"], trace),
        (&["--verbosity=3"], trace),
        (&["--verbose"], trace),
    ] {
        assert_eq!(echo(&dir, options).exits_with(0).stderr, expected, "{options:?}");
    }
    for options in [&["--log=trace.log"][..], &["--log=trace.log", "--verbose"]] {
        dir.write("trace.log", "of an earlier run, which was longer\n".repeat(9));
        assert_eq!(echo(&dir, options).exits_with(0).stderr, "", "{options:?}");
        assert_eq!(dir.read("trace.log").as_deref(), Some(trace));
    }
    echo(&dir, &["--verbosity=-1"]).exits_with(255);
}

#[test]
fn a_log_is_no_file_of_a_test() {
    let dir = Dir::new().with("player.sh", "echo ran > ran");
    for name in ["t-1.in", "t-2.in"] {
        dir.write(name, "#* sh player.sh\n");
    }
    dir.write("t-1.std", NOTHING);
    dir.write("old.in", "sh player.sh\nNone\n===#1===\n");
    dir.write("old.out", "Program #1:\n");
    dir.write("unnamed", "#* sh player.sh\n");
    dir.link("t-2.in", "link");
    dir.link("t-1.err", "dangling");
    fs::hard_link(dir.path("t-1.std"), dir.path("second-name")).expect("a link");
    let (names, script) = (dir.names(), dir.read("t-1.in"));
    for [log, file] in rows(CASES, "logs that are files of a test") {
        let ran = run(&dir, &[&format!("--log={log}"), "t-1.in", "old.in", "unnamed"]);
        assert_eq!(ran.exits_with(1).stdout, "", "{log}");
        let reason = format!("test-loa: --log={log} is {file}, a test file: expected another file\n");
        assert_eq!(ran.stderr, reason);
        assert_eq!((dir.names(), dir.read("t-1.in")), (names.clone(), script.clone()), "{log}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let dir = Dir::new();
    let ran = echo(&dir, &["--log=no/such/folder.log"]);
    ran.exits_with(1).stderr_contains(&["test-loa: cannot write no/such/folder.log: No such file"]);
    assert_eq!(ran.stdout, "");
    let ran = echo(&dir, &["--log=/dev/full"]);
    ran.exits_with(255).stderr_contains(&["test-loa: cannot write /dev/full: No space left"]);
    assert!(ran.stdout.ends_with("Passed all 1 tests.\n"), "{ran:?}");
}

#[test]
fn no_script_is_overwritten() {
    let dir = pair().with("white.out", "#* cat\n").with("black.out.tmp", "#* cat\n").with("white.in", "#* cat\n");
    let before = dir.names();
    for (arguments, file) in [
        (&["--keep", "--pair", "black.in", "white.out"][..], "white.out"),
        (&["--keep", "--pair", "white.out", "black.in"], "white.out"),
        (&["--keep", "white.in", "--pair", "black.in", "white.out"], "white.out"),
        (&["--std", "--pair", "black.in", "black.out.tmp"], "black.out.tmp"),
    ] {
        let ran = run(&dir, arguments);
        let reason =
            format!("test-loa: {file} would be overwritten, but it is read: expected scripts with other names\n");
        assert_eq!((ran.exits_with(1).stderr.as_str(), ran.stdout.as_str()), (reason.as_str(), ""));
    }
    for (option, file) in [("--keep", "black.out"), ("--std", "black.out.tmp")] {
        let ran = run(&dir, &[option, "--pair", "black.in", "./black.in"]);
        ran.exits_with(1).stderr_contains(&["test-loa: "]);
        assert!(ran.stderr.contains(file), "{ran:?}");
    }
    assert_eq!(dir.read("white.out").as_deref(), Some("#* cat\n"));
    assert_eq!(dir.names(), before);
    // If nothing is written, any two scripts are fine.
    run(&dir, &["--pair", "white.in", "white.out"]).exits_with(0);
}

#[test]
fn outputs_are_written_whole_or_not_at_all() {
    let long = "for i in $(seq 200); do echo ===; echo 0123456789; echo ===; done; cat";
    let dir = Dir::new().with("player.sh", long).with("t.in", "#* sh player.sh\n").with("t.out", "before\n");
    dir.write("t.std", NOTHING);
    let before = dir.names();
    let ran = dir.run_in_shell("trap '' XFSZ; ulimit -f 2; exec \"$0\" --keep t.in", Program::TestLoa);
    ran.exits_with(1).stdout_starts_with("** t FAILED (cannot write t.out: File too large");
    assert_eq!((dir.read("t.out").as_deref(), dir.names()), (Some("before\n"), before));
}
