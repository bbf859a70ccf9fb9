//! `calibrate won-positions`: positions with a proved win.

use super::selfplay::selfplay;
use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, root};

fn won(dir: &Dir, words: &str) -> Ran {
    let words: Vec<_> = ["won-positions"].into_iter().chain(words.split(' ')).collect();
    dir.run_with_input(Program::Calibrate, &words, "")
}

#[test]
fn won_positions_are_found_in_games_solved_and_played_out() {
    let dir = Dir::new();
    selfplay(&dir, "loa6 --folder g --games 60 --nodes 100").exits_with(0);
    let find = "find 6 g/loa6-1-of-1.games --count 4 --nodes 200000 --output won.txt";
    assert!(won(&dir, find).exits_with(0).stdout.starts_with("won.txt: 4 positions of "));
    let found = dir.read("won.txt").expect("positions");
    assert!(
        found.lines().count() == 4 && found.lines().all(|line| line.contains(" black;") || line.contains(" white;"))
    );
    // The same command gives the same positions, on any number of threads.
    won(&dir, &format!("{find} --threads 1")).exits_with(0);
    assert_eq!(dir.read("won.txt"), Some(found));
    for (words, start) in
        [("solve won.txt --nodes 200000", "4 of 4 won, "), ("solve won.txt --nodes 1", "0 of 4 won, ")]
    {
        let ran = won(&dir, words);
        assert!(ran.exits_with(0).stdout.starts_with(start), "{ran:#?}");
    }
    // So little time may not suffice to win all of them, but each game has one of three results.
    let played = won(&dir, "play won.txt --seconds 0.02");
    let line = &played.exits_with(0).stdout;
    let numbers: Vec<u32> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [won, all, lost, open, at_once] = numbers[..] else { panic!("{line}") };
    assert!(all == 4 && won + lost + open == 4 && won >= 2 && at_once <= 4, "{line}");
}

/// A proved loss would be an error, and a much weaker solver would prove fewer of them.
#[test]
fn the_solver_proves_many_of_the_sample_positions_in_little_time() {
    let sample = root().join("samples/won/loa.txt");
    let ran = Dir::new().run_with_args(
        Program::Calibrate,
        &["won-positions", "solve", sample.to_str().expect("a path"), "--nodes", "5000"],
    );
    let won = ran.exits_with(0).stdout.split_once(" of 500 won, ").and_then(|(won, _)| won.parse::<u32>().ok());
    assert!(won.is_some_and(|won| won >= 80), "{ran:#?}");
}

#[test]
fn wrong_files_are_errors_that_name_the_line() {
    let dir = Dir::new();
    dir.write("bad", "-bb---/-----w/------/w-----/--b---/-----w black;7\nnothing\n");
    dir.write("empty", "");
    for (words, code, messages) in [
        ("solve missing", 1, ["cannot read missing", ""]),
        ("solve bad", 2, ["bad: ", "line 2"]),
        ("play empty", 2, ["empty: found an empty file", ""]),
        ("play bad --seconds 0", 2, ["expected a number above 0 and at most 3600", ""]),
        ("find 7 bad --output w", 2, ["found a board of 7", ""]),
        ("find 6 bad --output w", 2, ["bad: found something else", ""]),
    ] {
        won(&dir, words).exits_with(code).stderr_contains(&messages);
    }
}
