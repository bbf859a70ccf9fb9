//! The cost of merging and verifying a large tournament that was played in shards.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use kingline_master::intake::agent::Agent;
use kingline_master::league::Pairing;
use kingline_master::record::GameRecord;
use kingline_master::stop::StopFlag;
use kingline_master::tournament::schedule::PlannedGame;
use kingline_master::tournament::{Arena, TournamentEnd, TournamentPlan, Workers, play_shard};
use kingline_players::figures::{Figure, Topic};

use super::{Class, NoObserver};
use crate::support::figures::record;
use crate::support::games::whole_game;
use crate::support::programs::Program;
use crate::support::usage::ProgramUsage;

/// Number of agents; a pair plays two games. With the default, there are 100,172 games.
const AGENTS: (&str, usize) = ("KINGLINE_AGENTS", 317);
const SHARDS: u32 = 8;
/// Targets for each command: CPU time for 100,000 games, and memory for any number.
const MOST_CPU: Duration = Duration::from_secs(60);
const MOST_MEMORY: u64 = 300_000_000;
const COMMAND: &str =
    "cargo test --release -p kingline-master --test referee -- --ignored --nocapture large_tournament";

/// An arena of whole games, in which agents choose their moves at random.
struct RandomArena;

impl Arena for RandomArena {
    fn prepare(&self, _: &Agent) -> Option<String> {
        None
    }

    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord {
        whole_game(agents.map(|agent| agent.name.clone()), game.seed)
    }
}

/// Plays a class's tournament in shards. Returns the number of games and the files of results.
fn played(class: &Class) -> (usize, Vec<PathBuf>) {
    let (store, _) = class.enter(Pairing::RoundRobin);
    let path = class.path("plan");
    TournamentPlan::of(&store).and_then(|plan| plan.write(&path)).expect("a plan");
    drop(store);
    let plan = TournamentPlan::read(&path).expect("a plan");
    let (agents, stop) = (class.agents(), StopFlag::default());
    let workers = Workers { arena: &RandomArena, jobs: 2, stop: &stop };
    let play = |number: u32| {
        let results = class.path(&format!("plan.{number}-of-{SHARDS}"));
        let shard = format!("{number}/{SHARDS}").parse().expect("a shard");
        let ended = play_shard(&plan, shard, &agents, &results, &workers, &mut NoObserver).expect("results");
        assert_eq!(ended, TournamentEnd::Complete);
        results
    };
    (plan.games.len(), (1..=SHARDS).map(play).collect())
}

#[test]
#[ignore = "takes minutes"]
fn a_large_tournament_is_merged_and_verified() {
    let agents = env::var(AGENTS.0).map_or(AGENTS.1, |text| text.parse().expect("a number of agents"));
    let class = Class::of(agents);
    let (games, results) = played(&class);
    // The first call builds the programs.
    let program = Program::Master.path();
    for name in ["merge", "verify"] {
        let mut command = Command::new(program);
        match name {
            "merge" => command.args(["tournament", "merge"]).arg(class.store()).args(&results),
            _ => command.arg("verify").arg(class.store()),
        };
        let ProgramUsage { cpu, memory } = ProgramUsage::of(&mut command);
        let most = MOST_CPU.mul_f64(games as f64 / 1e5);
        let (seconds, megabytes) = (cpu.as_secs_f64(), memory as f64 / 1e6);
        let figure = Figure::new(
            format!("`master`: {name} of {games} whole games in {SHARDS} shards"),
            format!("{seconds:.1} CPU s, {megabytes:.0} MB"),
        );
        let target = format!("at most {:.0} CPU s and {} MB", most.as_secs_f64(), MOST_MEMORY / 1_000_000);
        let is_met = cpu <= most && memory <= MOST_MEMORY;
        record(Topic::Referee, COMMAND, figure.against(target, is_met));
        assert!(memory <= MOST_MEMORY, "{name}: {megabytes:.0} MB");
        assert!(cfg!(debug_assertions) || is_met, "{name}: {seconds:.1} CPU s");
    }
}
