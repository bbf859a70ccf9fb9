//! The usual mistakes of those who hand in agents: each is named, with the way out, before the first game where it can be.

use std::os::unix::fs::symlink;

use kingline::master::record::{EndReason, FaultKind, GameRecord};

use crate::support::command::{Dir, Program};

#[test]
fn what_can_never_run_is_refused_before_the_first_game() {
    for (file, text, said) in [
        (
            "run.sh",
            "#!/bin/sh\r\nexec ./engine\r\n",
            "run.sh has CRLF line ends, expected LF; the way out: sed -i 's/\\r$//' ",
        ),
        ("homework", "#!/usr/bin/env python3\r\nprint()\r\n", "homework has CRLF line ends"),
        (
            "homework",
            "#!/home/x/venv/bin/python\n",
            "names /home/x/venv/bin/python, and there is no such program; the way out: ",
        ),
        (
            "Homework",
            "#!/bin/sh\n",
            "no program, expected homework or run.sh; there is Homework, the way out: mv Homework homework",
        ),
        ("main.py", "", "there is main.py, the way out: mv main.py homework.py"),
        ("Homework.class", "", "the way out: a run.sh with the line `exec java Homework`"),
        ("loa6", "", "there is loa6, the way out: it plays another game, see --league; or mv loa6 homework"),
    ] {
        let dir = Dir::new();
        dir.make_dir("agent");
        dir.write_program(&format!("agent/{file}"), text);
        let ran = dir.run_with_args(Program::Master, &["play", "agent", "agent"]);
        ran.exits_with(2).stderr_contains(&[said]);
        let ran = dir.run_with_args(Program::Master, &["check", "agent"]);
        assert!(ran.exits_with(1).stdout.contains(said), "{said}: {ran:#?}");
    }
    let dir = Dir::new();
    dir.make_dir("agent");
    dir.write("agent/homework", "#!/bin/sh\n");
    let ran = dir.run_with_args(Program::Master, &["play", "agent", "agent"]);
    ran.exits_with(2).stderr_contains(&["homework is not executable; the way out: chmod +x "]);
}

#[test]
fn an_agent_that_may_start_no_processes_is_told_so() {
    let dir = Dir::new();
    dir.make_dir("agent");
    dir.write_program("agent/run.sh", "#!/bin/sh\ncat input.txt > output.txt\n");
    let ran = dir.run_with_args(Program::Master, &["check", "agent", "--tier", "rusage"]);
    let said =
        "in the tier rusage there may be none; the way out: fewer, or a machine with another tier, see `master doctor`";
    assert!(ran.exits_with(1).stdout.contains(said), "{ran:#?}");
}

#[test]
fn what_fails_in_a_game_is_named_in_the_verdict() {
    for (script, kind, said) in [
        (
            "#!/bin/sh\necho 'Error: Could not find or load main class Homework' >&2; exit 1\n",
            FaultKind::Crashed,
            "there is no class Homework, but Agent; the way out: `java Agent` in run.sh",
        ),
        ("#!/bin/sh\nexec ./engine\n", FaultKind::Crashed, "engine is not executable; the way out: chmod +x engine"),
        ("#!VENV/sh\n", FaultKind::NotStarted, "VENV/sh, which agents may not see: "),
    ] {
        let dir = Dir::new();
        dir.make_dir("agent");
        dir.make_dir("venv");
        symlink("/bin/sh", dir.path("venv/sh")).expect("a link");
        let venv = dir.path("venv").display().to_string();
        dir.write_program("agent/run.sh", &script.replace("VENV", &venv));
        dir.write("agent/Agent.class", "");
        dir.write("agent/engine", "#!/bin/sh\n");
        let ran = dir.run_with_args(Program::Master, &["play", "agent", "agent", "--json"]);
        let record: GameRecord = serde_json::from_str(&ran.exits_with(0).stdout).expect("a record");
        let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{record:#?}") };
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.read.contains(&said.replace("VENV", &venv)), "{fault}");
        let ran = dir.run_with_args(Program::Master, &["check", "agent"]);
        assert!(ran.exits_with(1).stdout.contains("the way out: "), "{ran:#?}");
    }
}

/// A program that keeps running may be missing, or end, too.
#[test]
fn a_console_program_that_is_gone_says_how_it_ended() {
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
        ("missing", FaultKind::NotStarted, "venv/sh, which agents may not see: "),
        ("broken", FaultKind::Crashed, "exit code 3; stderr: no board"),
    ] {
        let arguments = ["play", name, "good", "--league", "loa", "--opening", "0", "--json"];
        let ran = dir.run_with_args(Program::Master, &arguments);
        let record: GameRecord = serde_json::from_str(&ran.stdout).expect("a record");
        let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{}", record.verdict) };
        assert_eq!(fault.kind, kind, "{}", record.verdict);
        assert!(fault.read.contains(read), "{}", record.verdict);
    }
}
