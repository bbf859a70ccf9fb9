//! Stores keep what they are given, and refuse the rest.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::league::clock_rules::Spent;
use crate::league::{FaultRule, League, Pairing};
use crate::record::{ChosenBy, Draw, EndReason, Failure, Fault, FaultKind, GameRecord, GameVerdict, Turn};
use crate::tournament::schedule::{PlannedGame, TournamentRules};
use kingline::game::Color;
use kingline_players::game_name::GameName;

const LIMITED: u64 = 300;

/// A store in its own folder. The hash of each agent is its name.
struct Sample {
    writer: StoreWriter,
    folder: TempDir,
}

impl Sample {
    fn new(names: &[&str]) -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let league = League::named("checkers").unwrap();
        let rules = TournamentRules { pairing: Pairing::RoundRobin, games: 2, seed: u64::MAX };
        let mut writer = StoreWriter::create(&folder.path().join("s.db"), &league, &rules).unwrap();
        writer.enter(names.iter().map(|&name| (name, name))).unwrap();
        Sample { writer, folder }
    }

    fn missing(&self) -> Vec<PlannedGame> {
        self.writer.schedule(&|_| false).unwrap().missing
    }
}

fn ended(names: [&str; 2], winner: Option<Color>, reason: EndReason) -> GameRecord {
    let turn = |side, mv: &str, fault| Turn {
        side,
        mv: Some(mv.to_owned()),
        chosen_by: ChosenBy::Agent,
        spent: Spent { cpu: Duration::from_millis(3), wall: Duration::from_millis(4) },
        peak: None,
        left: Some(Duration::from_secs(LIMITED)),
        fault,
        notes: Vec::new(),
    };
    let fault = Fault {
        side: Color::White,
        turn: 5,
        kind: FaultKind::Illegal,
        read: "E a1 a2".to_owned(),
        expected: "a legal move".to_owned(),
    };
    let by_referee = Turn {
        mv: None,
        chosen_by: ChosenBy::Referee,
        left: None,
        notes: vec!["exit status 1".to_owned()],
        ..turn(Color::White, "", Some(fault))
    };
    GameRecord {
        league: "checkers".to_owned(),
        game: GameName::Checkers,
        names: names.map(str::to_owned),
        budgets: [Some(Duration::from_secs(LIMITED)), None],
        seed: u64::MAX - 1,
        started: Some(1_764_486_000),
        start: "B:W32:B1".to_owned(),
        opening: vec!["11-15".to_owned()],
        turns: vec![turn(Color::Black, "1-6", None), by_referee],
        verdict: GameVerdict { winner, reason },
        left: [None, Some(Duration::from_micros(1))],
        tier: "cgroup v2".to_owned(),
    }
}

fn won(names: [&str; 2]) -> GameRecord {
    ended(names, Some(Color::Black), EndReason::Blocked)
}

fn failed(names: [&str; 2]) -> GameRecord {
    ended(names, None, EndReason::Failed(Failure::Other("no process".to_owned())))
}

#[test]
fn games_round_trip_through_the_store() {
    let mut sample = Sample::new(&["b", "a"]);
    let [first, second] = sample.missing()[..] else { panic!("two games") };
    let drawn = EndReason::Drawn { draw: Draw::QuietTurns, more_time: Some(Color::White) };
    let records = [won(["a", "b"]), ended(["b", "a"], None, drawn)];
    let ids = [(&first, &records[0]), (&second, &records[1])]
        .map(|(game, record)| sample.writer.record(game, record).unwrap());
    sample.writer.set_title("b", "B. Agent").unwrap();
    let store = Store::open(&sample.folder.path().join("s.db")).unwrap();
    assert_eq!(ids.map(|id| store.game(id).unwrap()), records);
    assert_eq!(store.rules(), sample.writer.rules());
    let agents = store.agents().unwrap();
    assert_eq!(
        agents.iter().map(|agent| (&*agent.name, agent.title.as_deref())).collect::<Vec<_>>(),
        [("a", None), ("b", Some("B. Agent"))]
    );
    let [one, two] = &store.summaries().unwrap()[..] else { panic!("two games") };
    assert_eq!((one.agents, one.half_points, &*one.reason), ([0, 1], Some([2, 0]), "blocked"));
    assert_eq!((two.agents, two.half_points, &*two.reason), ([1, 0], Some([0, 2]), "quiet-turns"));
    assert_eq!((one.faults, one.timeouts, one.turns), ([0, 1], [0, 0], 2));
    assert_eq!(one.spent, [Duration::from_millis(3); 2]);
    assert_eq!(one.pairing, two.pairing);
    assert!(matches!(store.game(GameId(99)), Err(StoreError::NoGame(..))));
}

