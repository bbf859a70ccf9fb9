//! `calibrate relabel`: scores of longer searches in the place of those of self-play.

use super::selfplay::{HEADER, RECORD, bytes, selfplay};
use crate::support::command::{Dir, Ran};

const GAMES: &str = "games/checkers-1-of-1.games";
/// Byte ranges of a record that a new search changes: the score, the depth and the checksum.
const CHANGED: [std::ops::Range<usize>; 3] = [20..22, 27..28, 28..32];
/// Offset of the flags, and the flag of a position with captures.
const FLAGS: usize = 25;
const CAPTURES: u8 = 2;

fn relabel(dir: &Dir, words: &str) -> Ran {
    dir.calibrate(&format!("relabel checkers {words}"))
}

/// A folder with 30 games of self-play.
fn with_games() -> Dir {
    let dir = Dir::new();
    selfplay(&dir, "checkers --folder games --games 30 --nodes 100").exits_with(0);
    dir
}

fn records(dir: &Dir, name: &str) -> Vec<[u8; RECORD]> {
    bytes(dir, name)[HEADER..].as_chunks().0.to_vec()
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
    relabel(&dir, &format!("{GAMES} --output all --percent 100 --nodes 800")).exits_with(0);
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
    relabel(&dir, &format!("{GAMES} --output all --captures --percent 100 --nodes 800")).exits_with(0);
    let old = records(&dir, GAMES);
    let changed = differing(&dir, "all").into_iter().filter(|&place| old[place][FLAGS] & CAPTURES != 0).count();
    let captures = old.iter().filter(|record| record[FLAGS] & CAPTURES != 0).count();
    assert!(changed > captures * 8 / 10, "{changed} of {captures}");
    relabel(&dir, &format!("{GAMES} --output all --percent 100 --nodes 800"))
        .exits_with(1)
        .stderr_contains(&["use another"]);
}

#[test]
fn a_larger_percentage_has_the_games_of_a_smaller_one() {
    let dir = with_games();
    for percent in [30, 60] {
        relabel(&dir, &format!("{GAMES} --output p{percent} --percent {percent} --nodes 300")).exits_with(0);
    }
    let [few, more] = ["p30", "p60"].map(|name| differing(&dir, name));
    assert!(!few.is_empty() && few.len() < more.len() && few.iter().all(|place| more.contains(place)));
}

#[test]
fn threads_and_interruptions_change_nothing_and_fit_reads_the_result() {
    let dir = with_games();
    let words = |name: &str, threads| format!("{GAMES} --output {name} --percent 50 --nodes 300 --threads {threads}");
    relabel(&dir, &words("one", 1)).exits_with(0);
    relabel(&dir, &words("three", 3)).exits_with(0);
    let whole = bytes(&dir, "one");
    assert!(whole == bytes(&dir, "three"));
    for kept in [100, HEADER, HEADER + 40 * RECORD + 7, whole.len() - 1, whole.len()] {
        dir.write("one", &whole[..kept]);
        relabel(&dir, &words("one", 2)).exits_with(0);
        assert!(bytes(&dir, "one") == whole, "{kept} bytes were there");
    }
    dir.calibrate("fit checkers one --passes 1 --held-out 3 --output w").exits_with(0);
}

#[test]
fn other_files_are_refused_unchanged() {
    let dir = with_games();
    relabel(&dir, &format!("{GAMES} --output done --percent 20 --nodes 100")).exits_with(0);
    let (games, done) = (bytes(&dir, GAMES), bytes(&dir, "done"));
    dir.write(
        "text",
        "my only copy, which is longer than a header is, so it is not a file that a killed run left behind ".repeat(4),
    );
    for (words, code, part) in [
        (format!("{GAMES} --output {GAMES}"), 1, "same file"),
        (format!("{GAMES} --output done --percent 30 --nodes 100"), 1, "use another"),
        (format!("{GAMES} --output text"), 1, "found something else"),
        ("text --output new".to_owned(), 2, "found something else"),
        ("missing --output new".to_owned(), 1, "cannot read missing"),
        (format!("{GAMES} --output new --nodes 0"), 2, "--nodes"),
    ] {
        let ran = relabel(&dir, &words);
        ran.exits_with(code).stderr_contains(&[part]);
    }
    assert!(bytes(&dir, GAMES) == games && bytes(&dir, "done") == done && !dir.path("new").exists());
    assert!(bytes(&dir, "text").starts_with(b"my only copy"));
}
