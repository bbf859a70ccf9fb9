//! Endgame tables: builds, even after interruptions and damage; side files; and the longest wins.

mod build;
mod cost;
mod longest_wins;
mod naming;
mod side_file;

use std::process::Command;
use std::sync::OnceLock;

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;

/// Makes the command line of `calibrate tables`.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(Program::Calibrate.path());
    command.arg("tables").args(arguments);
    command
}

fn run(dir: &Dir, arguments: &[&str]) -> Ran {
    dir.run_command(&mut command(arguments))
}

/// Builds the file for up to `pieces` pieces without interruption.
fn built(pieces: &str) -> Vec<u8> {
    let dir = Dir::new();
    run(&dir, &["--pieces", pieces, "--output", "t"]).exits_with(0);
    assert_eq!(dir.names(), ["t"]);
    bytes(&dir, "t")
}

/// Returns the file for up to four pieces and its report as JSON, built once for all tests.
fn built_four() -> &'static (Vec<u8>, String) {
    static BUILT: OnceLock<(Vec<u8>, String)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = Dir::new();
        let ran = run(&dir, &["--pieces", "4", "--output", "t", "--threads", "2", "--json"]);
        (bytes(&dir, "t"), ran.exits_with(0).stdout.clone())
    })
}

fn bytes(dir: &Dir, name: &str) -> Vec<u8> {
    std::fs::read(dir.path(name)).expect(name)
}
