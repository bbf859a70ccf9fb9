//! Whole games of `loa` against itself at its default pace, with scripts that allow 1 s a move and 10 s a game.

use super::run;
use crate::loa::loa6::Load;
use crate::support::command::*;

/// Scripts of both sides, which share the game's time.
const BLACK: &str = "#* loa\n#*time 1 10\nmanual white\nauto black\n#*move\n#*remote move/win\n";
const WHITE: &str = "#* loa\n#*time 1 10\n#*remote move/win\n";

/// Plays games in sequence, and asserts that all of them keep to the time limit.
#[track_caller]
fn keep_the_time(games: usize) {
    let dir = Dir::new().with("t-1.in", BLACK).with("t-2.in", WHITE);
    let program = format!("--program=loa={}", Program::Loa.path().display());
    for _ in 0..games {
        run(&dir, &[&program, "--show=1", "t-1.in"]).exits_with(0).stdout_starts_with("** t-1 PASSED.");
    }
}

#[test]
fn a_game_keeps_a_short_time() {
    keep_the_time(1);
}

#[test]
#[ignore = "takes minutes"]
fn twenty_games_keep_a_short_time_on_busy_cores() {
    let _load = Load::new(1);
    keep_the_time(20);
}
