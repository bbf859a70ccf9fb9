//! `calibrate selfplay`: the same games regardless of threads, shards and interruptions.

use std::fs::File;
use std::process::Command;

use crate::support::command::*;

/// Size in bytes of a file's header.
pub(crate) const HEADER: usize = 256;
/// Size in bytes of a record.
pub(crate) const RECORD: usize = 32;
/// Byte range of the game number in a record.
pub(crate) const GAME: std::ops::Range<usize> = 16..20;
/// Offset of the flags in a record. The last record of a game has [`LAST`] set.
const FLAGS: usize = 25;
const LAST: u8 = 8;

/// File that a run of one shard writes into the folder `games`.
const FILE: &str = "games/checkers-1-of-1.games";

/// Returns the games of a file with their numbers, each as the bytes of its records.
pub(crate) fn games_of(dir: &Dir, name: &str) -> Vec<(u32, Vec<u8>)> {
    let bytes = dir.bytes(name);
    let (records, rest) = bytes[HEADER..].as_chunks::<RECORD>();
    assert_eq!(rest.len(), 0, "{name}");
    let games = records.split_inclusive(|record| record[FLAGS] & LAST != 0);
    games.map(|game| (u32::from_le_bytes(game[0][GAME].try_into().expect("four bytes")), game.concat())).collect()
}

#[test]
fn equal_seeds_give_equal_bytes_on_any_number_of_threads() {
    for game in ["checkers", "loa", "loa6"] {
        let dir = Dir::new();
        for (folder, options) in [("a", "--threads 1"), ("b", "--threads 3"), ("c", "--threads 2 --seed 2")] {
            let words = format!("selfplay {game} --folder {folder} --games 6 --nodes 150 {options}");
            dir.calibrate(&words).exits_with(0).stdout_contains(&[": 6 games, "]);
        }
        let [a, b, c] = ["a", "b", "c"].map(|folder| dir.bytes(&format!("{folder}/{game}-1-of-1.games")));
        assert!(a == b && a[HEADER..] != c[HEADER..], "{game}");
        let games = games_of(&dir, &format!("a/{game}-1-of-1.games"));
        assert!(games.iter().map(|(number, _)| number).is_sorted() && games.len() >= 5, "{game}");
    }
}

#[test]
fn shards_together_hold_the_games_of_one_run() {
    let dir = Dir::new();
    for shard in ["1/1", "1/3", "2/3", "3/3"] {
        dir.calibrate(&format!("selfplay checkers --folder games --games 8 --nodes 150 --shard {shard}")).exits_with(0);
    }
    let shards = [1, 2, 3].map(|number| games_of(&dir, &format!("games/checkers-{number}-of-3.games")));
    for (place, games) in (0..).zip(&shards) {
        assert!(games.iter().all(|(number, _)| number % 3 == place), "shard {place}");
    }
    let mut together = shards.concat();
    together.sort();
    assert_eq!(together, games_of(&dir, FILE));
    dir.calibrate("selfplay checkers --folder games --shard 4/3")
        .exits_with(2)
        .stderr_contains(&["\"4/3\"", "K from 1 to N"]);
}

#[test]
fn a_killed_run_continues() {
    const WORDS: &str = "selfplay checkers --folder games --games 24 --nodes 400";
    let [killed, whole] = [Dir::new(), Dir::new()];
    whole.calibrate(WORDS).exits_with(0);
    let whole = whole.bytes(FILE);
    for units in [1, whole.len() / 1024, (whole.len() - 1) / 512] {
        killed.kill_at(Program::Calibrate, WORDS, units);
        assert!(killed.bytes(FILE) == whole[..512 * units], "killed after {units} of {} bytes", whole.len());
    }
    killed.calibrate(WORDS).exits_with(0);
    assert!(killed.bytes(FILE) == whole);
    // No games are left to play; a later run may add more.
    killed.calibrate(WORDS).exits_with(0);
    assert!(killed.bytes(FILE) == whole);
    killed.calibrate(&WORDS.replace("24", "26")).exits_with(0);
    let more = killed.bytes(FILE);
    assert!(more.len() > whole.len() && more.starts_with(&whole));
}

