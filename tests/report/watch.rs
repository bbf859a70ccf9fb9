//! Sites that follow their tournament.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use kingline_master::report::{Site, Tournament};
use kingline_master::tournament::store::{Store, StoreWriter};

use super::site::read;
use super::synthetic::{PLAIN, Sample, league, play_all};
use crate::support::referee::*;

const ORDER: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

fn open(path: &Path) -> (Store, Tournament) {
    let store = Store::open(path).expect("a store");
    let tournament = Tournament::of(&store).expect("a tournament");
    (store, tournament)
}

/// Times of the last change of all files.
fn modified(folder: &Path) -> BTreeMap<String, SystemTime> {
    let time = |name: &String| fs::metadata(folder.join(name)).and_then(|about| about.modified()).expect("a file");
    read(folder).into_keys().map(|name| (name.clone(), time(&name))).collect()
}

/// Plays more games between all agents.
fn play_more(path: &Path, games: u32) {
    let mut writer = StoreWriter::resume(path).expect("a store");
    writer.set_games(games).expect("more games");
    play_all(&mut writer, &ORDER);
}

#[test]
fn an_update_gives_the_same_site_and_changes_few_files() {
    // More games than one file has.
    let sample = Sample::new(&league("loa6"), &PLAIN, 60);
    let (followed, fresh) = (sample.path("followed"), sample.path("fresh"));
    let (store, tournament) = open(&sample.store());
    let mut site = Site::write(&followed, &tournament, |id| Ok(store.game(id)?), None, None).expect("a site");
    let before = modified(&followed);
    site.update(&tournament, |_| panic!("no game is read again")).expect("an update");
    play_more(&sample.store(), 62);
    let (store, tournament) = open(&sample.store());
    assert_eq!(tournament.games.len(), 372);
    let mut again = 0;
    let count = |id| {
        again += 1;
        Ok(store.game(id)?)
    };
    site.update(&tournament, count).expect("an update");
    assert_eq!(again, 73, "the games of the second file, numbers 300 to 372");
    Site::write(&fresh, &tournament, |id| Ok(store.game(id)?), None, None).expect("a site");
    assert!(read(&followed) == read(&fresh));
    let after = modified(&followed);
    for name in ["data/games-0.js", "game.html", "site.css", "pair.html"] {
        assert_eq!(after[name], before[name], "{name} has not changed");
    }
    for name in ["data/games-1.js", "index.html", "standings.json"] {
        assert!(after[name] > before[name], "{name} has changed");
    }
    // An agent is withdrawn: its pages and games are gone.
    let mut writer = StoreWriter::resume(&sample.store()).expect("a store");
    let hashes = ORDER.map(Sample::hash);
    writer.enter(ORDER.into_iter().zip(hashes.iter().map(String::as_str)).take(3)).expect("agents");
    drop(writer);
    let (store, tournament) = open(&sample.store());
    site.update(&tournament, |id| Ok(store.game(id)?)).expect("an update");
    drop(site);
    Site::write(&fresh, &tournament, |id| Ok(store.game(id)?), None, None).expect("a site");
    assert!(read(&followed) == read(&fresh));
}

#[test]
fn the_command_follows_a_tournament_to_its_end() {
    let dir = Sample::new(&league("loa6"), &PLAIN, 2).dir();
    StoreWriter::resume(&dir.path("spring.db")).and_then(|mut writer| writer.set_games(4)).expect("more games");
    let child = dir.spawn(&mut master("report spring.db --watch=1"));
    let index = dir.path("spring-report/index.html");
    while !index.exists() {
        sleep(Duration::from_millis(10));
    }
    assert!(dir.text("spring-report/index.html").contains("Unofficial"));
    dir.master("report spring.db")
        .exits_with(1)
        .stderr_contains(&["spring-report: another report is being written here"]);
    play_more(&dir.path("spring.db"), 4);
    dir.wait_for(child).exits_with(0).stderr_contains(&["master: 24 games on the site, 0 still to be played"]);
    let followed = read(&dir.path("spring-report"));
    assert!(!followed["index.html"].contains("Unofficial"));
    dir.master("report spring.db").exits_with(0);
    assert!(read(&dir.path("spring-report")) == followed);
}

#[test]
fn reviews_copies_and_bad_intervals_are_refused() {
    let dir = Dir::new();
    for words in ["--watch --review 0.1", "--watch --with-store", "--watch=0", "--watch=x"] {
        dir.master(&format!("report none.db {words}")).exits_with(2);
    }
}
