//! Tournaments on many machines: plans, shards and their files, and merging.

use std::fs;
use std::path::PathBuf;

use kingline_master::intake::agent::Agent;
use kingline_master::league::Pairing;
use kingline_master::record::GameRecord;
use kingline_master::stop::StopFlag;
use kingline_master::tournament::schedule::PlannedGame;
use kingline_master::tournament::store::Store;
use kingline_master::tournament::{
    Merged, Shard, TournamentEnd, TournamentError, TournamentPlan, TournamentTerms, Workers, enter, merge, play_shard,
};

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
        let (mut store, _) = self.class.enter(self.plan_pairing());
        merge(&mut store, &files).expect("a store")
    }

    fn plan_pairing(&self) -> Pairing {
        Store::open(&self.class.store()).expect("a store").rules().pairing
    }

    /// Changes a results file.
    fn edit(&self, shard: &str, change: impl FnOnce(String) -> String) {
        let text = fs::read_to_string(self.file(shard)).expect("results");
        fs::write(self.file(shard), change(text)).expect("results");
    }
}

/// Returns why the only refused file was refused.
fn refusal(merged: &Merged) -> String {
    let [error] = &merged.refused[..] else { panic!("{merged:?}") };
    error.to_string()
}

#[test]
fn shards_on_many_machines_give_the_same_table_as_one() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let whole = Class::of(7);
        whole.run_by(pairing, &Fake::new());
        let mut planned = Planned::by(pairing, 7);
        for round in 0.. {
            assert!(round < 20, "the tournament ends");
            for shard in ["2/3", "3/3", "1/3"] {
                assert_eq!(planned.play(shard, &Fake::new()).unwrap(), TournamentEnd::Complete);
            }
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
    assert_eq!(planned.play("1/2", &Fake::new()).unwrap(), TournamentEnd::Complete);
    let text = fs::read(planned.file("1/2")).unwrap();
    let arena = Fake::new();
    assert_eq!(planned.play("1/2", &arena).unwrap(), TournamentEnd::Complete);
    assert_eq!(arena.played().len() + arena.prepared.lock().unwrap().len(), 0);
    assert_eq!(fs::read(planned.file("1/2")).unwrap(), text);
    assert!(!planned.class.path("results-1-of-2.part").exists());
}

#[test]
fn a_stopped_shard_continues_where_it_was() {
    let planned = Planned::new(6);
    let games = planned.plan.shard("1/1".parse().unwrap()).len();
    let stopped = Fake { stop_after: Some((10, StopFlag::default())), ..Fake::new() };
    assert_eq!(planned.play("1/1", &stopped).unwrap(), TournamentEnd::Stopped);
    assert!(!planned.file("1/1").exists(), "the file appears when it is complete");
    let part = planned.class.path("results-1-of-1.part");
    let text = fs::read_to_string(&part).unwrap();
    // A power cut may leave half a line, or a complete file that was not renamed.
    fs::write(&part, format!("{text}{{\"played\":[{{\"round\":1,")).unwrap();
    let rest = Fake::new();
    assert_eq!(planned.play("1/1", &rest).unwrap(), TournamentEnd::Complete);
    assert_eq!(stopped.played().len() + rest.played().len(), games);
    fs::rename(planned.file("1/1"), &part).unwrap();
    let nothing = Fake::new();
    assert_eq!(planned.play("1/1", &nothing).unwrap(), TournamentEnd::Complete);
    assert_eq!(nothing.played().len(), 0);
    assert!(!part.exists());
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
fn a_part_file_of_another_kind_is_kept() {
    let planned = Planned::new(3);
    let part = planned.class.path("results-1-of-1.part");
    for text in ["half a download", "half\na download", "{\"tournament\":{\"format\":1}}\nhalf a download", "{}"] {
        fs::write(&part, text).unwrap();
        let error = planned.play("1/1", &Fake::new()).unwrap_err().to_string();
        assert!(error.contains("results-1-of-1.part"), "{error}");
        assert_eq!(fs::read_to_string(&part).unwrap(), text);
    }
    // A kill can leave these before the first line is complete.
    for text in ["", "{", "{\"tournament\":{\"for"] {
        fs::write(&part, text).unwrap();
        assert_eq!(planned.play("1/1", &Fake::new()).unwrap(), TournamentEnd::Complete);
        assert!(!part.exists());
        fs::remove_file(planned.file("1/1")).unwrap();
    }
}

#[test]
fn failed_games_of_a_shard_are_retried() {
    let planned = Planned::new(4);
    let failing = Fake { fails: |game| game.agents[0] == 0, ..Fake::new() };
    assert_eq!(planned.play("1/1", &failing).unwrap(), TournamentEnd::Failed(3));
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.missing.len()), (9, 3));
    let again = Fake::new();
    assert_eq!(planned.play("1/1", &again).unwrap(), TournamentEnd::Complete);
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
            assert!(matches!(second, Err(TournamentError::Busy(_))), "{second:?}");
            None
        }
        fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
            crate::tournament::record(agents.map(|agent| agent.name.clone()), game.seed, 0)
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
    for message in ["agent000: its files have changed", "agent002: it is missing"] {
        assert!(error.contains(message), "{error}");
    }
    assert!(!error.contains("agent001"), "{error}");
}