#[test]
fn a_checksum_shows_every_change_of_a_game_and_no_other() {
    let mut sample = Sample::new(&["b", "a"]);
    let [first, second] = sample.missing()[..] else { panic!("two games") };
    let id = sample.writer.record(&first, &won(["a", "b"])).unwrap();
    sample.writer.record(&second, &won(["b", "a"])).unwrap();
    sample.writer.set_title("b", "B. Agent").unwrap();
    assert!(sample.writer.is_as_recorded(id).unwrap());
    let is_as_recorded_after = |change: &str| {
        sample.writer.connection.execute_batch(&format!("BEGIN; {change}")).unwrap();
        let is_as_recorded = sample.writer.is_as_recorded(id).unwrap();
        sample.writer.connection.execute_batch("ROLLBACK").unwrap();
        is_as_recorded
    };
    let GameId(number) = id;
    for change in [
        "UPDATE game SET seed = seed - 1 WHERE id = #",
        "UPDATE game SET white_points = NULL WHERE id = #",
        "UPDATE game SET black = white WHERE id = #",
        "UPDATE record SET kingline = '9.9.9' WHERE game = #",
        "UPDATE record SET black_left = 0 WHERE game = #",
        "UPDATE move SET move = '1-5' WHERE game = # AND turn = 0",
        "UPDATE move SET wall = wall + 1 WHERE game = # AND turn = 1",
        "DELETE FROM move WHERE game = # AND turn = 1",
        "UPDATE agent SET hash = 'c' WHERE name = 'a'",
        "UPDATE record SET checksum = 'none' WHERE game = #",
        "UPDATE record SET checksum = NULL WHERE game = #",
    ] {
        assert!(!is_as_recorded_after(&change.replace('#', &number.to_string())), "{change}");
    }
    for change in [
        format!("UPDATE game SET turns = 9 WHERE id != {number}"),
        "UPDATE agent SET present = 0, title = NULL".to_owned(),
        // A later version may add columns.
        "ALTER TABLE move ADD COLUMN later INTEGER; ALTER TABLE game ADD COLUMN other TEXT".to_owned(),
    ] {
        assert!(is_as_recorded_after(&change), "{change}");
    }
}

#[test]
fn games_with_agents_that_could_not_be_started_are_found() {
    let mut sample = Sample::new(&["a", "b"]);
    let [first, second] = sample.missing()[..] else { panic!("two games") };
    sample.writer.record(&first, &won(["a", "b"])).unwrap();
    let mut record = won(["b", "a"]);
    let fault = record.turns[1].fault.as_mut().unwrap();
    fault.kind = FaultKind::NotStarted;
    let fault = fault.clone();
    let found = |sample: &Sample, rule| rows::not_started(&sample.writer.connection, rule).unwrap();
    let id = sample.writer.record(&second, &record).unwrap();
    assert_eq!(found(&sample, FaultRule::RandomMove), HashMap::from([(id, [false, true])]));
    assert_eq!(found(&sample, FaultRule::LosesGame), HashMap::new(), "the fault did not end the game");
    record.verdict.reason = EndReason::Fault(fault);
    sample.writer.connection.execute("UPDATE game SET reason = 'failed' WHERE id = ?", (id.0,)).unwrap();
    let id = sample.writer.record(&second, &record).unwrap();
    assert_eq!(found(&sample, FaultRule::LosesGame), HashMap::from([(id, [false, true])]));
}

#[test]
fn a_game_has_one_result_and_failed_games_are_replayed() {
    let mut sample = Sample::new(&["a", "b"]);
    let [game, other] = sample.missing()[..] else { panic!("two games") };
    let first = sample.writer.record(&game, &failed(["a", "b"])).unwrap();
    assert_eq!(sample.missing(), [game, other], "a failed game is missing");
    let standing = sample.writer.schedule(&|_| true).unwrap();
    assert_eq!((standing.missing, standing.failed), (vec![other], vec![game]));
    assert_eq!(sample.writer.summaries().unwrap(), []);
    assert_eq!(sample.writer.record(&game, &won(["a", "b"])).unwrap(), first);
    let error = sample.writer.record(&game, &won(["a", "b"])).unwrap_err();
    assert!(matches!(error, StoreError::Recorded(_, id) if id == first), "{error}");
    let both = [(other, won(["b", "a"])), (game, won(["a", "b"]))];
    let error = sample.writer.record_each(both.map(Ok::<_, StoreError>)).unwrap_err();
    assert!(matches!(error, StoreError::Recorded(_, id) if id == first), "{error}");
    assert_eq!(sample.missing(), [other], "all or none");
}

