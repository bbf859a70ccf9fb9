//! Tournaments whose process is killed repeatedly end with the same results as undisturbed ones.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{park, sleep};
use std::time::Duration;

use kingline_master::intake::agent::Agent;
use kingline_master::league::Pairing;
use kingline_master::record::GameRecord;
use kingline_master::stop::StopFlag;
use kingline_master::tournament::schedule::PlannedGame;
use kingline_master::tournament::store::Store;
use kingline_master::tournament::{Arena, TournamentEnd, TournamentPlan, Workers, merge, play_shard, run};

use crate::tournament::{Class, Fake, NoObserver, record};

const AGENTS: usize = 100;
/// Number of agents in a round robin.
const FEW: usize = 30;
const KILLS: u64 = 20;

/// Environment variable with the directory of a class whose tournament this process plays.
const PLAYS: &str = "KINGLINE_TEST_PLAYS";
/// Environment variable with the number of games after which this process waits to be killed.
const GAMES: &str = "KINGLINE_TEST_GAMES";
/// Most games of a process that is killed, so that some are left on a busy machine as well.
const MOST_GAMES: &str = "4";

/// An arena whose games take some time.
struct Slow {
    /// Number of games that it plays before it waits to be killed.
    left: AtomicUsize,
}

impl Arena for Slow {
    fn prepare(&self, _: &Agent) -> Option<String> {
        None
    }

    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
        sleep(Duration::from_millis(3));
        while self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err() {
            park();
        }
        record(agents.map(|agent| agent.name.clone()), game.seed, 0)
    }
}

/// Code that the killed processes run; not a test by itself.
#[test]
#[ignore = "started by the tests below"]
fn plays_until_it_is_killed() {
    let Some(folder) = env::var_os(PLAYS) else { return };
    let (class, stop) = (Class::at(Path::new(&folder)), StopFlag::default());
    let left = env::var(GAMES).map_or(usize::MAX, |games| games.parse().unwrap()).into();
    let workers = Workers { arena: &Slow { left }, jobs: 2, stop: &stop };
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

fn command(class: &Class) -> Command {
    let test = [
        &format!("{}::plays_until_it_is_killed", module_path!().split_once("::").expect("a module").1),
        "--exact",
        "--ignored",
    ];
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(test).env(PLAYS, class.path("")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts and kills the tournament repeatedly, checks after each time that no game is lost, and then lets it end.
fn kill_and_kill(class: &Class, count: impl Fn() -> usize) {
    let mut before = 0;
    for number in 0..KILLS {
        let mut child = command(class).env(GAMES, MOST_GAMES).spawn().expect("a process");
        // Half of the processes are killed while they play, the others at any time.
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
    assert!(command(class).status().expect("a process that ends").success());
    assert!(before > 0 && count() > before, "killed at {before} of {} games: this tests nothing", count());
}

/// Number of games in a store, which there may not be yet.
fn played(store: &Path) -> usize {
    Store::open(store).map_or(0, |store| store.everything().expect("games").1.len())
}

#[test]
fn a_killed_tournament_ends_with_the_same_table() {
    let [class, alone] = [Class::of(AGENTS), Class::of(AGENTS)];
    alone.run_by(Pairing::Elimination, &Fake::new());
    kill_and_kill(&class, || played(&class.store()));
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
    kill_and_kill(&class, || played(&class.path("results")));
    plan(&alone);
    assert!(command(&alone).status().unwrap().success());
    for class in [&class, &alone] {
        let (mut store, _) = class.enter(Pairing::RoundRobin);
        let merged = merge(&mut store, &[class.path("results")]).unwrap();
        assert_eq!((merged.added, merged.refused.len()), (FEW * (FEW - 1), 0));
    }
    assert_eq!(class.table(), alone.table());
}
