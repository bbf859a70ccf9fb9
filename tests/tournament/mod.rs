//! Tournaments in a fake arena: what is recorded, replayed and reported.

mod audit;
mod large;
mod shards;
mod verify;

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use kingline_master::intake::agent::{Agent, Intake, agents_in};
use kingline_master::league::{League, Pairing};
use kingline_master::record::{Failure, GameVerdict};
use kingline_master::report::{Site, Tournament};
use kingline_master::stop::StopFlag;
use kingline_master::tournament::schedule::PlannedGame;
use kingline_master::tournament::standings::{Standing, standings};
use kingline_master::tournament::store::{Changes, Store, StoreError, StoreWriter, Summary, TournamentState};
use kingline_master::tournament::{
    Arena, TournamentEnd, TournamentError, TournamentObserver, TournamentTerms, UnplayedGames, Workers, enter, run,
};
use nix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

use crate::support::games::{short_game, without_turns};
use crate::support::referee::*;

/// Tables of cases.
const CASES: &str = include_str!("cases.txt");

/// An arena in which names and seed determine each game.
pub(crate) struct Fake {
    /// Selects different games for the same names and seeds.
    pub(crate) salt: u64,
    /// Selects the games in which the referee fails.
    pub(crate) fails: fn(&PlannedGame) -> bool,
    /// Requests a stop through the flag once this many games have begun.
    pub(crate) stop_after: Option<(usize, StopFlag)>,
    /// Names of the agents in each game that was played.
    pub(crate) played: Mutex<Vec<[String; 2]>>,
    /// Names of the agents that were prepared.
    pub(crate) prepared: Mutex<Vec<String>>,
}

impl Fake {
    pub(crate) fn new() -> Fake {
        Fake { salt: 0, fails: |_| false, stop_after: None, played: Mutex::default(), prepared: Mutex::default() }
    }

    pub(crate) fn played(&self) -> Vec<[String; 2]> {
        self.played.lock().expect("the list").clone()
    }
}

impl Arena for Fake {
    fn prepare(&self, agent: &Agent) -> Option<String> {
        self.prepared.lock().expect("the list").push(agent.name.clone());
        Some(format!("{} of the class", agent.name))
    }

    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
        let names = agents.map(|agent| agent.name.clone());
        let begun = {
            let mut played = self.played.lock().expect("the list");
            played.push(names.clone());
            played.len()
        };
        let mut record = short_game(names, game.seed, self.salt);
        let is_stopped = self.stop_after.as_ref().is_some_and(|(count, stop)| {
            if begun >= *count {
                stop.request();
            }
            begun > *count
        });
        if is_stopped || (self.fails)(game) {
            record.verdict =
                GameVerdict { winner: None, reason: EndReason::Failed(Failure::Other("no process".to_owned())) };
        }
        record
    }
}

pub(crate) struct NoObserver;

impl TournamentObserver for NoObserver {
    fn begin(&mut self, _: usize) {}
    fn ended(&mut self, _: &PlannedGame, _: &GameRecord) {}
}

/// A class of agents in a temporary directory, and the store of its tournament. The directory is in memory if possible,
/// because a store waits for the disk after every game.
pub(crate) struct Class(TempDir);

impl Class {
    /// Makes agents with these names.
    pub(crate) fn new(names: &[&str]) -> Class {
        let memory = Path::new("/dev/shm");
        let own = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let class = Class(own.expect("a temporary directory"));
        fs::create_dir(class.path("agents")).expect("a folder");
        names.iter().for_each(|name| class.write(name, &format!("#!/bin/sh\n# {name}\n")));
        class
    }

