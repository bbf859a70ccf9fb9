//! `calibrate solve` that is killed, in a proof or a cut: what it had saved is kept, and the next run goes on from it.

use std::fs;
use std::process::Command;

use kingline_players::terminal::in_thousands;

use super::solve::{solve, values};
use crate::support::command::*;

/// Six plies of a game on 6x6, after which a proof takes seconds.
const AFTER_SIX: &str = "b1-b3 f3-d5 b6-b4 f2-d2 d1-a4 a5-b6";
/// The first four of them: a proof takes far longer than these tests.
const AFTER_FOUR: &str = "b1-b3 f3-d5 b6-b4 f2-d2";

/// Starts `calibrate solve` with these arguments, and kills it as soon as this holds for the size of `file` and the log
/// that it wrote to standard error. Returns the log. If it ends earlier, so does the wait.
fn killed(dir: &Dir, arguments: &[&str], file: &str, is_enough: impl Fn(u64, &str) -> bool) -> String {
    let size = || fs::metadata(dir.path(file)).map_or(0, |file| file.len());
    let log = || fs::read_to_string(dir.path("log")).unwrap_or_default();
    let line = "exec \"$0\" solve \"$@\" --threads 1 --progress 1 2> log";
    let mut command = Command::new("sh");
    command.args(["-c", line]).arg(Program::Calibrate.path()).args(arguments);
    // The log of an earlier run is not that of this one.
    dir.delete("log");
    dir.kill_when(&mut command, || is_enough(size(), &log()));
    log()
}

/// Starts the proof after these plies, and kills it as soon as this holds for the size of its store and its log.
fn killed_proof(dir: &Dir, after: &str, is_enough: impl Fn(u64, &str) -> bool) -> String {
    killed(dir, &["--store", "store", "--after", after, "--memory", "64", "--save", "1"], "store", is_enough)
}

/// Starts the proof after these plies, and kills it when the store has grown. Returns the number of lost positions in
/// the store.
fn saved_by_killed(dir: &Dir, after: &str) -> u64 {
    let before = fs::metadata(dir.path("store")).map_or(100, |file| file.len());
    killed_proof(dir, after, |size, _| size > before);
    lost_positions(dir)
}

/// Returns the number of lost positions in a store.
fn lost_positions(dir: &Dir) -> u64 {
    let ran = solve(dir, &["--merge", "store", "--store", "copy"]);
    let count =
        ran.exits_with(0).stdout.trim().strip_suffix(" lost positions").and_then(|rest| rest.rsplit(' ').next());
    count.and_then(|count| count.replace(',', "").parse().ok()).unwrap_or_else(|| panic!("{ran:#?}"))
}

#[test]
fn the_next_run_goes_on_from_what_was_saved() {
    let dir = Dir::new();
    let saved = [(); 3].map(|()| saved_by_killed(&dir, AFTER_SIX));
    assert!(saved.is_sorted() && saved[2] > 0, "{saved:?}");
    let ran = solve(&dir, &["--store", "store", "--after", AFTER_SIX, "--strategy", "whole"]);
    assert!(values(ran.exits_with(0)).iter().all(|&plies| plies > 0), "{ran:#?}");
    assert!(lost_positions(&dir) >= saved[2], "{saved:?}");
    solve(&dir, &["--verify", "whole", "--after", AFTER_SIX]).exits_with(0).stdout_contains(&[": 0 failures"]);
}

#[test]
fn progress_lines_count_what_earlier_runs_proved() {
    let dir = Dir::new();
    let mut saved = 0;
    for _ in 0..20 {
        saved = saved_by_killed(&dir, AFTER_FOUR);
        if saved > 0 {
            break;
        }
    }
    assert!(saved > 0, "no lost position after 20 runs");
    let known = |line: &str| -> Option<u64> {
        let (before, rest) = line.split_once(" lost positions known, ")?;
        let new: u64 = rest.split_once(" of them new; ")?.0.replace(',', "").parse().ok()?;
        let all: u64 = before.rsplit(' ').next()?.replace(',', "").parse().ok()?;
        Some(all - new)
    };
    let log = killed_proof(&dir, AFTER_FOUR, |_, log| log.matches('\n').count() >= 2);
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines.len() >= 2 && lines.iter().all(|line| known(line) == Some(saved)), "{saved}: {log}");
    for part in [" s: ", " % of the start: ", " won, ", " open; ", " nodes, ", " of CPU time"] {
        assert!(lines[0].contains(part), "no {part:?}: {log}");
    }
}

#[test]
fn the_next_cut_goes_on_from_the_answers_of_a_killed_one() {
    let dir = Dir::new();
    solve(&dir, &["--store", "store", "--after", AFTER_SIX, "--strategy", "whole"]).exits_with(0);
    let cut = ["--cut", "whole", "--output", "part", "--after", AFTER_SIX];
    // Batches of 4,096 answers of 41 bytes. One can be seen, and its writer killed, while half of it is written.
    let title = "kingline cut 1 20000 nodes\n".len() as u64;
    let batches = |size: u64| size.saturating_sub(title) / (16 + 4096 * 41);
    let log = killed(&dir, &cut, "part.journal", |size, _| batches(size) > 0);
    let batches = batches(fs::metadata(dir.path("part.journal")).map_or(0, |file| file.len()));
    assert!(dir.read("part").is_none() && batches > 0, "{log}");
    let answers = in_thousands(batches * 4096);
    let ran = solve(&dir, &cut);
    ran.exits_with(0).stderr_contains(&[&format!("{answers} answers of the solver known from an earlier run")]);
    assert_eq!(dir.names(), ["log", "part", "store", "whole"]);
    solve(&dir, &["--verify", "part", "--after", AFTER_SIX]).exits_with(0).stdout_contains(&["all games are won"]);
}
