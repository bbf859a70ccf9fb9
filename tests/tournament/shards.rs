//! Tournaments on many machines: plans, shards and their files, and merging.

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;

use kingline_master::intake::agent::Agent;
use kingline_master::league::Pairing;
use kingline_master::record::GameRecord;
use kingline_master::stop::StopFlag;
use kingline_master::tournament::schedule::PlannedGame;
use kingline_master::tournament::store::{Store, StoreError};
use kingline_master::tournament::{
    Merged, Shard, TournamentEnd, TournamentError, TournamentPlan, TournamentTerms, Workers, enter, merge, play_shard,
};

use super::CASES;
use crate::support::games::short_game;
use crate::support::referee::contains;
use crate::support::table::rows;
use crate::tournament::{Class, Fake, NoObserver};

/// A class with a plan of its tournament.
struct Planned {
    class: Class,
    plan: TournamentPlan,
}

impl Planned {
    fn new(agents: usize) -> Planned {
        Planned::by(Pairing::RoundRobin, agents)
    }

    fn by(pairing: Pairing, agents: usize) -> Planned {
        let class = Class::of(agents);
        let (store, _) = class.enter(pairing);
        let path = class.path("plan");
        TournamentPlan::of(&store).and_then(|plan| plan.write(&path)).expect("a plan");
        Planned { class, plan: TournamentPlan::read(&path).expect("a plan") }
    }

    fn file(&self, shard: &str) -> PathBuf {
        self.class.path(&format!("results-{}", shard.replace('/', "-of-")))
    }

    fn play(&self, shard: &str, arena: &Fake) -> Result<TournamentEnd, TournamentError> {
        let stop = arena.stop_after.as_ref().map_or_else(StopFlag::default, |(_, stop)| stop.clone());
        let workers = Workers { arena, jobs: 1, stop: &stop };
        let shard_of: Shard = shard.parse().expect("a shard");
        play_shard(&self.plan, shard_of, &self.class.agents(), &self.file(shard), &workers, &mut NoObserver)
    }

    fn merge(&self, shards: &[&str]) -> Merged {
        let files: Vec<PathBuf> = shards.iter().map(|shard| self.file(shard)).collect();
        let (mut store, _) = self.class.enter(Store::open(&self.class.store()).expect("a store").rules().pairing);
        merge(&mut store, &files).expect("a store")
    }

    /// Plays a whole shard, which must end well.
    fn complete(&self, shard: &str, arena: &Fake) {
        assert_eq!(self.play(shard, arena).expect("results"), TournamentEnd::Complete);
    }

    /// Asserts that the only shard cannot be played, for these reasons.
    #[track_caller]
    fn cannot_play(&self, messages: &[&str]) {
        contains(&self.play("1/1", &Fake::new()).expect_err("a refusal").to_string(), messages);
    }

    /// Asserts that one of these shards is refused for these reasons.
    #[track_caller]
    fn merge_refuses(&self, shards: &[&str], messages: &[&str]) -> Merged {
        let merged = self.merge(shards);
        let [error] = &merged.refused[..] else { panic!("{merged:?}") };
        contains(&error.to_string(), messages);
        merged
    }

    /// Changes rows of a results file.
    fn edit(&self, shard: &str, change: &str) {
        let connection = Connection::open(self.file(shard)).expect("results");
        connection.pragma_update(None, "foreign_keys", false).expect("results");
        assert!(connection.execute(change, ()).expect(change) > 0, "{change}");
    }
}

#[test]
fn shards_on_many_machines_give_the_same_table_as_one() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let whole = Class::of(7);
        whole.run_by(pairing, &Fake::new());
        let mut planned = Planned::by(pairing, 7);
        for round in 0.. {
            assert!(round < 20, "the tournament ends");
            ["2/3", "3/3", "1/3"].iter().for_each(|shard| planned.complete(shard, &Fake::new()));
            let merged = planned.merge(&["1/3", "2/3", "3/3"]);
            assert!(merged.refused.is_empty() && merged.absent.is_empty() && merged.known == 0, "{merged:?}");
            assert_eq!(merged.added, planned.plan.games.len());
            let (store, _) = planned.class.enter(pairing);
            planned.plan = TournamentPlan::of(&store).unwrap();
            if planned.plan.games.is_empty() {
                break;
            }
            ["1/3", "2/3", "3/3"].iter().for_each(|shard| fs::remove_file(planned.file(shard)).unwrap());
        }
        assert_eq!(planned.class.table(), whole.table(), "{pairing:?}");
    }
}

#[test]
fn every_game_is_in_one_shard_and_pairings_stay_together() {
    let planned = Planned::new(9);
    for of in [1, 2, 5, 36, 50] {
        let shards = (1..=of).map(|k| planned.plan.shard(format!("{k}/{of}").parse().unwrap()));
        let mut all: Vec<PlannedGame> = Vec::new();
        for games in shards {
            assert!(games.chunks(2).all(|pair| pair[0].pairing == pair[1].pairing));
            assert!(games.len().abs_diff(planned.plan.games.len() / of) < 4);
            all.extend(games);
        }
        all.sort_by_key(|game| game.pairing);
        assert_eq!(all, planned.plan.games);
    }
}