    /// Makes `count` agents.
    pub(crate) fn of(count: usize) -> Class {
        let names: Vec<String> = (0..count).map(|number| format!("agent{number:03}")).collect();
        Class::new(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes an agent with this program.
    pub(crate) fn write(&self, name: &str, program: &str) {
        let folder = self.path("agents").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("homework"), program).expect("a program");
        fs::set_permissions(folder.join("homework"), fs::Permissions::from_mode(0o755)).expect("a program");
    }

    pub(crate) fn agents(&self) -> Vec<Agent> {
        let league = League::named("checkers").expect("a league");
        let found = agents_in(&[self.path("agents")], &Intake::new(&league).expect("a folder")).expect("agents");
        assert!(found.refused.is_empty(), "{:?}", found.refused);
        found.agents
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path("store.db")
    }

    /// Opens the store and enters the agents as they are now.
    pub(crate) fn enter(&self, pairing: Pairing) -> (StoreWriter, Changes) {
        let terms = TournamentTerms { pairing: Some(pairing), ..TournamentTerms::default() }
            .settle(&self.store())
            .expect("terms");
        enter(&self.store(), &terms, &self.agents()).expect("a store")
    }

    pub(crate) fn run(&self, arena: &Fake) -> TournamentEnd {
        self.run_by(Pairing::RoundRobin, arena)
    }

    pub(crate) fn run_by(&self, pairing: Pairing, arena: &Fake) -> TournamentEnd {
        let stop = arena.stop_after.as_ref().map_or_else(StopFlag::default, |(_, stop)| stop.clone());
        let (mut store, _) = self.enter(pairing);
        run(&mut store, &self.agents(), &Workers { arena, jobs: 2, stop: &stop }, &mut NoObserver).expect("a run")
    }

    /// Returns the standings and every game.
    pub(crate) fn table(&self) -> (Vec<Standing>, Vec<Summary>) {
        let store = Store::open(&self.store()).expect("a store");
        // Numbers depend on the order in which games ended.
        let unnumbered = |game| Summary { id: kingline_master::tournament::store::GameId(0), ..game };
        let TournamentState { done, out, .. } = store.schedule(&|_| false).expect("a standing");
        (standings(&done, &out), done.into_iter().map(unnumbered).collect())
    }
}

#[test]
fn every_game_is_played_once_and_titles_are_recorded() {
    let class = Class::new(&["c", "a", "b"]);
    let arena = Fake::new();
    assert_eq!(class.run(&arena), TournamentEnd::Complete);
    let games = arena.played();
    assert_eq!((games.len(), games.iter().collect::<HashSet<_>>().len()), (6, 6));
    assert_eq!(arena.prepared.lock().unwrap().len(), 3);
    let store = Store::open(&class.store()).unwrap();
    let agents = store.agents().unwrap();
    assert_eq!(agents.iter().map(|agent| &*agent.name).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(agents[0].title.as_deref(), Some("a of the class"));
    for summary in store.summaries().unwrap() {
        let names = summary.agents.map(|agent| agents[agent].name.clone());
        let played = store.game(summary.id).unwrap();
        assert_eq!(played, short_game(names, played.seed, 0));
    }
    let again = Fake::new();
    assert_eq!(class.run(&again), TournamentEnd::Complete);
    assert_eq!(again.played().len() + again.prepared.lock().unwrap().len(), 0, "nothing is left to do");
}

#[test]
fn a_stopped_run_continues_where_it_was() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let [class, whole] = [Class::of(9), Class::of(9)];
        assert_eq!(whole.run_by(pairing, &Fake::new()), TournamentEnd::Complete);
        let mut begun = 0;
        loop {
            let arena = Fake { stop_after: Some((5, StopFlag::default())), ..Fake::new() };
            let ended = class.run_by(pairing, &arena);
            begun += arena.played().len();
            if ended == TournamentEnd::Complete {
                break;
            }
            assert_eq!(ended, TournamentEnd::Stopped);
        }
        assert_eq!(class.table(), whole.table());
        let games = class.table().1.len();
        let runs = games / 5 + 1;
        assert!(
            (games..=games + 2 * runs).contains(&begun),
            "{begun} games begun for {games}: more than those in flight"
        );
    }
}