#[test]
fn an_incomplete_file_is_refused_whole_and_the_others_are_merged() {
    let planned = Planned::new(5);
    for shard in ["1/3", "2/3", "3/3"] {
        planned.play(shard, &Fake::new()).unwrap();
    }
    let whole = fs::read_to_string(planned.file("2/3")).unwrap();
    let lines = whole.lines().count();
    for kept in [0, 1, whole.len() / 3, whole.len() - 20, whole.len() - 1, whole.rfind("{\"end").unwrap()] {
        planned.edit("2/3", |_| whole[..kept].to_owned());
        let merged = planned.merge(&["1/3", "2/3", "3/3"]);
        let error = refusal(&merged);
        let line = whole[..kept].lines().count().max(1);
        let near = [line, line + 1].map(|line| format!("results-2-of-3 line {line}: "));
        assert!(near.iter().any(|near| error.contains(near)), "{kept} of {lines} lines: {error}");
        assert_eq!(merged.missing.len(), planned.plan.shard("2/3".parse().unwrap()).len());
        assert_eq!(merged.absent, ["2/3".parse().unwrap()]);
    }
    planned.edit("2/3", |_| whole);
    let merged = planned.merge(&["2/3"]);
    assert_eq!((merged.refused.len(), merged.missing.len()), (0, 0));
}

#[test]
fn damaged_lines_are_refused_with_their_number() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let whole = fs::read_to_string(planned.file("1/1")).unwrap();
    let with = |number: usize, line: &str| {
        let mut lines: Vec<&str> = whole.lines().collect();
        lines[number - 1] = line;
        lines.join("\n") + "\n"
    };
    let lines = whole.lines().count();
    let third = whole.lines().nth(2).unwrap();
    for (text, message) in [
        (with(5, "nonsense"), "line 5: found \"nonsense\", expected a line of a plan or of results"),
        (with(1, third), "line 1: found"),
        (with(2, third), "line 3: found"),
        (
            with(lines, "{\"end\":3}"),
            &*format!("line {lines}: found \"{{\\\"end\\\":3}}\", expected the end after 10 lines"),
        ),
        (whole.clone() + "\n", &*format!("line {}: found \"\", expected the end of the file", lines + 1)),
        (whole.replace("\"black\":\"agent001\"", "\"black\":\"nobody\""), "expected a game between agents"),
        (whole.replace("\"format\":1", "\"format\":2"), "line 1: "),
    ] {
        planned.edit("1/1", |_| text.clone());
        let error = refusal(&planned.merge(&["1/1"]));
        assert!(error.contains(message), "{error}\n{text}");
    }
}

#[test]
fn contradictory_results_are_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake { salt: 1, ..Fake::new() }).unwrap();
    fs::rename(planned.file("1/1"), planned.file("2/2")).unwrap();
    planned.play("1/1", &Fake::new()).unwrap();
    let merged = planned.merge(&["1/1", "2/2"]);
    let error = refusal(&merged);
    assert!(error.contains("results-2-of-2 line") && error.contains("results-1-of-1 line"), "{error}");
    assert_eq!((merged.added, merged.missing.len()), (6, 0));
    let error = refusal(&planned.merge(&["2/2"]));
    assert!(error.contains(" won the game of agent") && error.contains("in the store "), "{error}");
    let merged = planned.merge(&["1/1"]);
    assert_eq!((merged.added, merged.known, merged.refused.len()), (0, 6, 0), "merging again is no contradiction");
}

