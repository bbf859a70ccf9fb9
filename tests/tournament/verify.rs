//! `master verify` on intact stores, changed stores, and stores without checksums.

use std::fs;
use std::path::Path;

use kingline_master::league::{League, Pairing};
use kingline_master::tournament::store::{ChecksumState, Store, StoreWriter};
use kingline_master::tournament::verify::{VerifiedStore, verify};
use rusqlite::Connection;
use serde_json::Value;

use crate::support::command::{Dir, Ran};
use crate::support::programs::Program;
use crate::tournament::games::record_by;
use crate::tournament::{Class, Fake};

fn verified(store: &Path) -> VerifiedStore {
    verify(&Store::open(store).expect("a store"), &mut |_| true).expect("a store that can be read")
}

fn master(dir: &Dir, words: &str) -> Ran {
    dir.run_with_input(Program::Master, &words.split(' ').collect::<Vec<_>>(), "")
}

/// Makes a store in which all games were played, in a directory to run in.
fn sample(pairing: Pairing) -> Dir {
    let class = Class::of(5);
    class.run_by(pairing, &Fake::new());
    let dir = Dir::new();
    fs::copy(class.store(), dir.path("store.db")).expect("a copy");
    dir
}

#[test]
fn nothing_differs_in_an_intact_store() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let dir = sample(pairing);
        let before = fs::read(dir.path("store.db")).unwrap();
        let ran = master(&dir, "verify store.db");
        ran.exits_with(0).stderr_lacks(&["master"]);
        assert!(ran.stdout.ends_with(" games were replayed: nothing differs\n"), "{ran:#?}");
        let report: Value = serde_json::from_str(&master(&dir, "verify store.db --json").stdout).unwrap();
        assert_eq!((&report["right"], &report["found"]["without_checksum"]), (&Value::Bool(true), &Value::from(0)));
        assert!(fs::read(dir.path("store.db")).unwrap() == before, "the store is only read");
        assert_eq!(dir.names(), ["store.db"]);
    }
}

#[test]
fn every_change_is_reported() {
    let dir = sample(Pairing::RoundRobin);
    let whole = fs::read(dir.path("store.db")).unwrap();
    const CHECKSUM: &str = "its checksum: found one that does not match";
    // A game that ended at once by White's fault.
    let find = "(SELECT id FROM game WHERE winner = 0 AND reason = 'crashed' ORDER BY id LIMIT 1)";
    // A game that was played to its end.
    let long = "(SELECT id FROM game WHERE turns > 20 ORDER BY id LIMIT 1)";
    for (change, games, places, expected) in [
        (
            format!("UPDATE game SET winner = 1, black_points = 0, white_points = 2 WHERE id = {find}"),
            1,
            2,
            &[CHECKSUM, "its points: found 0 - 1, expected 1 - 0", "its winner: found White, expected Black"][..],
        ),
        (
            format!(
                "UPDATE record SET verdict = replace(verdict, 'black\",\"reason', 'white\",\"reason') WHERE game = {find}"
            ),
            1,
            0,
            &[CHECKSUM, "the verdict: found \"White wins: White in turn "],
        ),
        (
            format!("UPDATE move SET move = '1-32' WHERE game = {long} AND turn = 4"),
            1,
            2,
            &["found \"1-32\", expected a legal"],
        ),
        (format!("DELETE FROM move WHERE game = {long} AND turn = 4"), 1, 2, &[CHECKSUM, "expected one by"]),
        (
            format!("UPDATE move SET left = left + 50000 WHERE game = {find}"),
            1,
            0,
            &["'s time left after turn ", " s for the turn", "'s time left at the end"],
        ),
        (format!("UPDATE record SET opening = '[\"11-15\"]' WHERE game = {find}"), 1, 2, &[CHECKSUM]),
        (format!("UPDATE record SET verdict = '{{' WHERE game = {find}"), 1, 2, &["its record: cannot read a game of"]),
        (format!("DELETE FROM record WHERE game = {find}"), 1, 2, &["its record: ", "there is no game"]),
        (format!("UPDATE game SET turns = 9 WHERE id = {find}"), 1, 0, &["its turns: found 9, expected "]),
        (format!("UPDATE record SET tier = 'perfect' WHERE game = {find}"), 1, 0, &[CHECKSUM]),
        ("UPDATE agent SET name = 'Mallory' WHERE name = 'agent001'".to_owned(), 8, 0, &[CHECKSUM]),
    ] {
        fs::write(dir.path("store.db"), &whole).unwrap();
        let connection = Connection::open(dir.path("store.db")).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        assert!(connection.execute(&change, ()).unwrap() > 0, "{change}");
        drop(connection);
        let found = verified(&dir.path("store.db"));
        assert_eq!(found.different.len(), games, "{change}: {found:#?}");
        assert!(found.standings.len() >= places, "{change}: {found:#?}");
        let wrong = found.different[0].wrong.join("\n");
        expected.iter().for_each(|expected| assert!(wrong.contains(expected), "{change}: {expected}: {wrong}"));
        let ran = master(&dir, "verify store.db");
        ran.exits_with(2)
            .stderr_contains(&[&format!("store.db: {games} of 20 games contradict their moves or were changed")]);
        let shown = format!("game {}, round 1 opening 0: ", found.different[0].game);
        assert!(ran.stdout.contains(&shown) && ran.stdout.contains(expected[0]), "{ran:#?}");
        let report: Value = serde_json::from_str(&master(&dir, "verify store.db --json").exits_with(2).stdout).unwrap();
        assert_eq!(report["found"]["different"][0]["game"], found.different[0].game);
    }
    master(&dir, "report store.db")
        .exits_with(0)
        .stderr_contains(&["8 games have changed", "`master verify store.db`"]);
    master(&dir, "verify nothing.db").exits_with(2).stderr_contains(&["nothing.db"]);
}

/// Six games of three agents, two of them `reference` and one that crashes, as stored by kingline at commit af010a2
/// with `master tournament agents/ --time 1 --opening 2 --seed 5`. Times differ from run to run, so another run gives a
/// different file. SHA-256 of this one: 89fd4b31b900e9d9348ccd01661ba8a41e0d7b18ba950cf8e9c2c380241730d2.
pub(crate) const OLD: &[u8] = include_bytes!("af010a2.db");

#[test]
fn a_store_without_checksums_is_read_and_continued() {
    let dir = Dir::new();
    let path = dir.path("old.db");
    fs::write(&path, OLD).unwrap();
    let ran = master(&dir, "verify old.db");
    assert_eq!(ran.exits_with(0).stdout, "6 games were replayed, 6 have no checksum: nothing differs\n");
    let table = master(&dir, "tournament table old.db");
    assert!(table.exits_with(0).stdout.contains("plain"), "{table:#?}");
    assert!(fs::read(&path).unwrap() == OLD, "reading changes nothing");

    let mut store = StoreWriter::resume(&path).unwrap();
    store.set_games(4).unwrap();
    let missing = store.schedule(&|_| false).unwrap().missing;
    assert_eq!(missing.len(), 6, "the earlier games are still there");
    let agents = store.agents().unwrap();
    let league: League = store.league().clone();
    let names = missing[0].agents.map(|agent| agents[agent].name.clone());
    let added = store.record(&missing[0], &record_by(&league, names, missing[0].seed, 0)).unwrap();
    assert_eq!(store.check(added).unwrap(), ChecksumState::Matches);
    drop(store);
    let ran = master(&dir, "verify old.db");
    assert_eq!(ran.exits_with(0).stdout, "7 games were replayed, 6 have no checksum: nothing differs\n");
}
