//! `master verify` on intact stores, changed stores, and stores without checksums.

use std::path::Path;

use kingline_master::league::Pairing;
use kingline_master::tournament::store::Store;
use kingline_master::tournament::verify::{VerifiedStore, verify};
use rusqlite::Connection;

use super::CASES;
use crate::support::referee::*;
use crate::support::table::rows;
use crate::tournament::{Class, Fake};

fn verified(store: &Path) -> VerifiedStore {
    verify(&Store::open(store).expect("a store"), &mut |_| true).expect("a store that can be read")
}

/// Makes a store in which all games were played, in a directory to run in.
fn sample(pairing: Pairing) -> Dir {
    let class = Class::of(5);
    class.run_by(pairing, &Fake::new());
    let dir = Dir::new();
    dir.copy(class.store(), "store.db");
    dir
}

#[test]
fn nothing_differs_in_an_intact_store() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let dir = sample(pairing);
        let before = dir.bytes("store.db");
        let ran = dir.master("verify store.db");
        ran.exits_with(0).stderr_lacks(&["master"]);
        assert!(ran.stdout.ends_with(" games were replayed: nothing differs\n"), "{ran:#?}");
        let report: Value = dir.master("verify store.db --json").json();
        assert_eq!(report["right"], Value::Bool(true));
        assert!(dir.bytes("store.db") == before, "the store is only read");
        assert_eq!(dir.names(), ["store.db"]);
    }
}

#[test]
fn every_change_is_reported() {
    let dir = sample(Pairing::RoundRobin);
    let whole = dir.bytes("store.db");
    // A game that ended at once by White's fault.
    let find = "(SELECT id FROM game WHERE winner = 0 AND reason = 'crashed' ORDER BY id LIMIT 1)";
    // A game that was played to its end.
    let long = "(SELECT id FROM game WHERE turns > 20 ORDER BY id LIMIT 1)";
    for [change, games, places, expected] in rows(CASES, "changes of a store") {
        let change = change.replace("SHORT", find).replace("LONG", long);
        dir.write("store.db", &whole);
        let connection = Connection::open(dir.path("store.db")).unwrap();
        connection.pragma_update(None, "foreign_keys", false).unwrap();
        assert!(connection.execute(&change, ()).unwrap() > 0, "{change}");
        drop(connection);
        let found = verified(&dir.path("store.db"));
        let expected: Vec<&str> = expected.split(" ... ").collect();
        assert_eq!(found.different.len().to_string(), games, "{change}: {found:#?}");
        assert!(found.standings.len() >= places.parse().unwrap(), "{change}: {found:#?}");
        contains(&found.different[0].wrong.join("\n"), &expected);
        let ran = dir.master("verify store.db");
        let summary = format!("store.db: {games} of 20 games contradict their moves or were changed");
        let shown = format!("game {}, round 1 opening 0: ", found.different[0].game);
        ran.exits_with(2).stderr_contains(&[&summary]).stdout_contains(&[&shown, expected[0]]);
        let report: Value = dir.master("verify store.db --json").exits_with(2).json();
        assert_eq!(report["found"]["different"][0]["game"], found.different[0].game);
    }
    dir.master("report store.db").exits_with(0).stderr_contains(&["8 games have changed", "`master verify store.db`"]);
    dir.master("verify nothing.db").exits_with(2).stderr_contains(&["nothing.db"]);
}
