//! Programs that hang, print endlessly, or leave processes behind. None may outlive its test or block it.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{run, verdict_2015, verdict_2020, verdict_of_two_2015, verdict_of_two_2020};
use crate::support::command::*;

/// Player that writes its pid into a file, and that only SIGKILL ends.
const STUBBORN: &str = "trap '' TERM INT HUP PIPE; echo $$ > stubborn; while :; do sleep 0.05; done";

/// Waits for the pid of the stubborn process.
fn stubborn(dir: &Dir) -> u32 {
    let start = Instant::now();
    loop {
        if let Some(number) = dir.read("stubborn").and_then(|text| text.trim().parse().ok()) {
            return number;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "the player has not started");
        sleep(Duration::from_millis(5));
    }
}

/// Asserts that a process ends soon.
#[track_caller]
fn is_gone(number: u32) {
    let start = Instant::now();
    let lives = || {
        let status = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // A zombie that its new parent has not reaped yet is harmless.
        !status.is_empty() && !status.contains(") Z ")
    };
    while lives() {
        assert!(start.elapsed() < Duration::from_secs(5), "process {number} still runs");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_program_outlives_its_test() {
    let scripts = [
        "#* sh player.sh\n#*time 0.3 9\n#*move\n",
        "#* sh wrapper.sh\n#*time 0.3 9\n#*move\n",
        "sh player.sh --time=0.005 ; true\nNone\n===#1===\n%mb\n",
        "sh wrapper.sh --time=0.005 | cat\nNone\n===#1===\n%mb\n",
    ];
    for script in scripts {
        let dir = Dir::new().with("player.sh", STUBBORN).with("t.in", script);
        dir.write("wrapper.sh", "sh player.sh & wait");
        let ran = run(&dir, &["t.in"]);
        assert!(ran.exits_with(1).stdout.contains("time limit exceeded"), "{script}: {ran:?}");
        is_gone(stubborn(&dir));
    }
}

#[test]
fn processes_left_behind_are_killed() {
    let dir = Dir::new().with("player.sh", STUBBORN).with("t.in", "#* sh wrapper.sh\n");
    dir.write("wrapper.sh", "sh player.sh & while [ ! -s stubborn ]; do sleep 0.02; done; exit 0");
    run(&dir, &["t.in"]).exits_with(0);
    is_gone(stubborn(&dir));
}

#[test]
fn a_signal_also_ends_the_programs() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let dir = Dir::new().with("player.sh", STUBBORN).with("t.in", "#* sh player.sh\n#*time 60 60\n#*move\n");
        let mut command = Command::new(Program::TestLoa.path());
        command.arg("t.in").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.current_dir(dir.path(".")).spawn().expect("a program that starts");
        let program = stubborn(&dir);
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        dir.wait_for(child).exits_with(code);
        is_gone(program);
    }
}

#[test]
fn a_program_that_does_not_read_does_not_block() {
    let lines = "dump dump dump dump dump dump\n".repeat(20_000);
    assert_eq!(verdict_2020("exec sleep 0.3", &lines), "");
    let late = "time limit exceeded, waiting for a move";
    assert_eq!(verdict_2020("exec sleep 100", &format!("{lines}#*time 0.3 9\n#*move\n")), late);
    let unread = "ended with exit status: 0 before it read \"dump dump dump dump dump dump\"";
    assert_eq!(verdict_2015("exec sleep 0.3", "", &lines), unread);
    // The program is closed when the other script ends.
    let reason = verdict_of_two_2015(["exec sleep 1", "echo Tie game."], "", [&lines, "%e"]);
    assert_eq!(reason, format!("program 1: {unread}"));
    assert_eq!(verdict_of_two_2015(["exec sleep 100", "echo Tie game."], "", [&lines, "%e"]), "", "it is killed");
}