#[test]
fn a_game_whose_moves_contradict_its_verdict_is_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let whole = fs::read_to_string(planned.file("1/1")).unwrap();
    let (number, game) = (1..).zip(whole.lines()).find(|(_, line)| line.contains("\"why\":\"fault\"")).unwrap();
    let (loser, winner) = if game.contains("\"winner\":\"white\"") { ("black", "white") } else { ("white", "black") };
    let to_the_loser = game.replace(&format!("\"winner\":\"{winner}\""), &format!("\"winner\":\"{loser}\""));
    let (before, after) = game.split_once("\"left\":").unwrap();
    let more_time = format!("{before}\"left\":301000000{}", &after[after.find(',').unwrap()..]);
    let other_names = game.replace("\"names\":[\"", "\"names\":[\"x");
    for (changed, messages) in [
        (&to_the_loser, &["(White) contradicts its own moves: the verdict: found \"", " wins: ", ", expected \""][..]),
        (&more_time, &["contradicts its own moves: ", "'s time left after turn ", "found 301 s, expected "]),
        (&other_names, &["found the game of xagent", ", expected the game of agent"]),
    ] {
        assert_ne!(changed, game);
        planned.edit("1/1", |_| whole.replace(game, changed));
        let merged = planned.merge(&["1/1"]);
        let error = refusal(&merged);
        for message in [&[&*format!("results-1-of-1 line {number}: ")], messages].concat() {
            assert!(error.contains(message), "{message}: {error}");
        }
        assert_eq!((merged.added, merged.missing.len()), (0, 6));
    }
    planned.edit("1/1", |_| whole.clone());
    assert_eq!(planned.merge(&["1/1"]).added, 6);
}

#[test]
fn results_of_another_plan_are_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let whole = fs::read_to_string(planned.file("1/1")).unwrap();
    let hash = &planned.class.agents()[1].hash;
    for (from, to, message) in [
        ("\"seed\":1,\"shard\"", "\"seed\":2,\"shard\"", "its seed is 2, not 1"),
        ("\"games\":2", "\"games\":4", "its number of games is 4, not 2"),
        ("\"name\":\"checkers\"", "\"name\":\"draughts\"", "its league is \"draughts\", not \"checkers\""),
        (
            "\"format\":\"strict\"",
            "\"format\":\"lenient\"",
            "its league checkers has different rules or clocks: how strictly answers are read is \"lenient\", not \
             \"strict\"",
        ),
        (hash, "0123", "its agent \"agent001\" has different files"),
        ("agent002", "stranger", "its agent \"stranger\" is not in this tournament"),
        ("{\"played\":[{\"round\":1", "{\"played\":[{\"round\":2", "a game that is not in the plan"),
    ] {
        assert!(whole.contains(from), "{from}\n{whole}");
        planned.edit("1/1", |_| whole.replace(from, to));
        let merged = planned.merge(&["1/1"]);
        let error = refusal(&merged);
        assert!(error.contains(message) && error.contains("results-1-of-1"), "{error}");
        assert_eq!((merged.added, merged.missing.len()), (0, 6));
    }
    planned.edit("1/1", |_| whole.replace("\"seed\":1,\"shard\"", "\"seed\":2,\"shard\""));
    let error = planned.play("1/1", &Fake::new()).unwrap_err().to_string();
    assert!(error.contains("found results of another plan"), "{error}");
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
    let error = more.play("1/1", &Fake::new()).unwrap_err().to_string();
    assert!(error.contains("its number of games is 2, not 4"), "{error}");
}

#[test]
fn a_file_that_is_not_a_plan_is_refused() {
    let planned = Planned::new(3);
    planned.play("1/1", &Fake::new()).unwrap();
    let error = TournamentPlan::read(&planned.file("1/1")).unwrap_err().to_string();
    assert!(error.contains("these are results, not a plan"), "{error}");
    let error = TournamentPlan::read(&planned.class.path("nothing")).unwrap_err().to_string();
    assert!(error.contains("cannot read") && error.contains("nothing"), "{error}");
    fs::copy(planned.class.path("plan"), planned.file("1/1")).unwrap();
    assert!(refusal(&planned.merge(&["1/1"])).contains("expected a played one"));
}
