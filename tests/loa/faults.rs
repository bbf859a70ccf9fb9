//! Failing streams of `loa`, and extreme input.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::command::*;

/// Asserts that `input` between two dumps causes one error and leaves the board unchanged.
#[track_caller]
fn refused(input: &[u8], message: &str) {
    let between = |bytes: &[u8]| [b"manual white\ndump\n", bytes, b"\ndump\n"].concat();
    let dir = Dir::new();
    for dialect in ["2020", "2015"] {
        let arguments = ["--dialect", dialect];
        let ran = dir.run_with_input(Program::Loa, &arguments, between(input));
        let plain = dir.run_with_input(Program::Loa, &arguments, between(b"#"));
        assert_eq!(ran.exits_with(0).stderr_contains(&["Error: ", message]).stdout, plain.stdout);
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

#[test]
fn invalid_utf8_and_overlong_lines_are_refused() {
    let all_but_ends: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    refused(&all_but_ends, "unknown command: found \"\\0");
    refused(b"\xff\xfed\0u\0m\0p\0", "unknown command");
    refused(b"b1-b\xff", "unknown command");
    refused("quit\u{e9}".as_bytes(), "unknown command");
    refused(&[b'x'; 60_000], "unknown command: found \"xxx");
    refused(&[b'x'; 1 << 20], "line too long: expected at most 65536 bytes");
    refused(&[b"quit".to_vec(), vec![b' '; 1 << 20], b"dump".to_vec()].concat(), "line too long");
    refused(&[b"seed ".to_vec(), vec![b'9'; 60_000]].concat(), "invalid number: found \"9999");
    refused(&[b"b1-b3".to_vec(), vec![0; 1 << 17]].concat(), "line too long");
}

#[test]
fn an_endless_line_takes_no_memory() {
    let dir = Dir::new();
    let ran = dir.run_in_shell("ulimit -v 400000; head -c 300000000 /dev/zero | \"$0\"", Program::Loa);
    ran.exits_with(0).stderr_contains(&["Error: line too long"]);
}

#[test]
fn a_closed_stdout_ends_the_program_without_failure() {
    let dir = Dir::new();
    // More than a pipe's buffer, so that the program notices the closed end.
    let many = "dump\n".repeat(3000);
    dir.write("many.in", format!("manual white\n{many}"));
    for reader in ["head -n 3", "true"] {
        let ran = dir.run_in_shell(&format!("(\"$0\" many.in; echo $? >&2) | {reader}"), Program::Loa);
        assert_eq!(ran.stderr, "0\n", "{ran:?}");
    }
    // A closed stderr does not stop the program.
    let line = "(sleep 0.2; echo jump; echo dump) | \"$0\" 2>&1 >a.out | true";
    dir.run_in_shell(line, Program::Loa).exits_with(0);
    assert!(dir.read("a.out").is_some_and(|text| text.contains("Next move: black")));
}

#[test]
fn an_automatic_game_stops_when_stdout_is_closed() {
    let mut command = Command::new(Program::Loa.path());
    command.args(["--dialect=2015", "--time=0.01"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a program that starts");
    drop(child.stdout.take());
    // The input stays open, so that only the closed output can end the program.
    let mut input = child.stdin.take().expect("stdin");
    // The program may have ended already.
    let _ = input.write_all(b"auto black\nstart\n");
    let ran: Ran = Dir::new().wait_for(child);
    ran.exits_with(0);
}

#[test]
fn a_full_disk_is_an_error() {
    let dir = Dir::new();
    for line in ["\"$0\" > /dev/full", "\"$0\" - /dev/full", "echo dump | \"$0\" > /dev/full"] {
        dir.run_in_shell(line, Program::Loa)
            .exits_with(1)
            .stderr_contains(&["loa: cannot write output: No space left"]);
    }
    let ran = dir.run_in_shell("echo dump | \"$0\" --log=/dev/full", Program::Loa);
    ran.exits_with(1).stderr_contains(&["loa: cannot write the log: No space left"]);
    // A saved game is complete, or not written at all.
    dir.write("old.sgf", "(;as it was");
    let ran = dir.run_in_shell("trap '' XFSZ; ulimit -f 0; echo 'save old.sgf' | \"$0\" | cat", Program::Loa);
    ran.exits_with(0).stderr_contains(&["Error: cannot write old.sgf: ", "too large"]);
    assert_eq!((dir.read("old.sgf").as_deref(), dir.names().len()), (Some("(;as it was"), 1));
}