#[test]
fn only_the_games_of_agents_that_changed_are_missing() {
    let mut sample = Sample::new(&["a", "b", "c"]);
    for game in sample.missing() {
        let names = game.agents.map(|agent| ["a", "b", "c"][agent]);
        sample.writer.record(&game, &won(names)).unwrap();
    }
    let changes = sample.writer.enter([("a", "a"), ("b", "new"), ("d", "d")]).unwrap();
    let owned = |name: &str| vec![name.to_owned()];
    assert_eq!(changes, Changes { added: owned("d"), changed: owned("b"), removed: owned("c") });
    let missing: HashSet<_> = sample.missing().iter().map(|game| game.agents).collect();
    assert_eq!(missing, HashSet::from([[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]));
    assert_eq!(sample.writer.summaries().unwrap(), []);
    sample.writer.enter([("a", "a"), ("b", "b"), ("c", "c")]).unwrap();
    assert_eq!((sample.missing().len(), sample.writer.summaries().unwrap().len()), (0, 6), "the old files came back");
}

#[test]
fn a_file_that_is_not_a_store_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let check = |path: &Path, text: &str| {
        let before = fs::read(path).ok();
        for error in [Store::open(path).unwrap_err(), StoreWriter::resume(path).unwrap_err()] {
            assert!(error.to_string().contains(text), "{error}");
        }
        assert_eq!(fs::read(path).ok(), before, "{text}");
    };
    check(&path, "No such file");
    check(folder.path(), "a folder or a device");
    for (bytes, text) in [("", "an empty file"), ("not a database, but long enough to be one", "another kind of file")]
    {
        fs::write(&path, bytes).unwrap();
        check(&path, text);
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
    check(&path, "an SQLite file with other tables");

    let Sample { writer, folder } = Sample::new(&["a"]);
    let path = folder.path().join("s.db");
    writer.connection.execute_batch("ALTER TABLE move ADD COLUMN later INTEGER").unwrap();
    drop(writer);
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let name = bytes.windows(5).position(|window| window == b"later").unwrap();
    bytes[name] = 0xff;
    fs::write(&path, bytes).unwrap();
    check(&path, "s.db: found a column of table move whose name is not UTF-8");
    fs::write(&path, whole).unwrap();
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    check(&path, "found a store of version 7, expected version 2");
}

#[test]
fn two_masters_never_write_to_one_store() {
    let sample = Sample::new(&["a"]);
    let path = sample.folder.path().join("s.db");
    assert!(matches!(StoreWriter::resume(&path), Err(StoreError::Locked(_))));
    assert_eq!(Store::open(&path).unwrap().agents().unwrap().len(), 1, "others may read");
    drop(sample.writer);
    StoreWriter::resume(&path).unwrap();
    let league = League::named("loa6").unwrap();
    let rules = TournamentRules { pairing: Pairing::RoundRobin, games: 2, seed: 1 };
    assert!(matches!(StoreWriter::create(&path, &league, &rules), Err(StoreError::Exists(_))));
}

#[test]
fn a_full_disk_is_an_error_and_nothing_is_lost() {
    let mut sample = Sample::new(&["a", "b"]);
    let [game, other] = sample.missing()[..] else { panic!("two games") };
    sample.writer.record(&game, &won(["a", "b"])).unwrap();
    let pages: i64 = sample.writer.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    sample.writer.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let mut long = won(["b", "a"]);
    long.turns = vec![long.turns[0].clone(); 1000];
    let error = sample.writer.record(&other, &long).unwrap_err().to_string();
    assert!(error.contains("full") && error.contains("all games recorded so far are safe"), "{error}");
    sample.writer.connection.pragma_update(None, "max_page_count", 2 * pages + 100).unwrap();
    assert_eq!(sample.missing(), [other]);
    sample.writer.record(&other, &long).unwrap();
    assert_eq!(sample.missing(), []);
}
