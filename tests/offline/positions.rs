//! `calibrate positions`: counting, merging, thinning and holding out, and the cost of damage.

use std::collections::HashSet;

use kingline::evaluate::checkers::EMBEDDED;
use kingline::knowledge::checksum;
use serde_json::Value;

use super::REFUSED;
use super::selfplay::{GAME, HEADER, RECORD, games_of};
use crate::support::command::*;
use crate::support::json::{self, list};

/// Game files: two shards of one seed, and one file of another seed.
const A: &str = "one/checkers-1-of-2.games";
const B: &str = "one/checkers-2-of-2.games";
const C: &str = "two/checkers-1-of-1.games";

fn with_games() -> Dir {
    let dir = Dir::new();
    for words in ["one --shard 1/2", "one --shard 2/2", "two --seed 2"] {
        dir.calibrate(&format!("selfplay checkers --games 16 --nodes 100 --folder {words}")).exits_with(0);
    }
    dir
}

fn report(dir: &Dir, words: &str) -> Value {
    dir.calibrate(&format!("positions checkers {words} --json")).exits_with(0).json()
}

fn number(report: &Value, name: &str) -> usize {
    json::number(report, name) as usize
}

/// Returns the pieces and the side to move of a record.
fn position(record: &[u8]) -> (Vec<u8>, u8) {
    (record[..16].to_vec(), record[25] & 1)
}

fn records(games: &[(u32, Vec<u8>)]) -> Vec<&[u8]> {
    games.iter().flat_map(|(_, game)| game.chunks(RECORD)).collect()
}

/// Returns the parts of a record that do not depend on which other records are kept: all but game, flags and checksum.
fn content(record: &[u8]) -> Vec<u8> {
    [&record[..GAME.start], &record[GAME.end..25], &record[26..28]].concat()
}

fn contents(games: &[(u32, Vec<u8>)]) -> Vec<Vec<u8>> {
    let mut contents: Vec<_> = records(games).into_iter().map(content).collect();
    contents.sort();
    contents
}

#[test]
fn contents_are_counted() {
    let dir = with_games();
    let report = report(&dir, "one two");
    let mut seen = HashSet::new();
    let (mut games, mut positions) = (0, 0);
    for (file, name) in list(&report["files"]).iter().zip([A, B, C]) {
        let there = games_of(&dir, name);
        let records = records(&there);
        let duplicates = records.iter().filter(|record| !seen.insert(position(record))).count();
        assert_eq!(file["path"], name);
        assert_eq!(number(file, "games"), there.len(), "{file}");
        assert_eq!(number(file, "positions"), records.len(), "{file}");
        assert_eq!(number(file, "duplicates"), duplicates, "{file}");
        let ended = |result: u8, turn: u8| {
            let lasts = there.iter().map(|(_, game)| &game[game.len() - RECORD..]);
            lasts.filter(|last| last[26] == result && last[25] & 1 == turn).count()
        };
        // Black won if it was to move and won, or White was to move and lost.
        assert_eq!(number(file, "won_by_black"), ended(2, 0) + ended(0, 1), "{file}");
        assert_eq!(number(file, "won_by_white"), ended(2, 1) + ended(0, 0), "{file}");
        assert_eq!(number(file, "drawn"), ended(1, 0) + ended(1, 1), "{file}");
        let full = &file["phases"][0];
        let pieces = |record: &[u8]| record[..16].iter().map(|byte| byte.count_ones()).sum::<u32>();
        let count = |wanted: &dyn Fn(&[u8]) -> bool| {
            records.iter().filter(|record| pieces(record) >= 14 && wanted(record)).count()
        };
        let level = |record: &[u8]| {
            let ones = |from: usize| record[from..from + 4].iter().map(|byte| byte.count_ones()).sum::<u32>();
            ones(0) == ones(8) && ones(4) == ones(12)
        };
        let quiet = |record: &[u8]| record[25] & 6 == 0;
        assert_eq!((full["pieces"].as_str(), number(full, "positions")), (Some("14 and more"), count(&|_| true)));
        assert_eq!(number(full, "level"), count(&level), "{file}");
        assert_eq!(number(full, "quiet"), count(&quiet), "{file}");
        assert_eq!(number(full, "level_and_quiet"), count(&|record| level(record) && quiet(record)), "{file}");
        assert_eq!((number(file, "broken_tail"), number(file, "lost")), (0, 0));
        (games, positions) = (games + there.len(), positions + records.len());
    }
    let all = &report["all"];
    assert_eq!((number(all, "games"), number(all, "positions")), (games, positions), "{report}");
    let phases = list(&all["phases"]);
    assert_eq!(phases.iter().map(|phase| number(phase, "positions")).sum::<usize>(), positions, "{report}");
    let header = &report["files"][1]["header"];
    assert_eq!((header["seed"].as_str(), header["shard"].as_str()), (Some("1"), Some("2/2")), "{header}");

    let ran = dir.calibrate(&format!("positions checkers {A} {C}"));
    let text = &ran.exits_with(0).stdout;
    let header = format!("game checkers, seed 1, shard 1/2, nodes 100, evaluation {}", embedded());
    for part in [A, &header, C, "in all, 2 files", "level"] {
        assert!(text.contains(part), "no {part}: {text}");
    }
}