#[test]
fn a_program_that_prints_endlessly_does_not_block() {
    let late = "time limit exceeded, waiting for ";
    // An endless line, longer than the output that is kept.
    let endless = "exec cat /dev/zero";
    assert_eq!(verdict_2020(endless, "#*time 0.5 9\n#*move\n"), format!("{late}a move"));
    assert_eq!(verdict_2015("yes hm", "--time=0.005", "%mb\n"), format!("{late}move of Black"));
    let kept = "printed more than 100000 messages and dump lines";
    assert_eq!(verdict_2015("echo ===; yes", "", "%mb\n"), kept);
    assert_eq!(verdict_2015("yes W::a2-c2", "", "%e\n"), "found \"W::a2-c2\", expected the end of the game");
    assert_eq!(verdict_2015("yes W::a2-c2", "", "%mw\ndump\n%mw\n"), kept);
    let reason = verdict_of_two_2020(["yes", "sleep 100"], ["", "#*time 90 90\n#*move\n"]);
    assert_eq!(reason, "program 1: printed more than 3000 lines");
}

#[test]
fn memory_is_bounded() {
    let long = "head -c 200000000 /dev/zero; echo; head -c 200000000 /dev/zero >&2; cat";
    let dir = Dir::new().with("player.sh", long).with("t.in", "#* sh player.sh\n");
    let ran = dir.run_in_shell("ulimit -v 400000; exec \"$0\" --verbose t.in", Program::TestLoa);
    ran.exits_with(0).stdout_starts_with("** t PASSED.");
    let remark = "(a line of more than 16 MiB)\n";
    ran.stderr_contains(&[&format!("[1]> {remark}"), &format!("[1]E> {remark}")]);

    let endless = "printf '===\\n'; head -c 20000000 /dev/zero";
    let reason = "printed a dump line of more than 16777216 bytes";
    assert_eq!(verdict_2020(endless, "dump\n"), reason);
    let many = "echo ===; for i in $(seq 8); do head -c 10000000 /dev/zero; echo; done";
    assert_eq!(verdict_2015(many, "", "%e\n"), "printed more than 67108864 bytes of dumps");

    let errors = "yes $(seq 200) >&2";
    let dir = Dir::new().with("player.sh", errors).with("t.in", "sh player.sh --time=0.02\nNone\n===#1===\n%mb\n");
    let ran = dir.run_in_shell("ulimit -v 400000; exec \"$0\" t.in", Program::TestLoa);
    ran.exits_with(1).stdout_starts_with("t: FAIL (time limit exceeded");
}

#[test]
fn an_unwritable_output_is_an_error_only_if_it_is_needed() {
    let dir = Dir::new().with("t.in", "#* cat\n").with("u.in", "cat\nNone\n===#1===\n");
    for name in ["t.out", "t.out.tmp", "u.out.tmp"] {
        dir.make_dir(name);
    }
    for (arguments, expected) in [
        (&["--keep", "t.in"][..], "** t FAILED (cannot write t.out: Is a directory"),
        (&["--std", "t.in"], "** t FAILED (cannot write t.out.tmp: Is a directory"),
        (&["--std", "u.in"], "u: ERROR (cannot write u.out.tmp: Is a directory"),
    ] {
        run(&dir, arguments).exits_with(1).stdout_starts_with(expected);
    }
    run(&dir, &["t.in"]).exits_with(0);
    assert_eq!(dir.names(), ["t.in", "t.out", "t.out.tmp", "u.in", "u.out.tmp"]);
}

#[test]
fn a_program_that_is_not_executable_is_reported() {
    let dir = Dir::new().with("player", "#!/bin/sh\n").with("t-1.in", "#* cat\n").with("t-2.in", "#* ./player\n");
    dir.set_mode("player", 0o644);
    let expected = "** t-1 FAILED (program 2: cannot run ./player: Permission denied (os error 13))";
    run(&dir, &["t-1.in"]).exits_with(1).stdout_starts_with(expected);
}