#[test]
fn a_broken_game_at_the_end_is_removed_and_played_again() {
    const WORDS: &str = "selfplay checkers --folder games --games 6 --nodes 150";
    let dir = Dir::new();
    dir.calibrate(WORDS).exits_with(0);
    let whole = dir.bytes(FILE);
    let ends = |kept: usize| [&whole[..kept], b"half a record"].concat();
    for broken in [ends(whole.len() - 5), ends(whole.len() - 2 * RECORD), ends(HEADER + RECORD), whole[..100].to_vec()]
    {
        dir.write(FILE, &broken);
        let ran = dir.calibrate(WORDS);
        let says_so = ran.exits_with(0).stdout.contains(" bytes of a broken game");
        assert!(dir.bytes(FILE) == whole && says_so == (broken.len() > HEADER), "{} bytes: {ran:#?}", broken.len());
    }
}

#[test]
fn a_file_of_other_games_is_refused_and_untouched() {
    let dir = Dir::new();
    dir.calibrate("selfplay checkers --folder games --games 3 --nodes 150").exits_with(0);
    let before = dir.bytes(FILE);
    for (words, found) in [("--nodes 151", "nodes 150"), ("--nodes 150 --seed 2", "seed 1")] {
        let ran = dir.calibrate(&format!("selfplay checkers --folder games --games 3 {words}"));
        ran.exits_with(1).stderr_contains(&[FILE, found, "use another folder for other games"]);
    }
    dir.write("games/loa-1-of-1.games", &before);
    dir.calibrate("selfplay loa --folder games --games 3 --nodes 150")
        .exits_with(1)
        .stderr_contains(&["found game checkers"]);
    assert!(dir.bytes(FILE) == before && dir.bytes("games/loa-1-of-1.games") == before);
    // A damaged record, followed by more bytes than a killed run leaves.
    let mut damaged = before.clone();
    damaged[HEADER + RECORD] ^= 1;
    damaged.extend(before[HEADER..].repeat(20));
    for text in [&damaged, &b"1. 11-15 23-19\n".repeat(99), &b"1. 11-15 23-19\n".to_vec()] {
        dir.write(FILE, text);
        let ran = dir.calibrate("selfplay checkers --folder games --games 3 --nodes 150");
        ran.exits_with(1).stderr_contains(&[FILE, "found "]);
        assert!(dir.bytes(FILE) == *text, "{ran:#?}");
    }
    dir.calibrate("selfplay checkers --folder games --evaluation none.kw").exits_with(1).stderr_contains(&["none.kw"]);
}

#[test]
fn a_second_run_on_a_file_is_refused() {
    const WORDS: &str = "selfplay checkers --folder games --games 100000 --nodes 400";
    let dir = Dir::new();
    let is_begun = || dir.path(FILE).metadata().is_ok_and(|file| file.len() > HEADER as u64);
    let mut first = dir.start_until(Command::new(Program::Calibrate.path()).args(WORDS.words()), is_begun);
    dir.calibrate(WORDS).exits_with(1).stderr_contains(&[FILE, "is in use by another run"]);
    assert!(first.try_wait().expect("a child").is_none(), "the first run ended");
    first.kill().and_then(|()| first.wait()).expect("a child to kill");
}

#[test]
fn a_full_disk_costs_only_unfinished_games() {
    const WORDS: &str = "selfplay checkers --folder games --games 12 --nodes 150 --threads 2";
    let [full, whole] = [Dir::new(), Dir::new()];
    whole.calibrate(WORDS).exits_with(0);
    let whole = whole.bytes(FILE);
    for half_kib in [0, 1, 20] {
        let ran = full.run_on_full_disk(half_kib, &format!("exec \"$0\" {WORDS}"), Program::Calibrate);
        ran.exits_with(1).stderr_contains(&["cannot write", FILE, "too large"]);
        let left = full.bytes(FILE);
        assert!(whole.starts_with(&left) && left.len() <= half_kib * 512, "{} bytes left: {ran:#?}", left.len());
        // Only complete games are left.
        assert!(left.len() <= HEADER || left[left.len() - RECORD + FLAGS] & LAST != 0, "{ran:#?}");
    }
    assert!(games_of(&full, FILE).len() >= 2);
    full.calibrate(WORDS).exits_with(0);
    assert!(full.bytes(FILE) == whole);
}

#[test]
fn files_that_cannot_be_written_are_errors() {
    let dir = Dir::new().with("games", "");
    dir.calibrate("selfplay checkers --folder games --games 1").exits_with(1).stderr_contains(&["cannot create games"]);
    dir.make_dir("folder");
    dir.make_dir("folder/checkers-1-of-1.games");
    let ran = dir.calibrate("selfplay checkers --folder folder --games 1");
    ran.exits_with(1).stderr_contains(&["cannot write folder/checkers-1-of-1.games"]);
    assert!(File::open(dir.path("games")).is_ok());
}