#[test]
fn games_in_a_results_file_are_not_played_again() {
    let planned = Planned::new(6);
    planned.complete("1/2", &Fake::new());
    let text = fs::read(planned.file("1/2")).unwrap();
    let arena = Fake::new();
    planned.complete("1/2", &arena);
    assert_eq!(arena.played().len() + arena.prepared.lock().unwrap().len(), 0);
    assert_eq!(fs::read(planned.file("1/2")).unwrap(), text);
}

#[test]
fn a_stopped_shard_continues_where_it_was() {
    let planned = Planned::new(6);
    let games = planned.plan.shard("1/1".parse().unwrap()).len();
    let stopped = Fake { stop_after: Some((10, StopFlag::default())), ..Fake::new() };
    assert_eq!(planned.play("1/1", &stopped).unwrap(), TournamentEnd::Stopped);
    planned.merge_refuses(&["1/1"], &["results-1-of-1: found results of only a part of its games"]);
    let rest = Fake::new();
    planned.complete("1/1", &rest);
    assert_eq!(stopped.played().len() + rest.played().len(), games);
    assert_eq!(planned.merge(&["1/1"]).added, games);
}

#[test]
fn a_plan_replaces_only_a_plan() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let notes = planned.class.path("notes.txt");
    fs::write(&notes, "mine").unwrap();
    for path in [planned.class.store(), planned.file("1/1"), notes] {
        let before = fs::read(&path).unwrap();
        let error = planned.plan.write(&path).unwrap_err();
        assert!(error.is_bad_input() && error.to_string().contains("expected a plan"), "{error}");
        assert!(fs::read(&path).unwrap() == before, "{}", path.display());
    }
    let path = planned.class.path("plan");
    let before = fs::read(&path).unwrap();
    planned.plan.write(&path).unwrap();
    assert!(fs::read(&path).unwrap() == before);
    fs::write(&path, "").unwrap();
    planned.plan.write(&path).unwrap();
    let link = planned.class.path("link");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    let error = planned.plan.write(&link).unwrap_err().to_string();
    assert!(error.contains("not a regular file") && link.is_symlink(), "{error}");
}

#[test]
fn a_file_of_another_kind_is_kept_in_place_of_results() {
    let planned = Planned::new(3);
    let file = planned.file("1/1");
    for text in ["half a download", "{}", "a file that is long enough to be a database, which it is not"] {
        fs::write(&file, text).unwrap();
        planned.cannot_play(&["results-1-of-1: found another kind of file"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::copy(planned.class.store(), &file).unwrap();
    planned.cannot_play(&["found results of another plan: its shard differs"]);
    // A kill at the start can leave an empty file.
    fs::write(&file, "").unwrap();
    planned.complete("1/1", &Fake::new());
}

#[test]
fn failed_games_of_a_shard_are_retried() {
    let planned = Planned::new(4);
    let failing = Fake { fails: |game| game.agents[0] == 0, ..Fake::new() };
    assert_eq!(planned.play("1/1", &failing).unwrap(), TournamentEnd::Failed(3));
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.missing.len()), (9, 3));
    let again = Fake::new();
    planned.complete("1/1", &again);
    assert_eq!(again.played().len(), 3);
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.known, merged.missing.len()), (3, 9, 0));
}

#[test]
fn two_processes_do_not_play_one_shard_at_once() {
    let planned = Planned::new(3);
    struct Rival<'a>(&'a Planned);
    impl kingline_master::tournament::Arena for Rival<'_> {
        fn prepare(&self, _: &Agent) -> Option<String> {
            let second = self.0.play("1/1", &Fake::new());
            assert!(matches!(second, Err(TournamentError::Store(StoreError::Locked(_)))), "{second:?}");
            None
        }
        fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
            short_game(agents.map(|agent| agent.name.clone()), game.seed, 0)
        }
    }
    let (arena, stop) = (Rival(&planned), StopFlag::default());
    let workers = Workers { arena: &arena, jobs: 1, stop: &stop };
    let (shard, agents) = ("1/1".parse().unwrap(), planned.class.agents());
    play_shard(&planned.plan, shard, &agents, &planned.file("1/1"), &workers, &mut NoObserver).unwrap();
}

#[test]
fn agents_that_changed_since_the_plan_are_refused() {
    let planned = Planned::new(3);
    planned.class.write("agent000", "#!/bin/sh\n# better\n");
    fs::remove_dir_all(planned.class.path("agents").join("agent002")).unwrap();
    let error = planned.play("1/1", &Fake::new()).unwrap_err().to_string();
    contains(&error, &["agent000: its files have changed", "agent002: it is missing"]);
    assert!(!error.contains("agent001"), "{error}");
}