/// Returns the name of the embedded evaluation in game files.
fn embedded() -> String {
    format!("{:016x}", checksum(EMBEDDED))
}

#[test]
fn merged_files_hold_all_games_and_can_be_read_again() {
    let dir = with_games();
    let before = report(&dir, "one two --out merged.games");
    let inputs: Vec<_> = [A, B, C].iter().flat_map(|name| games_of(&dir, name)).collect();
    let merged = games_of(&dir, "merged.games");
    assert_eq!(contents(&merged), contents(&inputs));
    let ids: HashSet<u32> = merged.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), inputs.len(), "games of two seeds have the same number");
    assert_eq!(before["written"][0]["games"], inputs.len(), "{before}");

    let after = report(&dir, "merged.games");
    for name in ["games", "positions", "duplicates", "won_by_black", "drawn", "phases"] {
        assert_eq!(after["all"][name], before["all"][name], "{name}");
    }
    let header = after["files"][0]["header"].as_object().expect("a header");
    let values: Vec<_> = header.values().map(|value| value.as_str().expect("text")).collect();
    assert_eq!(header.keys().collect::<HashSet<_>>().len(), 5);
    for value in ["checkers", "several", "merged", "100", &embedded()] {
        assert!(values.contains(&value), "no {value}: {values:?}");
    }
    // A game keeps its number when it is merged again.
    dir.calibrate("positions checkers merged.games --out again.games").exits_with(0);
    assert!(dir.bytes("again.games") == dir.bytes("merged.games"));
    // No run can continue a merged file.
    dir.make_dir("three");
    dir.rename("merged.games", "three/checkers-1-of-1.games");
    dir.calibrate("selfplay checkers --folder three --nodes 100").exits_with(1).stderr_contains(&["shard merged"]);
}

#[test]
fn games_are_held_out_whole_and_always_the_same() {
    let dir = with_games();
    dir.calibrate("positions checkers one two --out merged.games").exits_with(0);
    let ids = |name: &str| games_of(&dir, name).into_iter().map(|(id, _)| id).collect::<HashSet<u32>>();
    let split = |inputs: &str, percent: u8, name: &str| {
        let words =
            format!("positions checkers {inputs} --out {name}.games --held-out {name}.held --percent {percent}");
        dir.calibrate(&words).exits_with(0);
        let (kept, held) = (ids(&format!("{name}.games")), ids(&format!("{name}.held")));
        assert!(kept.is_disjoint(&held) && kept.len() + held.len() == ids("merged.games").len(), "{words}");
        let both = [games_of(&dir, &format!("{name}.games")), games_of(&dir, &format!("{name}.held"))].concat();
        assert_eq!(contents(&both), contents(&games_of(&dir, "merged.games")), "{words}");
        held
    };
    let third = split("one two", 33, "a");
    assert!((3..30).contains(&third.len()), "{third:?}");
    assert_eq!(split("two one", 33, "b"), third);
    assert_eq!(split("merged.games", 33, "c"), third);
    assert!(split("one two", 60, "d").is_superset(&third));
    for wrong in ["0", "100", "x"] {
        let words = format!("positions checkers one --out x.games --held-out x.held --percent {wrong}");
        dir.calibrate(&words).exits_with(2).stderr_contains(&["--percent"]);
    }
    dir.calibrate("positions checkers one --held-out x.held").exits_with(2).stderr_contains(&["--out"]);
}

