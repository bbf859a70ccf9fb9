//! A `calibrate` that hangs, crashes or does not compile costs nothing, and is waited for only once.

use std::time::{Duration, Instant};

use super::builds::{blitz_with, class_with, graded};
use crate::support::referee::*;
use crate::support::submissions::*;

fn notes(grade: &Value) -> String {
    list(&grade["notes"]).iter().map(|note| note.as_str().expect("a note")).collect()
}

#[test]
fn no_calibrate_costs_a_point() {
    if is_skipped("master::calibrations::no_calibrate_costs_a_point", &["gcc", "python3"]) {
        return;
    }
    let class = class_with(&json!({ "build": { "seconds": 10 }, "calibrate": { "seconds": 3 } }));
    let works = "#include <stdio.h>\nint main() { fputs(\"1\", fopen(\"calibration.txt\", \"w\")); }\n";
    let all: Vec<(&str, Files, &str)> = vec![
        ("none", c(), ""),
        ("hangs", with(c(), "calibrate.py", "while 1: pass\n"), "calibrate took longer than 3 s"),
        ("sleeps", with(c(), "calibrate.py", "import time; time.sleep(99)\n"), "calibrate took longer than 3 s"),
        ("crashes", with(c(), "calibrate.py", "x\n"), "calibrate: exit code 1; stderr:\nTraceback"),
        ("broken", with(c(), "calibrate.c", "int main( {}\n"), "calibrate: it cannot be built: calibrate.c:1:"),
        ("two", with(with(c(), "calibrate.c", ""), "calibrate.py", ""), "calibrate: calibrate.py, calibrate.c are all"),
        ("no-main", with(c(), "calibrate.java", "class A {}\n"), "calibrate: calibrate.java has no class with"),
        ("closed", with(c(), "calibrate", "x"), "calibrate is not executable"),
        ("crlf", with(c(), "calibrate.c", "#include \"/dev/zero\"\n"), "calibrate: it cannot be built"),
        ("silent", with(c(), "calibrate.c", "int main() {}\n"), "calibrate wrote no calibration.txt"),
        ("works", with(c(), "calibrate.c", works), ""),
    ];
    for (name, files, _) in &all {
        As::Folder.write(&class, name, files);
    }
    let begin = Instant::now();
    let ran = class.grade("--json --jobs 2");
    let took = begin.elapsed();
    ran.exits_with(0).stderr_contains(&["calibrating hangs, up to 3 s\n", "calibrating works, up to 3 s\n"]);
    let first = ran.json::<Value>();
    for (name, _, expected) in &all {
        let grade = graded(&first, name);
        assert_eq!(grade["points"], 1, "{name}: {grade}");
        let notes = notes(grade);
        assert!(notes.contains(expected) && notes.is_empty() == expected.is_empty(), "{name}: {notes}");
    }
    let begin = Instant::now();
    let again = class.grade("--json --jobs 2");
    again.exits_with(0).stderr_lacks(&["calibrating"]);
    assert!(begin.elapsed() < took / 2, "{:?}, first {took:?}", begin.elapsed());
    for (name, ..) in &all {
        assert_eq!(notes(graded(&again.json::<Value>(), name)), notes(graded(&first, name)), "{name}");
    }
}

#[test]
fn a_tournament_and_a_check_name_a_calibrate_that_hangs() {
    if is_skipped("master::calibrations::a_tournament_and_a_check", &["python3"]) {
        return;
    }
    let class = Dir::class(1);
    class.hand_in(&["hangs", "plain"]);
    class.write("class/hangs/calibrate.py", "while 1: pass\n");
    blitz_with(&class, &json!({ "calibrate": { "seconds": 2 } }));
    let line = "calibrating hangs, up to 2 s\n";
    let tournament = "tournament class --league league.json --any-tier";
    let told = "master: hangs: calibrate took longer than 2 s";
    class.master(tournament).exits_with(0).stderr_contains(&[line, told]);
    // Other games, but the same calibration.
    let begin = Instant::now();
    class.master(&format!("{tournament} --games 4")).exits_with(0).stderr_lacks(&[line]);
    assert!(begin.elapsed() < Duration::from_secs(60));
    let ran = class.master("check class/hangs --league league.json");
    ran.exits_with(1).stdout_contains(&["calibrate took longer than 2 s"]).stderr_contains(&[line]);
}

#[test]
fn a_terminal_shows_for_how_long_a_calibrate_has_been_running() {
    let dir = Dir::new();
    dir.scripted("slow", Program::Reference, "exec ./engine");
    dir.write_program("slow/calibrate", "#!/bin/sh\nsleep 2\necho 1 > calibration.txt\n");
    let Some(shown) = on_a_terminal(&dir, "\"$MASTER\" check slow", &[("TERM", "xterm")]) else { return };
    contains(&shown, &["0s: calibrating slow, up to 300 s", "1s: calibrating slow, up to 300 s"]);
}
