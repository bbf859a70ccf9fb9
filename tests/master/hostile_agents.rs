//! Hostile agents against a good one: the verdict is right, the game continues if it can, the other side is unharmed,
//! and nothing stays behind, also after turns that end with a random tree of files.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use kingline_master::record::Draw;
use kingline_master::sandbox::{Policy, Sandbox, Tier};

use crate::sandbox::leftovers::groups_of;
use crate::support::referee::*;
use crate::support::table::rows;

/// Behaviors of the hostile program, and the right verdicts, which are separated by ` or `.
fn agents() -> Vec<[&'static str; 2]> {
    rows(include_str!("hostile.txt"), "agents")
}

/// Number of games so far, which gives each hostile process a unique name.
static GAMES: AtomicU32 = AtomicU32::new(0);

/// Plays a good agent (Black) against one with this behavior, in this tier or the best one.
fn meet(behavior: &str, tier: Option<Tier>) -> GameRecord {
    let dir = Dir::new();
    // Short games, and a short wait for agents that sleep.
    let clock = json!({ "counts": "cpu", "turn": null, "game": 500_000, "patience": 3_000_000 });
    dir.league(&json!({ "clock": clock, "longest": 6, "limits": { "memory": 1 << 30 } }));
    dir.agent("good", Program::Homework, "homework");
    let name = format!("bad-{:x}-{:x}", std::process::id(), GAMES.fetch_add(1, Ordering::Relaxed));
    dir.copy(example("hostile"), &format!("bad/{name}"));
    dir.write("bad/behavior", behavior);
    dir.script("bad", &format!("exec ./{name}"));
    let mut command = master("play good bad --league league.json --json");
    if let Some(tier) = tier {
        command.args(["--tier", tier.name()]);
    }
    if behavior.starts_with("memory") {
        // Filling a GiB takes a while.
        command.args(["--time", "30"]);
    }
    let child = dir.spawn(&mut command);
    let master = child.id();
    let ran = dir.wait_for(child);
    let record: GameRecord = ran.exits_with(0).json();

    assert_eq!(processes_named(&name), Vec::<u32>::new(), "{behavior}: processes stay behind");
    assert_eq!(groups_of(master), Vec::<PathBuf>::new(), "{behavior}: control groups stay behind");
    assert_eq!(dir.names(), ["bad", "good", "good-bad-1.pdn", "league.json"], "{behavior}: files stay behind");
    assert_eq!(dir.names_in("bad").len(), 3, "{behavior}: its folder is changed");
    record
}

/// Finds processes by the name of their program, including zombies.
fn processes_named(name: &str) -> Vec<u32> {
    let numbers =
        fs::read_dir("/proc").expect("/proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let named = |number: &u32| fs::read_to_string(format!("/proc/{number}/comm")).is_ok_and(|text| text.trim() == name);
    numbers.filter(named).collect()
}

fn is_black_harmed(record: &GameRecord) -> bool {
    let mut turns = record.turns.iter().filter(|turn| turn.side == Color::Black);
    turns.any(|turn| turn.fault.is_some() || !turn.notes.is_empty())
}

fn judged(behavior: &str, expected: &str, record: &GameRecord) -> Result<(), String> {
    let failure = |wrong: &str| {
        let (verdict, turns) = (&record.verdict, &record.turns);
        Err(format!("{behavior}: {wrong}: {verdict}; {}", serde_json::to_string(turns).expect("turns as JSON")))
    };
    if is_black_harmed(record) {
        return failure("the other side was harmed");
    }
    let found = match &record.verdict.reason {
        EndReason::Fault(fault) if fault.side == Color::White => format!("{:?}", fault.kind),
        EndReason::Drawn { draw: Draw::MoveLimit, .. } => "plays on".to_owned(),
        _ => return failure("the verdict is wrong"),
    };
    if expected.split(" or ").any(|right| right == found) { Ok(()) } else { failure("the verdict is wrong") }
}

/// Lists the wrong verdicts among those on all agents.
fn judge_all(tier: Option<Tier>) -> Vec<String> {
    let judge = |[behavior, expected]: [&str; 2]| judged(behavior, expected, &meet(behavior, tier)).err();
    agents().into_iter().filter_map(judge).collect()
}

#[test]
fn every_hostile_agent_is_judged_correctly_and_leaves_nothing_behind() {
    let wrong = judge_all(None);
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), agents().len(), wrong.join("\n"));
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn twenty_times_every_hostile_agent_in_every_tier() {
    let has = |tier: &Tier| {
        let launcher = Program::Master.path().to_path_buf();
        let tried = Sandbox::open(&Policy { tier: Some(*tier), launcher, ..Policy::default() });
        tried.inspect_err(|why| skipped(&format!("hostile agents by {tier}"), &why.to_string())).is_ok()
    };
    let tiers: Vec<Tier> = Tier::ALL.into_iter().filter(has).collect();
    let twenty = |tier: Tier| {
        let wrong: Vec<String> = (0..20).flat_map(|_| judge_all(Some(tier))).collect();
        println!("{tier}: {} hostile agents, 20 games each: {} verdicts wrong", agents().len(), wrong.len());
        wrong.into_iter().map(move |wrong| format!("{tier} {wrong}"))
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = tiers.iter().map(|&tier| scope.spawn(move || twenty(tier).collect::<Vec<_>>())).collect();
        runs.into_iter().flat_map(|run| run.join().expect("a table")).collect()
    });
    let names: Vec<String> = tiers.iter().map(ToString::to_string).collect();
    let measured = format!(
        "{} agents, by {}: {} verdicts, {} wrong; nothing left behind",
        agents().len(),
        names.join(", "),
        agents().len() * 20 * tiers.len(),
        wrong.len()
    );
    let is_met = wrong.is_empty();
    figure("twenty_times", "hostile agents, 20 games each", measured, "all verdicts right", is_met);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plays a game against an agent whose ends this seed decides. Returns the number of its turns, and how many of them were
