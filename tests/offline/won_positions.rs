//! `calibrate won-positions`: positions with a proved win.

use super::REFUSED;
use crate::support::command::*;

#[test]
fn won_positions_are_found_in_games_solved_and_played_out() {
    let dir = Dir::new();
    dir.calibrate("selfplay loa6 --folder g --games 60 --nodes 100").exits_with(0);
    let find = "won-positions find 6 g/loa6-1-of-1.games --count 4 --nodes 200000 --output won.txt";
    assert!(dir.calibrate(find).exits_with(0).stdout.starts_with("won.txt: 4 positions of "));
    let found = dir.text("won.txt");
    assert!(
        found.lines().count() == 4 && found.lines().all(|line| line.contains(" black;") || line.contains(" white;"))
    );
    // The same command gives the same positions, on any number of threads.
    dir.calibrate(&format!("{find} --threads 1")).exits_with(0);
    assert_eq!(dir.read("won.txt"), Some(found));
    for (words, start) in [
        ("won-positions solve won.txt --nodes 200000", "4 of 4 won, "),
        ("won-positions solve won.txt --nodes 1", "0 of 4 won, "),
    ] {
        let ran = dir.calibrate(words);
        assert!(ran.exits_with(0).stdout.starts_with(start), "{ran:#?}");
    }
    // So little time may not suffice to win all of them, but each game has one of three results.
    let played = dir.calibrate("won-positions play won.txt --seconds 0.02");
    let line = &played.exits_with(0).stdout;
    let numbers: Vec<u32> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [won, all, lost, open, at_once] = numbers[..] else { panic!("{line}") };
    assert!(all == 4 && won + lost + open == 4 && won >= 2 && at_once <= 4, "{line}");
}

/// A proved loss would be an error, and a much weaker solver would prove fewer of them.
#[test]
fn the_solver_proves_many_of_the_sample_positions_in_little_time() {
    let sample = root().join("samples/won/loa.txt");
    let ran = Dir::new().calibrate(&format!("won-positions solve {} --nodes 5000", sample.display()));
    let won = ran.exits_with(0).stdout.split_once(" of 500 won, ").and_then(|(won, _)| won.parse::<u32>().ok());
    assert!(won.is_some_and(|won| won >= 80), "{ran:#?}");
}

#[test]
fn wrong_files_are_errors_that_name_the_line() {
    let dir = Dir::new();
    dir.write("bad", "-bb---/-----w/------/w-----/--b---/-----w black;7\nnothing\n");
    dir.write("empty", "");
    dir.run_rows(Program::Calibrate, REFUSED, "won-positions");
}
