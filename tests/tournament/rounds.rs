//! A tournament in rounds: a new store begins with the games of an earlier one, and only the others are played.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use kingline_master::tournament::store::Store;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::CASES;
use super::command::{class, lines, write};
use crate::support::referee::*;
use crate::support::submissions::is_skipped;

const SIX: [(&str, usize); 6] = [("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 1), ("f", 2)];

/// Plays a first round of six agents into week1.db. After it, a and b are changed, c is withdrawn, and g is new.
fn two_weeks() -> Dir {
    let dir = class(&SIX);
    dir.master("tournament agents --opening 0 --seed 5 --store week1.db").exits_with(0);
    write(&dir, "a", 3);
    write(&dir, "b", 2);
    dir.delete_dir("agents/c");
    write(&dir, "g", 1);
    dir
}

/// All columns of all rows of each game, by the names of Black and White and the number of the opening.
fn games(store: &Path) -> BTreeMap<(String, String, u32), Vec<Vec<Value>>> {
    let connection = Connection::open(store).expect("a store");
    let rows = |query: &str, game: i64| {
        let mut statement = connection.prepare(query).expect("a query");
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
        let rows = statement.query_map((game,), row).expect("rows");
        rows.collect::<Result<Vec<Vec<Value>>, _>>().expect("values")
    };
    let mut statement = connection
        .prepare(
            "SELECT game.id, black.name, white.name, opening FROM game JOIN agent AS black ON black.id = black \
             JOIN agent AS white ON white.id = white WHERE black.present AND white.present",
        )
        .expect("a query");
    let named = statement.query_map((), |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?))));
    let named = named.expect("games").map(|game| game.expect("a game"));
    let all = |id| {
        let tables = ["SELECT * FROM game WHERE id = ?", "SELECT * FROM record WHERE game = ?"];
        let moves = rows("SELECT * FROM move WHERE game = ? ORDER BY turn", id);
        tables.iter().flat_map(|query| rows(query, id)).chain(moves).collect()
    };
    named.map(|(id, key)| (key, all(id))).collect()
}

fn is_unchanged(game: &(String, String, u32)) -> bool {
    [&game.0, &game.1].iter().all(|name| ["d", "e", "f"].contains(&name.as_str()))
}

