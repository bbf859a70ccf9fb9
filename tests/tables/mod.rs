//! Endgame tables: builds, even after interruptions and damage; side files; and the longest wins.

mod build;
mod cost;
mod longest_wins;
mod naming;
mod side_file;

use std::process::Command;
use std::sync::OnceLock;

use crate::support::command::*;

/// Makes the command line of `calibrate tables`.
fn command(words: &(impl Words + ?Sized)) -> Command {
    let mut command = Command::new(Program::Calibrate.path());
    command.arg("tables").args(words.words());
    command
}

fn run(dir: &Dir, words: &(impl Words + ?Sized)) -> Ran {
    dir.run_command(&mut command(words))
}

/// Builds the file for up to `pieces` pieces without interruption.
fn built(pieces: &str) -> Vec<u8> {
    let dir = Dir::new();
    run(&dir, &["--pieces", pieces, "--output", "t"]).exits_with(0);
    assert_eq!(dir.names(), ["t"]);
    dir.bytes("t")
}

/// Returns the file for up to four pieces and its report as JSON, built once for all tests.
fn built_four() -> &'static (Vec<u8>, String) {
    static BUILT: OnceLock<(Vec<u8>, String)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = Dir::new();
        let ran = run(&dir, "--pieces 4 --output t --threads 2 --json");
        (dir.bytes("t"), ran.exits_with(0).stdout.clone())
    })
}