#[test]
fn a_failed_game_stops_nothing_and_is_tried_again_in_the_next_run() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let [class, whole] = [Class::of(6), Class::of(6)];
        whole.run_by(pairing, &Fake::new());
        let failing = Fake { fails: |game| game.agents == [0, 1] || game.agents[1] == 3, ..Fake::new() };
        assert!(matches!(class.run_by(pairing, &failing), TournamentEnd::Failed(1..)), "{pairing:?}");
        assert!(class.table().1.len() < failing.played().len());
        assert_eq!(class.run_by(pairing, &Fake::new()), TournamentEnd::Complete);
        assert_eq!(class.table(), whole.table(), "{pairing:?}");
    }
}

#[test]
fn the_rounds_of_an_elimination_wait_for_a_game_that_failed() {
    let class = Class::of(6);
    let failing = Fake { fails: |game| game.round == 1 && game.pairing == 0, ..Fake::new() };
    assert_eq!(class.run_by(Pairing::Elimination, &failing), TournamentEnd::Failed(2));
    assert_eq!(failing.played().len(), 6, "no second round");
    let (rows, games) = class.table();
    assert!(rows.iter().all(|row| row.out.is_none()) && games.len() == 4, "{rows:#?}");
    let store = Store::open(&class.store()).unwrap();
    let tournament = Tournament::of(&store).unwrap();
    assert_eq!((tournament.missing, tournament.failed), (2, 2));
    let site = class.path("site");
    Site::write(&site, &tournament, |id| Ok(store.game(id)?), None, None).unwrap();
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    contains(&index, &["<b>2</b> games failed; the next round waits for them"]);
    drop(store);
    let ran = Dir::new().master(&format!("tournament table {}", class.store().display()));
    ran.stdout_contains(&["2 of them failed and have to be played again; the next round waits"]);
    assert_eq!(class.run_by(Pairing::Elimination, &Fake::new()), TournamentEnd::Complete);
}

#[test]
fn only_the_games_of_changed_agents_are_played_again() {
    let class = Class::new(&["a", "b", "c", "d"]);
    class.run(&Fake::new());
    class.write("b", "#!/bin/sh\n# better\n");
    class.write("e", "#!/bin/sh\n");
    fs::remove_dir_all(class.path("agents").join("d")).unwrap();
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let (store, changes) = class.enter(Pairing::RoundRobin);
    assert_eq!(changes, Changes { added: names(&["e"]), changed: names(&["b"]), removed: names(&["d"]) });
    assert_eq!(store.summaries().unwrap().len(), 2, "a and c have met");
    drop(store);
    let arena = Fake::new();
    assert_eq!(class.run(&arena), TournamentEnd::Complete);
    let games = arena.played();
    assert!(games.iter().all(|names| names.iter().any(|name| name == "b" || name == "e")), "{games:?}");
    assert_eq!((games.len(), class.table().1.len()), (10, 12));
}

#[test]
fn a_tournament_of_agents_that_could_not_be_started_warns() {
    let class = Class::new(&["a", "b", "c"]);
    let (mut store, _) = class.enter(Pairing::RoundRobin);
    let names: Vec<String> = store.agents().unwrap().into_iter().map(|agent| agent.name).collect();
    for (number, game) in store.schedule(&|_| false).unwrap().missing.iter().enumerate() {
        let players = game.agents.map(|agent| names[agent].clone());
        let is_fault = |record: &GameRecord| matches!(record.verdict.reason, EndReason::Fault(_));
        let mut played = (0..).map(|salt| short_game(players.clone(), game.seed, salt)).find(is_fault).unwrap();
        if let (1.., EndReason::Fault(fault)) = (number, &mut played.verdict.reason) {
            fault.kind = FaultKind::NotStarted;
            played.turns.last_mut().unwrap().fault = Some(fault.clone());
        }
        store.record(game, &played).unwrap();
    }
    let unplayed = UnplayedGames::of(&store).unwrap();
    assert!(unplayed.are_most() && unplayed.not_started == 5, "{unplayed:?}");
    drop(store);
    // All games are played, so that only the report is left.
    let [agents, store] = [class.path("agents"), class.store()];
    let ran = Dir::new().master(&format!("tournament {} --store {}", agents.display(), store.display()));
    let counted = format!("of 6 games, {} ended because an agent could not be started", unplayed.not_started);
    ran.exits_with(1).stderr_contains(&[
        "MOST GAMES WERE NOT PLAYED",
        &counted,
        " could not be started in ",
        "most games were not played; see above",
    ]);
    // The table is printed anyway.
    ran.stdout_contains(&["rank"]);
}