#[test]
fn only_games_of_new_or_changed_agents_are_played() {
    let dir = two_weeks();
    let before = dir.bytes("week1.db");
    let ran = dir.master("tournament agents --store week2.db --since week1.db --json");
    ran.exits_with(0).stderr_contains(&[
        "since week1.db: 3 agents unchanged, 2 changed (a, b), 1 new (g), 1 withdrawn (c)\n6 games are taken over, 24 \
         are to be played\n",
        "24 of 24 games",
    ]);
    assert!(dir.bytes("week1.db") == before, "the earlier store is only read");
    assert_eq!(dir.names(), ["agents", "week1.db", "week2.db"]);

    let [first, second] = ["week1.db", "week2.db"].map(|store| games(&dir.path(store)));
    let (taken, played): (Vec<_>, Vec<_>) = second.iter().partition(|(game, _)| is_unchanged(game));
    assert_eq!((taken.len(), played.len()), (6, 24));
    for (game, rows) in taken {
        assert!(rows.len() > 3 && first[game] == *rows, "{game:?} is not as it was");
    }
    let last = Store::open(&dir.path("week2.db")).unwrap().earlier().unwrap()[0].last.0;
    assert!(played.iter().all(|(_, rows)| matches!(rows[0][0], Value::Integer(id) if id > last)), "{played:?}");

    // The same agents without an earlier round.
    let alone = dir.master("tournament agents --opening 0 --seed 5 --store alone.db --json");
    assert_eq!(ran.stdout, alone.exits_with(0).stdout);
    let verified = dir.master("verify week2.db");
    assert_eq!(verified.exits_with(0).stdout, "54 games were replayed: nothing differs\n");
    let again = dir.master("tournament agents --store week2.db --since week1.db --json");
    again.exits_with(0).stderr_lacks(&["taken over", "games in"]);
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn a_killed_round_continues_with_and_without_since() {
    let dir = two_weeks();
    // Slow enough to be killed between two games.
    for file in ["a", "b", "g"].map(|name| format!("agents/{name}/homework")) {
        dir.write_program(&file, &dir.text(&file).replacen('\n', "\nsleep 0.03\n", 1));
    }
    dir.master("tournament agents --store whole.db --since week1.db").exits_with(0);
    let store = dir.path("week2.db");
    let count = || Store::open(&store).map_or(0, |store| store.summaries().expect("games").len());
    let kill = |is_time: &mut dyn FnMut() -> bool| {
        dir.kill_when(&mut master("tournament agents --store week2.db --since week1.db --jobs 1"), is_time);
    };
    // Killed at once, while the store is made, and while games are played.
    kill(&mut || true);
    kill(&mut || store.exists());
    // A store that was just made still has all games of the earlier one.
    while !(8..30).contains(&count()) {
        // The store changes with every game. To read it would take its lock and delay the games.
        let mut times = BTreeSet::new();
        kill(&mut || {
            times.extend(fs::metadata(&store).and_then(|store| store.modified()).ok());
            times.len() > 6
        });
    }
    assert!((6..30).contains(&count()), "killed after {} of 30 games: this tests nothing", count());
    dir.master("tournament agents --store week2.db --since alone.db").exits_with(1).stderr_contains(&["alone.db"]);
    dir.master("tournament agents --opening 0 --seed 5 --store alone.db").exits_with(0);
    dir.run_rows(Program::Master, CASES, "rounds that began otherwise");
    dir.rename("week1.db", "moved.db");
    let jobs = dir.spawn(&mut master("tournament agents --store week2.db --since moved.db --jobs 1"));
    let now = count();
    dir.wait_for(jobs).exits_with(0).stderr_contains(&[&format!("{0} of {0} games", 30 - now)]);
    let [killed, whole] = ["week2.db", "whole.db"].map(|store| dir.master(&format!("tournament table {store} --json")));
    assert_eq!(killed.exits_with(0).stdout, whole.exits_with(0).stdout);
    let [killed, whole] = ["week2.db", "whole.db"].map(|store| games(&dir.path(store)));
    assert!(killed.keys().eq(whole.keys()));
    assert!(killed.iter().filter(|(game, _)| is_unchanged(game)).all(|(game, rows)| whole[game] == *rows));
    dir.master("tournament agents --store week2.db").exits_with(0).stderr_lacks(&["games in"]);
}

#[test]
fn a_round_on_other_terms_is_refused_with_both_values() {
    let dir = class(&SIX[..3]);
    dir.master("tournament agents --opening 0 --seed 5 --store week1.db").exits_with(0);
    dir.master("tournament agents --opening 0 --pairing elimination --store cup.db").exits_with(0);
    let before = dir.bytes("week1.db");
    dir.run_rows(Program::Master, CASES, "rounds on other terms");
    assert_eq!(dir.names(), ["agents", "cup.db", "week1.db"]);
    assert!(dir.bytes("week1.db") == before);
    let same = dir.master("tournament agents --store week2.db --since week1.db --games 2 --seed 5 --opening 0");
    same.exits_with(0).stderr_contains(&["since week1.db: 3 agents unchanged", "6 games are taken over, 0 are"]);
}

#[test]
fn games_that_contradict_their_moves_are_not_taken_over() {
    let dir = two_weeks();
    let connection = Connection::open(dir.path("week1.db")).expect("a store");
    let changed = connection.execute("UPDATE game SET winner = 1 - winner WHERE id IN (3, 8)", ()).expect("games");
    drop(connection);
    assert_eq!(changed, 2);
    dir.run_rows(Program::Master, CASES, "changed games");
    assert_eq!(dir.names(), ["agents", "week1.db"]);
}

#[test]
fn every_later_round_knows_the_earlier_ones() {
    let dir = two_weeks();
    dir.master("tournament agents --store week2.db --since week1.db").exits_with(0);
    write(&dir, "g", 2);
    dir.master("tournament agents --store week3.db --since week2.db").exits_with(0).stderr_contains(&[
        "5 agents unchanged, 1 changed (g), 0 new, 0 withdrawn",
        "20 games are taken over, 10 are to be played",
    ]);
    let rounds = Store::open(&dir.path("week3.db")).unwrap().earlier().unwrap();
    for (round, name) in rounds.iter().zip(["week1", "week2"]) {
        let store = Store::open(&dir.path(&format!("{name}.db"))).unwrap();
        assert_eq!(
            (&*round.name, &round.agents, &round.games),
            (name, &store.agents().unwrap(), &store.summaries().unwrap())
        );
    }
    assert_eq!(rounds.len(), 2);
    // More games in this round do not change the earlier ones.
    dir.master("tournament agents --store week3.db --games 4").exits_with(0);
    assert!(Store::open(&dir.path("week3.db")).unwrap().earlier().unwrap() == rounds);
}

#[test]
fn a_round_is_planned_in_shards() {
    let dir = two_weeks();
    let planned = dir.master("tournament plan agents --store week2.db --since week1.db");
    let path = dir.path("week2.plan");
    assert_eq!(planned.exits_with(0).stdout, format!("24 games to play: {}\n", path.display()));
    for shard in ["1/2", "2/2"] {
        dir.master(&format!("tournament play week2.plan agents --shard {shard}")).exits_with(0);
    }
    let merged = dir.master("tournament merge week2.db week2.plan.1-of-2 week2.plan.2-of-2");
    assert_eq!(merged.exits_with(0).stdout, "24 games added, 0 already known, 0 missing\n");
    dir.master("tournament agents --store alone.db --since week1.db").exits_with(0);
    let [shards, alone] = ["week2.db", "alone.db"].map(|store| dir.master(&format!("tournament table {store} --json")));
    assert_eq!(lines(&shards), lines(&alone));
}

#[test]
fn unchanged_agents_keep_their_builds_and_calibrations() {
    if is_skipped("builds in a new round", &["gcc"]) {
        return;
    }
    let dir = class(&[("a", 0), ("b", 1)]);
    dir.write("agents/source/homework.c", "int main(void) { return 0; }\n");
    for name in ["a", "b"] {
        dir.write_program(&format!("agents/{name}/calibrate"), "#!/bin/sh\ndate +%s.%N > calibration.txt\n");
    }
    dir.master("tournament agents --opening 0 --store week1.db").exits_with(0);
    let built = dir.names_in("week1.db.files/built");
    assert_eq!(built.len(), 1);
    let mark = |week: u32| format!("week{week}.db.files/built/{}/mark", built[0]);
    dir.write(&mark(1), "the same build");
    write(&dir, "a", 2);
    dir.master("tournament agents --store week2.db --since week1.db")
        .exits_with(0)
        .stderr_contains(&["2 agents unchanged, 1 changed (a)"])
        .stderr_lacks(&["lacks calibrations"]);
    assert_eq!(dir.text(&mark(2)), "the same build");
    let [first, second] = [1, 2].map(|week| dir.names_in(&format!("week{week}.db.files/calibrations")));
    let kept: Vec<_> = first.iter().filter(|hash| second.contains(hash)).collect();
    assert_eq!((first.len(), second.len(), kept.len()), (2, 2, 1), "{first:?} {second:?}");
    let [before, after] = [1, 2].map(|week| dir.text(&format!("week{week}.db.files/calibrations/{}", kept[0])));
    assert_eq!(before, after);

    dir.delete_dir("week2.db.files");
    write(&dir, "source", 1);
    dir.master("tournament agents --store week3.db --since week2.db").exits_with(0).stderr_contains(&[
        "week2.db.files lacks calibrations, so that `calibrate` runs again before these agents play: a, b",
    ]);
}