#[test]
fn games_are_thinned_and_duplicates_dropped() {
    let dir = with_games();
    dir.calibrate("positions checkers one two --out whole.games").exits_with(0);
    dir.calibrate("positions checkers one two --out thin.games --thin 5").exits_with(0);
    let (whole, thin) = (games_of(&dir, "whole.games"), games_of(&dir, "thin.games"));
    assert_eq!(whole.len(), thin.len());
    for ((id, whole), (same, thin)) in whole.iter().zip(&thin) {
        let [all, kept] = [whole, thin].map(|game| game.chunks(RECORD).map(content).collect::<Vec<_>>());
        assert_eq!((id, kept.len()), (same, all.len().min(5)));
        let places: Vec<_> = kept.iter().map(|record| all.iter().position(|one| one == record).expect("one")).collect();
        assert!(places.is_sorted(), "{places:?}");
        let widest = all.len().div_ceil(kept.len()) + 1;
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] <= widest), "{places:?} of {}", all.len());
    }
    for (options, name) in [("--unique", "unique"), ("--unique --thin 5", "both")] {
        let words =
            format!("positions checkers one two --out {name}.games --held-out {name}.held --percent 40 {options}");
        dir.calibrate(&words).exits_with(0);
        let games = [games_of(&dir, &format!("{name}.games")), games_of(&dir, &format!("{name}.held"))].concat();
        let mut seen = HashSet::new();
        assert!(records(&games).iter().all(|record| seen.insert(position(record))), "{words}");
        if name == "unique" {
            let all: HashSet<_> = records(&whole).into_iter().map(position).collect();
            assert_eq!(seen, all);
        } else {
            assert!(games.iter().all(|(_, game)| game.len() <= 5 * RECORD));
        }
    }
    dir.calibrate("positions checkers one --out x.games --thin 0").exits_with(2).stderr_contains(&["--thin"]);
}

#[test]
fn a_flipped_bit_costs_one_game() {
    let dir = with_games();
    let (good, games) = (dir.bytes(C), games_of(&dir, C));
    // Number of records before each game.
    let starts: Vec<usize> = games
        .iter()
        .scan(0, |sum, (_, game)| {
            let start = *sum;
            *sum += game.len() / RECORD;
            Some(start)
        })
        .collect();
    let lengths: Vec<usize> = games.iter().map(|(_, game)| game.len() / RECORD).collect();
    let long = (1..games.len() - 1).find(|&game| lengths[game] > 4).expect("a longer game");
    for record in [0, 1, lengths[long] - 2, lengths[long] - 1] {
        let record = starts[long] + record;
        let mut damaged = good.clone();
        damaged[HEADER + record * RECORD + 3] ^= 0x40;
        dir.write("damaged.games", &damaged);
        let report = report(&dir, "damaged.games --out rest.games --force");
        let file = &report["files"][0];
        assert_eq!((number(file, "games"), number(file, "lost")), (games.len() - 1, lengths[long]), "{file}");
        let faults = list(&file["damaged"]);
        assert_eq!((faults.len(), number(&faults[0], "record")), (1, record + 1), "{file}");
        let others = games.iter().enumerate().filter(|(place, _)| *place != long).map(|(_, game)| game.clone());
        assert_eq!(contents(&games_of(&dir, "rest.games")), contents(&others.collect::<Vec<_>>()));
    }
    let ran = dir.calibrate("positions checkers damaged.games");
    let place = starts[long] + lengths[long];
    assert!(ran.exits_with(0).stdout.contains(&format!("damaged: record {place}: its checksum is wrong")), "{ran:#?}");

    // The last record of a game is missing.
    let cut = HEADER + (starts[long] + lengths[long] - 1) * RECORD;
    dir.write("damaged.games", [&good[..cut], &good[cut + RECORD..]].concat());
    let file = &report(&dir, "damaged.games")["files"][0];
    assert_eq!((number(file, "games"), number(file, "lost")), (games.len() - 1, lengths[long] - 1), "{file}");
    assert!(
        file["damaged"][0]["found"].as_str().is_some_and(|found| found.contains("before the end of game")),
        "{file}"
    );

    // A broken end is not damage: a killed run leaves one.
    dir.write("damaged.games", &good[..good.len() - 7]);
    let file = &report(&dir, "damaged.games")["files"][0];
    let last = games[games.len() - 1].1.len();
    assert_eq!((number(file, "games"), number(file, "broken_tail")), (games.len() - 1, last - 7), "{file}");
    assert_eq!((&file["damaged"], number(file, "lost")), (&Value::Array(Vec::new()), 0), "{file}");
    // More than that is damage. After 32 repetitions, each a byte short, records would be aligned again.
    let noise = good[HEADER + 1..].repeat(30);
    dir.write("damaged.games", [&good[..], &noise].concat());
    let file = &report(&dir, "damaged.games")["files"][0];
    assert_eq!((number(file, "games"), number(file, "lost")), (games.len(), noise.len() / RECORD), "{file}");
    assert_eq!(number(&file["damaged"][0], "record"), (good.len() - HEADER) / RECORD + 1, "{file}");
}

