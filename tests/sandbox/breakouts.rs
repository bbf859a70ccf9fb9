//! Agents cannot reach things that belong to others.

use std::fs;
use std::process::Command;

use kingline_master::sandbox::{DiskLimit, Job, JobEnd, Output, Policy, Sandbox};

use super::{As, hostile, job, limits, sandbox, ways};
use crate::support::command::*;

#[test]
fn no_breakout_is_possible() {
    for way in ways() {
        for behavior in
            ["spy", "vandal", "sockets", "signals", "privileges", "unlimited", "files-left-open", "residency"]
        {
            let tried = way.behave(&[], &[behavior]);
            assert_eq!((&tried.end[..], &tried.stderr[..]), ("exit code 0", ""), "{way:?} {behavior}");
        }
    }
}

/// Excludes masters without root or namespaces; they report this, and their results are unofficial.
#[test]
fn agents_see_nothing_of_others_and_change_nothing_of_their_own() {
    for way in ways().iter().filter(|way| way.who != As::Agent) {
        for behavior in ["observer", "keeper"] {
            let tried = way.behave(&[], &[behavior]);
            assert_eq!((&tried.end[..], &tried.stderr[..]), ("exit code 0", ""), "{way:?} {behavior}");
        }
    }
}

#[test]
fn hidden_files_stay_invisible_in_a_visible_folder() {
    let dir = Dir::new();
    dir.make_dir("class");
    dir.make_dir("class/a");
    dir.write("class/a/weights", "secret");
    dir.write("class/list", "public");
    let policy = Policy {
        launcher: Program::Master.path().to_path_buf(),
        hidden: vec![dir.path("class/a")],
        readable: vec![dir.path("class")],
        ..Policy::default()
    };
    let sandbox = Sandbox::open(&policy).expect("means to confine agents");
    let mut cell = sandbox.cell(&dir.path(""), "cell", DiskLimit::default()).expect("a cell");
    let script = format!("cat {0}/class/list; ls {0}/class/a; cat {0}/class/a/weights", dir.path("").display());
    let run = cell.run(&job("/bin/sh", &["-c", &script])).expect("a run");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "public", "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn agents_inherit_no_open_files() {
    let dir = Dir::new();
    let line = "exec 7< /etc/passwd 9> leak; exec \"$0\" doctor -- \"$1\" files-left-open";
    let mut shell = Command::new("bash");
    shell.args(["-c", line]).arg(Program::Master.path()).arg(hostile());
    dir.run_command(&mut shell).exits_with(0).stdout_contains(&["exit code 0"]);
}

#[test]
fn an_agent_starts_with_a_clean_environment() {
    const PYTHON: &str = "PYTHONDONTWRITEBYTECODE";
    for way in ways() {
        let script = "env | cut -d= -f1 | sort | tr '\\n' ' '; grep -E '^(SigBlk|NoNewPrivs|CapEff)' /proc/self/status; \
                      umask; test \"$PWD\" = \"$HOME\" && ls -A";
        let tried = way.run(&[], &["sh", "-c", script]);
        // If it cannot fork, the shell has only its builtins.
        if way.tier != kingline_master::sandbox::Tier::Rusage {
            let words: Vec<&str> = tried.stdout.split_whitespace().collect();
            let zero = "0000000000000000";
            let expected =
                ["HOME", "LANG", "PATH", "PWD", PYTHON, "TMPDIR", "CapEff:", zero, "NoNewPrivs:", "1", "SigBlk:", zero];
            let found: Vec<&str> = words.iter().copied().filter(|word| *word != "0022").collect();
            assert_eq!(sorted(&found), sorted(&expected), "{way:?} {tried:?}");
        }
    }
}

fn sorted<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

#[test]
fn the_two_sides_of_a_game_are_isolated() {
    let (dir, sandbox) = (Dir::new(), sandbox());
    let cell = |name: &str| sandbox.cell(&dir.path(""), name, DiskLimit::default()).expect("a cell");
    let (mut black, white) = (cell("black"), cell("white"));
    white.write("input.txt", b"secret").expect("a file");
    dir.write("note", "secret too");
    let others = [white.dir().to_path_buf(), dir.path("note"), dir.path("white.view")];
    for behavior in ["spy", "vandal"] {
        let arguments = std::iter::once(behavior.into()).chain(others.iter().map(Into::into)).collect();
        let job = Job {
            program: hostile(),
            arguments,
            readable: vec![hostile()],
            input: Vec::new(),
            output: Output::Discard,
            limits: limits(),
        };
        let run = black.run(&job).expect("a run");
        assert_eq!(run.end, JobEnd::Exited(0), "{}", String::from_utf8_lossy(&run.stderr));
    }
    assert_eq!(fs::read(white.dir().join("input.txt")).expect("a file"), b"secret");
    assert_eq!(dir.read("note").as_deref(), Some("secret too"));
}
