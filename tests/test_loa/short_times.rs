//! Whole games of `loa` against itself at its default pace, with scripts that allow 1 s a move and 10 s a game.

use std::process::{Child, Command};
use std::thread::available_parallelism;

use super::run;
use crate::support::command::Dir;
use crate::support::programs::Program;

/// Scripts of both sides, which share the game's time.
const BLACK: &str = "#* loa\n#*time 1 10\nmanual white\nauto black\n#*move\n#*remote move/win\n";
const WHITE: &str = "#* loa\n#*time 1 10\n#*remote move/win\n";

/// Plays games in sequence, and asserts that all of them keep to the time limit.
#[track_caller]
fn keep_the_time(games: usize) {
    let dir = Dir::new().with("t-1.in", BLACK).with("t-2.in", WHITE);
    let program = format!("--program=loa={}", Program::Loa.path().display());
    for _ in 0..games {
        let ran = run(&dir, &[&program, "--show=1", "t-1.in"]);
        assert!(ran.exits_with(0).stdout.starts_with("** t-1 PASSED."), "{ran:?}");
    }
}

#[test]
fn a_game_keeps_a_short_time() {
    keep_the_time(1);
}

#[test]
#[ignore = "takes minutes"]
fn twenty_games_keep_a_short_time_on_busy_cores() {
    struct Busy(Vec<Child>);
    impl Drop for Busy {
        fn drop(&mut self) {
            for child in &mut self.0 {
                child.kill().and_then(|()| child.wait()).expect("a child to kill");
            }
        }
    }
    let cores = available_parallelism().map_or(1, usize::from);
    let spin = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a program that starts");
    let _busy = Busy((0..cores).map(spin).collect());
    keep_the_time(20);
}