#[test]
fn illegal_positions_are_damage() {
    let dir = with_games();
    let mut bytes = dir.bytes(C);
    let record = &mut bytes[HEADER + RECORD..HEADER + 2 * RECORD];
    // A man of each side on the same square, with a correct checksum.
    record[1] |= 1;
    record[9] |= 1;
    let sum =
        record[..28].iter().fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    record[28..].copy_from_slice(&sum.to_le_bytes());
    dir.write("illegal.games", &bytes);
    let file = &report(&dir, "illegal.games")["files"][0];
    let fault = &file["damaged"][0];
    assert_eq!((number(fault, "record"), fault["found"].as_str()), (2, Some("an illegal position")), "{file}");
    assert_eq!(number(file, "games"), games_of(&dir, C).len() - 1, "{file}");
}

#[test]
fn no_input_is_overwritten_and_other_files_only_by_force() {
    let dir = with_games();
    dir.link(dir.path(C), "link.games");
    dir.link("two", "same");
    dir.write("there.games", "mine");
    dir.make_dir("empty");
    let before: Vec<_> = [A, B, C].map(|name| dir.bytes(name)).to_vec();
    let names = dir.names();
    let absolute = dir.path(C).display().to_string();
    for out in [C, "./two/../two/checkers-1-of-1.games", "link.games", "same/checkers-1-of-1.games", &absolute] {
        for options in ["", " --force"] {
            let ran = dir.calibrate(&format!("positions checkers one two --out {out}{options}"));
            ran.exits_with(1).stderr_contains(&[out, "is read or written already"]);
        }
        let ran = dir.calibrate(&format!("positions checkers one two --out new.games --held-out {out} --force"));
        ran.exits_with(1).stderr_contains(&[out, "is read or written already"]);
    }
    dir.run_rows(Program::Calibrate, REFUSED, "positions");
    let ran = dir.calibrate("positions checkers there.games");
    ran.exits_with(2).stderr_contains(&["there.games: found something else, expected a game file"]);
    assert_eq!(dir.names(), names);
    assert!([A, B, C].iter().zip(&before).all(|(name, before)| dir.bytes(name) == *before));
    assert_eq!(dir.read("there.games").as_deref(), Some("mine"));
    dir.calibrate("positions checkers one --out there.games --force").exits_with(0);
    assert!(!games_of(&dir, "there.games").is_empty());

    dir.calibrate("selfplay loa6 --games 1 --nodes 50 --folder two").exits_with(0);
    let ran = dir.calibrate("positions checkers two --out new.games");
    ran.exits_with(2).stderr_contains(&["loa6-1-of-1.games: found games of loa6, expected checkers"]);
    dir.calibrate("positions loa6 two/loa6-1-of-1.games").exits_with(0);
}

#[test]
fn a_full_disk_leaves_no_part_of_a_file() {
    let dir = with_games();
    let names = dir.names();
    let line = "trap '' XFSZ; ulimit -f 8; exec \"$0\" positions checkers one two --out new.games --held-out new.held";
    dir.run_in_shell(line, Program::Calibrate).exits_with(1).stderr_contains(&["cannot write new.", "too large"]);
    assert_eq!(dir.names(), names);
}