#[test]
fn a_tournament_takes_more_games() {
    for pairing in [Pairing::RoundRobin, Pairing::Elimination] {
        let [class, whole] = [Class::of(5), Class::of(5)];
        let run_with = |class: &Class, games| {
            let terms = TournamentTerms { pairing: Some(pairing), games, ..TournamentTerms::default() };
            let terms = terms.settle(&class.store()).unwrap();
            let (mut store, _) = enter(&class.store(), &terms, &class.agents()).unwrap();
            let (arena, stop) = (Fake::new(), StopFlag::default());
            let workers = Workers { arena: &arena, jobs: 2, stop: &stop };
            assert_eq!(run(&mut store, &class.agents(), &workers, &mut NoObserver).unwrap(), TournamentEnd::Complete);
            arena.played().len()
        };
        run_with(&class, None);
        let first = class.table().1.len();
        let added = run_with(&class, Some(6));
        run_with(&whole, Some(6));
        assert_eq!(class.table(), whole.table(), "{pairing:?}");
        assert_eq!(Store::open(&class.store()).unwrap().rules().games, 6);
        if pairing == Pairing::RoundRobin {
            assert_eq!((first, added), (20, 40), "no game is played again");
        }
        assert_eq!(run_with(&class, None), 0);
        let fewer = TournamentTerms { games: Some(4), ..TournamentTerms::default() };
        let error = fewer.settle(&class.store()).unwrap_err().to_string();
        contains(&error, &["per pair of agents is 6, not 4 as requested, and can only grow\nhelp: leave"]);
    }
}

#[test]
fn agents_unknown_to_the_store_are_refused() {
    let class = Class::new(&["a", "b"]);
    let (mut store, _) = class.enter(Pairing::RoundRobin);
    class.write("a", "#!/bin/sh\n# changed since\n");
    let (arena, stop) = (Fake::new(), StopFlag::default());
    let ended = run(&mut store, &class.agents(), &Workers { arena: &arena, jobs: 1, stop: &stop }, &mut NoObserver);
    assert!(matches!(ended, Err(TournamentError::Agents(_))), "{ended:?}");
    assert_eq!(arena.played().len(), 0);
}

#[test]
fn the_table_of_ten_thousand_games_takes_less_than_a_second() {
    let class = Class::new(&[]);
    let names: Vec<String> = (0..101).map(|number| format!("agent{number}")).collect();
    let terms = TournamentTerms::default().settle(&class.store()).unwrap();
    let (mut store, _) = enter(&class.store(), &terms, &[]).unwrap();
    store.enter(names.iter().map(|name| (name.as_str(), "hash"))).unwrap();
    let games = store.schedule(&|_| false).unwrap().missing;
    let agents = store.agents().unwrap();
    let record = |game: &PlannedGame| without_turns(game.agents.map(|agent| agents[agent].name.clone()), game.seed);
    store.record_each(games.iter().map(|game| Ok::<_, StoreError>((*game, record(game))))).unwrap();
    assert_eq!(games.len(), 10_100);
    drop(store);
    // CPU time, since other programs may have the cores.
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock"));
    let start = now();
    let table = class.table();
    let took = now() - start;
    eprintln!("the table of {} games: {took:?}", table.1.len());
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert_eq!(table.0.iter().map(|row| row.played).sum::<u32>(), 2 * 10_100);
}
