//! INPUT-FILE, OUTPUT-FILE and LOGFILE of `loa` are three different files, whatever their names (§2).

use std::fs;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use crate::support::command::*;

const SCRIPT: &str = "manual white\ndump\nb1-b3\n";
/// Start of a shell line that simulates a full disk, to stop a program that reads its own prompts.
const SMALL_DISK: &str = "trap '' XFSZ; ulimit -f 64;";

/// Directory with a script under many names and an earlier output.
fn with_script() -> Dir {
    let dir = Dir::new().with("x", SCRIPT).with("out", "before\n");
    dir.make_dir("folder");
    dir.link("x", "link");
    dir.link("../x", "folder/link");
    dir.link(".", "here");
    fs::hard_link(dir.path("x"), dir.path("same")).expect("a link");
    // Links to files that do not exist yet.
    dir.link("new", "dangling");
    dir.link("../new", "folder/dangling");
    dir
}

fn run(dir: &Dir, line: &str) -> Ran {
    dir.run_in_shell(&format!("{SMALL_DISK} exec \"$0\" {line}"), Program::Loa)
}

#[track_caller]
fn refused(dir: &Dir, line: &str, parts: &[&str]) {
    let names = dir.names();
    let ran = run(dir, line);
    ran.exits_with(1).stderr_contains(&["loa: "]).stderr_contains(parts).stderr_contains(&["use another file for"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:#?}");
    assert_eq!(dir.names(), names, "{line}: a file was made");
    assert_eq!(dir.read("x").as_deref(), Some(SCRIPT), "{line}: the script is lost");
    assert_eq!(dir.read("out").as_deref(), Some("before\n"), "{line}: the earlier output is lost");
}

#[test]
fn the_script_is_never_overwritten_under_any_name() {
    let dir = with_script();
    let absolute = dir.path("x").display().to_string();
    for name in ["x", "./x", "folder/../x", "link", "folder/link", "here/x", "here/here/link", "same", &absolute] {
        for script in ["x", "link", "same"] {
            let both = [&format!("OUTPUT-FILE {name}")[..], &format!("INPUT-FILE {script}"), "are the same file"];
            refused(&dir, &format!("{script} {name}"), &both);
            let both = [&format!("LOGFILE {name}")[..], &format!("INPUT-FILE {script}"), "are the same file"];
            refused(&dir, &format!("--log={name} {script} out"), &both);
        }
        refused(&dir, &format!("- {name} < x"), &["OUTPUT-FILE", "standard input", "are the same file"]);
        refused(
            &dir,
            &format!("/dev/stdin {name} < x"),
            &["OUTPUT-FILE", "INPUT-FILE /dev/stdin", "are the same file"],
        );
        refused(&dir, &format!("--log={name} < x"), &["LOGFILE", "standard input", "are the same file"]);
    }
}

#[test]
fn output_and_log_are_two_files() {
    let dir = with_script();
    for (output, log) in [
        ("out", "out"),
        ("new", "./new"),
        ("new", "here/new"),
        ("new", "dangling"),
        ("folder/dangling", "dangling"),
        ("folder/new", "here/folder/new"),
    ] {
        for (output, log) in [(output, log), (log, output)] {
            let both = [&format!("LOGFILE {log}")[..], &format!("OUTPUT-FILE {output}"), "are the same file"];
            refused(&dir, &format!("--log={log} x {output}"), &both);
        }
    }
    refused(&dir, "--log=out x >> out", &["LOGFILE out", "standard output", "are the same file"]);
    refused(&dir, "--log=/dev/stdout x >> out", &["LOGFILE /dev/stdout", "standard output", "are the same file"]);
}

#[test]
fn its_own_output_is_never_its_input() {
    let dir = with_script();
    refused(&dir, "x >> x", &["standard output", "INPUT-FILE x", "are the same file"]);
    refused(&dir, "< x >> same", &["standard output", "standard input", "are the same file"]);
    refused(&dir, "x /dev/stdout >> x", &["OUTPUT-FILE /dev/stdout", "INPUT-FILE x", "are the same file"]);
    // Standard error must never be the input.
    run(&dir, "x /dev/null 2>> x").exits_with(1);
    let text = dir.text("x");
    let error = text.strip_prefix(SCRIPT).expect("the script");
    assert!(
        error.contains("standard error and INPUT-FILE x are the same file") && error.lines().count() == 1,
        "{text}"
    );
    // The shell has already emptied the file.
    run(&dir, "x > x").exits_with(1).stderr_contains(&["standard output", "INPUT-FILE x", "are the same file"]);
    assert_eq!(dir.read("x").as_deref(), Some(""));
    dir.make_pipe("pipe");
    // A pipe that the shell holds open at both ends.
    let ran = run(&dir, "pipe pipe 3<> pipe");
    ran.exits_with(1).stderr_contains(&["OUTPUT-FILE pipe", "INPUT-FILE pipe", "are the same file"]);
}

#[test]
fn streams_that_hold_nothing_may_be_one() {
    let dir = with_script();
    for line in [
        "/dev/null /dev/null --log=/dev/null",
        "x /dev/null --log=/dev/null",
        "x --log=/dev/null > /dev/null",
        "< /dev/null > /dev/null 2> /dev/null",
        // One pipe for all outputs.
        "x --log=/dev/stdout 2>&1",
        "x > all 2>&1",
        "- new --log=other < x",
        "x new --log=same-not",
    ] {
        run(&dir, line).exits_with(0);
    }
    assert!(dir.read("all").is_some_and(|text| text.contains("Next move: black")));
    assert_eq!(dir.read("same-not").as_deref(), Some(SCRIPT));
    assert_eq!(dir.read("x").as_deref(), Some(SCRIPT));
}

#[test]
fn one_socket_may_be_both_ends() {
    let (mut ours, theirs) = UnixStream::pair().expect("a socket");
    let stream = || Stdio::from(OwnedFd::from(theirs.try_clone().expect("a socket")));
    let mut command = Command::new(Program::Loa.path());
    let child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().expect("a program that starts");
    ours.write_all(b"quit\n").expect("a socket");
    Dir::new().wait_for(child).exits_with(0);
}

#[test]
fn a_saved_game_replaces_none_of_the_files_in_use() {
    let dir = with_script();
    let script = "manual white\nsave ./x\nsave link\nsave here/new\nsave log\nsave game\nb1-b3\n";
    dir.write("x", script);
    let ran = run(&dir, "--log=log x new");
    let errors =
        ["FILE ./x and INPUT-FILE x", "FILE link and", "FILE here/new and OUTPUT-FILE new", "FILE log and LOGFILE"];
    ran.exits_with(0).stderr_contains(&errors).stderr_contains(&[
        "Error: ",
        "are the same file",
        "use another file for FILE",
    ]);
    assert_eq!(ran.stderr.lines().count(), 4, "{ran:#?}");
    assert_eq!((dir.read("x").as_deref(), dir.read("log").as_deref()), (Some(script), Some(script)));
    assert!(dir.read("new").is_some_and(|text| text.ends_with("w> ")));
    assert!(dir.read("game").is_some_and(|text| text.starts_with("(;")));
}

#[test]
fn nothing_is_emptied_if_another_file_cannot_be_opened() {
    let dir = with_script();
    dir.write("log", "before\n");
    for (line, message) in [
        ("--log=none/log x out", "cannot create none/log: "),
        ("--log=log x none/out", "cannot create none/out: "),
        ("--log=log none out", "cannot open none: "),
        ("--log=folder x out", "cannot create folder: "),
    ] {
        run(&dir, line).exits_with(1).stderr_contains(&["loa: ", message]);
        assert_eq!(dir.read("out").as_deref(), Some("before\n"), "{line}");
        assert_eq!(dir.read("log").as_deref(), Some("before\n"), "{line}");
    }
    // The earlier output is longer than the new one.
    dir.write("out", "before\n".repeat(1000));
    run(&dir, "--log=log x out").exits_with(0);
    assert!(dir.read("out").is_some_and(|text| text.ends_with("> ") && !text.contains("before")));
    assert_eq!(dir.read("log").as_deref(), Some(SCRIPT));
}
