//! Tournaments whose process is killed again and again end like one that was not.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kingline::master::agent::Agent;
use kingline::master::league::Pairing;
use kingline::master::record::GameRecord;
use kingline::master::schedule::PlannedGame;
use kingline::master::stop::StopFlag;
use kingline::master::store::Store;
use kingline::master::tournament::{Arena, TournamentEnd, TournamentPlan, Workers, merge, play_shard, run};

use crate::tournament::{Class, Fake, NoObserver, record};

const AGENTS: usize = 100;
/// Agents, of which every pair meets.
const FEW: usize = 30;
const KILLS: u64 = 20;

/// Set to the directory of a class: this process plays its tournament.
const PLAYS: &str = "KINGLINE_TEST_PLAYS";

/// A game that takes some time.
struct Slow;

impl Arena for Slow {
    fn prepare(&self, _: &Agent) -> Option<String> {
        None
    }

    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
        sleep(Duration::from_millis(3));
        record(agents.map(|agent| agent.name.clone()), game.seed, 0)
    }
}

/// Not a test by itself: what the killed processes do.
#[test]
#[ignore = "started by the tests below"]
fn plays_until_it_is_killed() {
    let Some(folder) = env::var_os(PLAYS) else { return };
    let (class, stop) = (Class::at(Path::new(&folder)), StopFlag::default());
    let workers = Workers { arena: &Slow, jobs: 2, stop: &stop };
    let (plan, results) = (class.path("plan"), class.path("results"));
    let ended = if plan.exists() {
        let plan = TournamentPlan::read(&plan).unwrap();
        play_shard(&plan, "1/1".parse().unwrap(), &class.agents(), &results, &workers, &mut NoObserver)
    } else {
        let (mut store, _) = class.enter(Pairing::Elimination);
        run(&mut store, &class.agents(), &workers, &mut NoObserver)
    };
    assert_eq!(ended.unwrap(), TournamentEnd::Complete);
}

fn start(class: &Class) -> Child {
    let test = [
        &format!("{}::plays_until_it_is_killed", module_path!().split_once("::").expect("a module").1),
        "--exact",
        "--ignored",
    ];
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(test).env(PLAYS, class.path("")).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a process")
}

/// Starts and kills it again and again, and checks how many games it has after each time; then lets it end.
fn kill_and_kill(class: &Class, count: impl Fn() -> usize) {
    let mut before = 0;
    for number in 0..KILLS {
        let mut child = start(class);
        // Some while they start, however long that takes here; half of them surely while they play.
        while number % 2 == 0 && count() == before && child.try_wait().expect("a child").is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(37 * number % 40));
        child.kill().expect("a process to kill");
        child.wait().expect("a process that ends");
        let now = count();
        assert!(now >= before, "{} of {before} games are lost", before - now);
        before = now;
    }
    assert!(start(class).wait().expect("a process that ends").success());
    assert!(before > 0 && count() > before, "killed at {before} of {} games: no test at all", count());
}

#[test]
fn a_killed_tournament_ends_with_the_same_table() {
    let [class, alone] = [Class::of(AGENTS), Class::of(AGENTS)];
    alone.run_by(Pairing::Elimination, &Fake::new());
    // There may be no store yet.
    kill_and_kill(&class, || Store::open(&class.store()).map_or(0, |store| store.summaries().expect("games").len()));
    assert_eq!(class.table(), alone.table());
}

#[test]
fn a_killed_shard_gives_the_same_results() {
    let [class, alone] = [Class::of(FEW), Class::of(FEW)];
    let plan = |class: &Class| {
        let (store, _) = class.enter(Pairing::RoundRobin);
        TournamentPlan::of(&store).unwrap().write(&class.path("plan")).unwrap();
    };
    plan(&class);
    let lines = |name| fs::read_to_string(class.path(name)).map_or(0, |text| text.matches("\n{\"played\"").count());
    kill_and_kill(&class, || lines("results.part").max(lines("results")));
    plan(&alone);
    assert!(start(&alone).wait().unwrap().success());
    for class in [&class, &alone] {
        let (mut store, _) = class.enter(Pairing::RoundRobin);
        let merged = merge(&mut store, &[class.path("results")]).unwrap();
        assert_eq!((merged.added, merged.refused.len()), (FEW * (FEW - 1), 0));
    }
    assert_eq!(class.table(), alone.table());
}
