//! Common mistakes in submissions, each reported with help, before the first game if possible; and what this machine lacks,
//! which is reported once at the top and for each student, and costs nobody a point.

use std::os::unix::fs::symlink;

use kingline_master::record::{EndReason, FaultKind, GameRecord};

use crate::master::submissions::{As, class, grade, lacks, text, with};
use crate::support::command::Dir;
use crate::support::programs::Program;
use crate::support::skipped::skipped;

#[test]
fn programs_that_cannot_run_are_refused_before_the_first_game() {
    for (file, text, reported) in [
        (
            "run.sh",
            "#!/bin/sh\r\nexec ./engine\r\n",
            "run.sh has CRLF line endings, expected LF; help: sed -i 's/\\r$//' ",
        ),
        ("homework", "#!/usr/bin/env python3\r\nprint()\r\n", "homework has CRLF line endings"),
        ("homework", "#!/home/x/venv/bin/python\n", "names /home/x/venv/bin/python, which does not exist; help: "),
        (
            "Homework",
            "#!/bin/sh\n",
            "no program, expected homework or run.sh; found Homework; help: mv Homework homework",
        ),
        ("Homework.class", "", "help: add a run.sh with the line `exec java Homework`"),
        ("loa6", "", "found loa6; help: it plays another game (see --league), or mv loa6 homework"),
    ] {
        let dir = Dir::new();
        dir.make_dir("agent");
        dir.write_program(&format!("agent/{file}"), text);
        let ran = dir.master(&["play", "agent", "agent"]);
        ran.exits_with(2).stderr_contains(&[reported]);
        let ran = dir.master(&["check", "agent"]);
        assert!(ran.exits_with(1).stdout.contains(reported), "{reported}: {ran:#?}");
    }
    let dir = Dir::new();
    dir.make_dir("agent");
    dir.write("agent/homework", "#!/bin/sh\n");
    let ran = dir.master(&["play", "agent", "agent"]);
    ran.exits_with(2).stderr_contains(&["homework is not executable; help: chmod +x "]);
}

#[test]
fn an_agent_that_cannot_start_processes_gets_help() {
    let dir = Dir::new();
    dir.make_dir("agent");
    dir.write_program("agent/run.sh", "#!/bin/sh\ncat input.txt > output.txt\n");
    let ran = dir.master(&["check", "agent", "--tier", "rusage"]);
    let said =
        "the rusage tier allows none; help: start fewer, or use a machine with another tier (see `master doctor`)";
    assert!(ran.exits_with(1).stdout.contains(said), "{ran:#?}");
}

#[test]
fn the_verdict_names_the_cause_of_a_failure() {
    for (script, kind, said) in [
        (
            "#!/bin/sh\necho 'Error: Could not find or load main class Homework' >&2; exit 1\n",
            FaultKind::Crashed,
            "there is no class Homework, only Agent; help: run `java Agent` in run.sh",
        ),
        ("#!/bin/sh\nexec ./engine\n", FaultKind::Crashed, "engine is not executable; help: run `chmod +x engine`"),
        ("#!VENV/sh\n", FaultKind::NotStarted, "VENV/sh, which agents cannot see: "),
    ] {
        let dir = Dir::new();
        dir.make_dir("agent");
        dir.make_dir("venv");
        symlink("/bin/sh", dir.path("venv/sh")).expect("a link");
        let venv = dir.path("venv").display().to_string();
        dir.write_program("agent/run.sh", &script.replace("VENV", &venv));
        dir.write("agent/Agent.class", "");
        dir.write("agent/engine", "#!/bin/sh\n");
        let ran = dir.master(&["play", "agent", "agent", "--json"]);
        let record: GameRecord = ran.exits_with(0).json();
        let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{record:#?}") };
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.read.contains(&said.replace("VENV", &venv)), "{fault}");
        let ran = dir.master(&["check", "agent"]);
        assert!(ran.exits_with(1).stdout.contains("help: "), "{ran:#?}");
    }
}

/// A program that plays a whole game can also be missing, or end early.
#[test]
fn the_verdict_names_the_end_of_a_console_program() {
    let dir = Dir::new();
    for name in ["good", "missing", "broken"] {
        dir.make_dir(name);
    }
    std::fs::copy(Program::Loa.path(), dir.path("good/loa")).expect("a copy");
    dir.make_dir("venv");
    symlink("/bin/sh", dir.path("venv/sh")).expect("a link");
    dir.write_program("missing/loa", &format!("#!{}\n", dir.path("venv/sh").display()));
    dir.write_program("broken/run.sh", "#!/bin/sh\necho no board >&2\nexit 3\n");
    for (name, kind, read) in [
        ("missing", FaultKind::NotStarted, "venv/sh, which agents cannot see: "),
        ("broken", FaultKind::Crashed, "exit code 3; stderr: no board"),
    ] {
        let arguments = ["play", name, "good", "--league", "loa", "--opening", "0", "--json"];
        let ran = dir.master(&arguments);
        let record: GameRecord = ran.json();
        let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{}", record.verdict) };
        assert_eq!(fault.kind, kind, "{}", record.verdict);
        assert!(fault.read.contains(read), "{}", record.verdict);
    }
}

/// Lines of an agent that always answers the same.
const AGENT: &str = "open('output.txt', 'w').write('E c3 b4\\n')\n";

#[test]
fn a_promised_module_that_is_missing_is_not_the_students_fault() {
    if lacks("python3") {
        return skipped("master::mistakes", "there is no python3");
    }
    let class = class(1);
    let importing = |module: &str| text("homework.py", &format!("import {module}\n{AGENT}"));
    As::Folder.write(&class, "ada", &importing("nosuchmodule"));
    As::Folder.write(&class, "cem", &importing("nosuchmodule_of_mine"));
    let guarded = format!("try:\n  import nosuchmodule\nexcept ImportError:\n  pass\n{AGENT}");
    As::Folder.write(&class, "dan", &text("homework.py", &guarded));
    As::Folder.write(&class, "eva", &with(importing("nosuchmodule"), "nosuchmodule.py", ""));
    class.write(
        "course.json",
        "{\"moves\": {\"count\": 1, \"seconds\": 9}, \"games\": [], \"modules\": [\"nosuchmodule\"]}",
    );
    let ran = grade(&class, &["--csv", "book.csv", "--report", "reports", "--seed", "3"]);
    ran.exits_with(1).stderr_contains(&[
        "master: this machine lacks nosuchmodule for python3, which 3 of these need: ada, dan, eva\n",
        "master: 1 of 4 submissions could not be graded completely",
    ]);
    let book = class.text("book.csv");
    let states: Vec<(&str, bool)> = book
        .lines()
        .skip(1)
        .map(|line| (line.split(',').next().unwrap_or_default(), line.contains("not graded")))
        .collect();
    assert_eq!(states, [("ada", true), ("cem", false), ("dan", false), ("eva", false)], "{book}");
    let page = class.text("reports/pages/ada.html");
    assert!(page.contains("not graded: this machine has no nosuchmodule for python3"), "{page}");
    class.write("course.json", "{\"moves\": {\"count\": 1, \"seconds\": 9}, \"games\": [], \"modules\": [3]}");
    grade(&class, &[]).exits_with(2).stderr_contains(&["course.json", "expected a string"]);
}