/// right.
fn game(seed: u64) -> Result<[usize; 2], String> {
    let dir = Dir::new();
    // Games of eight turns of each side, with little room.
    let clock = json!({ "counts": "cpu", "turn": null, "game": 2_000_000, "patience": 1_000_000 });
    dir.league(&json!({ "clock": clock, "longest": 16, "limits": { "disk": 8_388_608, "files": 1200 } }));
    ["good", "ends", "tmp"].iter().for_each(|name| dir.make_dir(name));
    // It plays the same moves each time, so that the seed decides the whole game.
    dir.write("good/moves.awk", include_str!("../honest/shell/moves.awk"));
    dir.script("good", "exec awk -f moves.awk input.txt > output.txt");
    dir.copy(example("hostile"), "ends/hostile");
    dir.write("ends/calibration.txt", "{}\n");
    dir.script("ends", &format!("exec ./hostile random-ends {seed}"));
    // Each seed has its own opening, and thereby other turns.
    let mut command = master(&format!("play good ends --league league.json --json --seed {seed} --opening 4"));
    let ran = dir.run_command(command.env("TMPDIR", dir.path("tmp")));
    let wrong = |what: &str| Err(format!("seed {seed}: {what}: {} {}", ran.stderr, ran.stdout));
    if ran.code != Some(0) {
        return wrong("the game failed");
    }
    let record: GameRecord = ran.json();
    let turns = record.turns.iter().filter(|turn| turn.side == Color::White);
    let right = turns.clone().filter(|turn| turn.fault.is_none()).count();
    if is_black_harmed(&record) {
        return wrong("the other side was harmed");
    }
    match &record.verdict.reason {
        EndReason::Failed(_) => return wrong("the game failed"),
        EndReason::Fault(_) if record.verdict.winner != Some(Color::Black) => return wrong("the point is lost"),
        _ => {}
    }
    let names = ["", "tmp", "ends"].map(|folder| dir.names_in(folder));
    if names[0] != ["ends", "good", "good-ends-1.pdn", "league.json", "tmp"]
        || [names[1].len(), names[2].len()] != [0, 3]
    {
        return wrong("files stay behind");
    }
    Ok([turns.count(), right])
}

/// Plays games until there were this many turns; returns the number of games and what was wrong.
fn play(least: usize) -> (u64, usize, Vec<String>) {
    let (mut turns, mut right, mut wrong) = (0, 0, Vec::new());
    for seed in 1.. {
        match game(seed) {
            Ok([played, answered]) => (turns, right) = (turns + played, right + answered),
            Err(how) => {
                // A failed game has no record. It had at least one turn.
                turns += 1;
                println!("{how}");
                wrong.push(how);
            }
        }
        if seed % 100 == 0 {
            println!("{seed} games, {turns} turns, {} wrong", wrong.len());
        }
        if turns >= least {
            assert!(right > turns / 4, "only {right} of {turns} turns had a right answer");
            return (seed, turns, wrong);
        }
    }
    unreachable!("seeds never end")
}

#[test]
fn random_ends_of_turns() {
    let (games, turns, wrong) = play(40);
    assert!(wrong.is_empty(), "{} of {games} games, {turns} turns:\n{}", wrong.len(), wrong.join("\n"));
}

/// Records the figure.
#[test]
#[ignore = "takes half an hour"]
fn random_ends_of_ten_thousand_turns() {
    let (games, turns, wrong) = play(10_000);
    let measured = format!("{turns} turns in {games} games: {} games failed or had a wrong verdict", wrong.len());
    let name = "turns that end with a random tree of files";
    figure("random_ends_of_ten", name, measured, "none wrong", wrong.is_empty());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