#[test]
fn a_damaged_file_is_refused_whole_and_the_others_are_merged() {
    let planned = Planned::new(5);
    ["1/3", "2/3", "3/3"].iter().for_each(|shard| planned.complete(shard, &Fake::new()));
    let whole = fs::read(planned.file("2/3")).unwrap();
    for [change, message] in rows(CASES, "damaged results") {
        match change {
            "" => fs::write(planned.file("2/3"), "").unwrap(),
            change => planned.edit("2/3", &change.replace("LAST", "(SELECT max(id) FROM game)")),
        }
        let merged = planned.merge_refuses(&["1/3", "2/3", "3/3"], &["results-2-of-3", message]);
        assert_eq!(merged.missing.len(), planned.plan.shard("2/3".parse().unwrap()).len());
        assert_eq!(merged.absent, ["2/3".parse().unwrap()]);
        fs::write(planned.file("2/3"), &whole).unwrap();
    }
    let merged = planned.merge(&["2/3"]);
    assert_eq!((merged.refused.len(), merged.missing.len()), (0, 0));
}

#[test]
fn contradictory_results_are_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake { salt: 1, ..Fake::new() }).unwrap();
    fs::rename(planned.file("1/1"), planned.file("2/2")).unwrap();
    planned.play("1/1", &Fake::new()).unwrap();
    let merged = planned.merge_refuses(&["1/1", "2/2"], &["results-2-of-2 game", "results-1-of-1 game"]);
    assert_eq!((merged.added, merged.missing.len()), (6, 0));
    planned.merge_refuses(&["2/2"], &[" won the game of agent", "in the store "]);
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.known, merged.refused.len()), (0, 6, 0), "merging again is no contradiction");
}

#[test]
fn a_game_whose_moves_contradict_its_verdict_is_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let whole = fs::read(planned.file("1/1")).unwrap();
    let game = "(SELECT min(game) FROM record WHERE verdict LIKE '%\"why\":\"fault\"%' AND verdict LIKE '%\"winner\":\"white\"%')";
    for [change, messages] in rows(CASES, "games that contradict themselves") {
        planned.edit("1/1", &change.replace("GAME", game));
        let merged = planned.merge_refuses(&["1/1"], &messages.split(" ... ").collect::<Vec<_>>());
        assert_eq!((merged.added, merged.missing.len()), (0, 6));
        fs::write(planned.file("1/1"), &whole).unwrap();
    }
    assert_eq!(planned.merge(&["1/1"]).added, 6);
}

#[test]
fn results_of_another_plan_are_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let whole = fs::read(planned.file("1/1")).unwrap();
    for [change, message] in rows(CASES, "results of another plan") {
        planned.edit("1/1", change);
        let merged = planned.merge_refuses(&["1/1"], &[message, "results-1-of-1"]);
        assert_eq!((merged.added, merged.missing.len()), (0, 6));
        fs::write(planned.file("1/1"), &whole).unwrap();
    }
    planned.edit("1/1", "UPDATE tournament SET seed = 2");
    planned.cannot_play(&["found results of another plan"]);
}

#[test]
fn results_from_before_there_were_more_games_are_merged() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let terms = TournamentTerms { games: Some(4), ..TournamentTerms::default() };
    let terms = terms.settle(&planned.class.store()).unwrap();
    drop(enter(&planned.class.store(), &terms, &planned.class.agents()).unwrap());
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.refused.len(), merged.missing.len()), (6, 0, 6));
    // Two plans cannot share a results file.
    let (store, _) = planned.class.enter(Pairing::RoundRobin);
    let more = Planned { plan: TournamentPlan::of(&store).unwrap(), class: planned.class };
    drop(store);
    more.cannot_play(&["its number of games is 2, not 4"]);
}

#[test]
fn a_file_that_is_not_a_plan_is_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let plan = fs::read_to_string(planned.class.path("plan")).unwrap();
    let wrong = planned.class.path("wrong");
    let refused = |path: PathBuf, messages: &[&str]| {
        contains(&TournamentPlan::read(&path).unwrap_err().to_string(), messages);
    };
    for (text, message) in [
        (plan[..plan.len() / 2].to_owned(), "found another kind of file (EOF"),
        (plan.replacen("\"agents\":[0,1]", "\"agents\":[0,9]", 1), "contradict each other, expected a plan"),
        (plan.replacen("agent000", "agent009", 1), "contradict each other, expected a plan"),
    ] {
        fs::write(&wrong, text).unwrap();
        refused(wrong.clone(), &["wrong: found ", message]);
    }
    refused(planned.file("1/1"), &["found another kind of file"]);
    refused(planned.class.path("nothing"), &["cannot read", "nothing"]);
    fs::copy(planned.class.path("plan"), planned.file("1/1")).unwrap();
    planned.merge_refuses(&["1/1"], &["expected the store of a tournament"]);
}
