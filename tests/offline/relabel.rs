//! `calibrate relabel`: scores of longer searches in the place of those of self-play.

use super::REFUSED;
use super::selfplay::{HEADER, RECORD};
use crate::support::command::*;

const GAMES: &str = "games/checkers-1-of-1.games";
/// Byte ranges of a record that a new search changes: the score, the depth and the checksum.
const CHANGED: [std::ops::Range<usize>; 3] = [20..22, 27..28, 28..32];
/// Offset of the flags, and the flag of a position with captures.
const FLAGS: usize = 25;
const CAPTURES: u8 = 2;

/// A folder with 30 games of self-play.
fn with_games() -> Dir {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder games --games 30 --nodes 100").exits_with(0);
    dir
}

fn records(dir: &Dir, name: &str) -> Vec<[u8; RECORD]> {
    dir.bytes(name)[HEADER..].as_chunks().0.to_vec()
}

/// Places of the records that differ from those of self-play.
fn differing(dir: &Dir, name: &str) -> Vec<usize> {
    let (old, new) = (records(dir, GAMES), records(dir, name));
    assert_eq!(old.len(), new.len());
    (0..old.len()).filter(|&place| old[place] != new[place]).collect()
}

#[test]
fn only_scores_and_depths_of_quiet_positions_change() {
    let dir = with_games();
    dir.calibrate(&format!("relabel checkers {GAMES} --output all --percent 100 --nodes 800")).exits_with(0);
    let changed = differing(&dir, "all");
    for (old, new) in records(&dir, GAMES).into_iter().zip(records(&dir, "all")) {
        let same = |place: usize| !CHANGED.iter().any(|range| range.contains(&place));
        assert!((0..RECORD).filter(|&place| same(place)).all(|place| old[place] == new[place]), "{old:?} {new:?}");
        assert!(old[FLAGS] & CAPTURES == 0 || old == new, "{old:?} {new:?}");
        assert!(i16::from_le_bytes([new[20], new[21]]).abs() <= 1000, "{new:?}");
    }
    let quiet = records(&dir, GAMES).iter().filter(|record| record[FLAGS] & CAPTURES == 0).count();
    assert!(changed.len() > quiet * 8 / 10, "{} of {quiet}", changed.len());
}

#[test]
fn positions_with_captures_are_searched_on_request() {
    let dir = with_games();
    dir.calibrate(&format!("relabel checkers {GAMES} --output all --captures --percent 100 --nodes 800")).exits_with(0);
    let old = records(&dir, GAMES);
    let changed = differing(&dir, "all").into_iter().filter(|&place| old[place][FLAGS] & CAPTURES != 0).count();
    let captures = old.iter().filter(|record| record[FLAGS] & CAPTURES != 0).count();
    assert!(changed > captures * 8 / 10, "{changed} of {captures}");
    dir.calibrate(&format!("relabel checkers {GAMES} --output all --percent 100 --nodes 800"))
        .exits_with(1)
        .stderr_contains(&["use another"]);
}

#[test]
fn a_larger_percentage_has_the_games_of_a_smaller_one() {
    let dir = with_games();
    for percent in [30, 60] {
        dir.calibrate(&format!("relabel checkers {GAMES} --output p{percent} --percent {percent} --nodes 300"))
            .exits_with(0);
    }
    let [few, more] = ["p30", "p60"].map(|name| differing(&dir, name));
    assert!(!few.is_empty() && few.len() < more.len() && few.iter().all(|place| more.contains(place)));
}

#[test]
fn threads_and_interruptions_change_nothing_and_fit_reads_the_result() {
    let dir = with_games();
    let words = |name: &str, threads| {
        format!("relabel checkers {GAMES} --output {name} --percent 50 --nodes 300 --threads {threads}")
    };
    dir.calibrate(&words("one", 1)).exits_with(0);
    dir.calibrate(&words("three", 3)).exits_with(0);
    let whole = dir.bytes("one");
    assert!(whole == dir.bytes("three"));
    for kept in [100, HEADER, HEADER + 40 * RECORD + 7, whole.len() - 1, whole.len()] {
        dir.write("one", &whole[..kept]);
        dir.calibrate(&words("one", 2)).exits_with(0);
        assert!(dir.bytes("one") == whole, "{kept} bytes were there");
    }
    dir.calibrate("fit checkers one --passes 1 --held-out 3 --output w").exits_with(0);
}

#[test]
fn other_files_are_refused_unchanged() {
    let dir = with_games();
    dir.calibrate(&format!("relabel checkers {GAMES} --output done --percent 20 --nodes 100")).exits_with(0);
    let (games, done) = (dir.bytes(GAMES), dir.bytes("done"));
    dir.write(
        "text",
        "my only copy, which is longer than a header is, so it is not a file that a killed run left behind ".repeat(4),
    );
    dir.run_rows(Program::Calibrate, REFUSED, "relabel");
    assert!(dir.bytes(GAMES) == games && dir.bytes("done") == done && !dir.path("new").exists());
    assert!(dir.bytes("text").starts_with(b"my only copy"));
}
