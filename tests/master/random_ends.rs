//! An agent whose turns end with a random tree of files in its working directory: whatever it leaves behind is its own
//! trouble, never the referee's or its opponent's.

use std::fs;
use std::process::Command;

use kingline::game::Color;
use kingline_master::record::{EndReason, GameRecord};
use kingline_players::figures::{Figure, Topic};

use crate::support::command::Dir;
use crate::support::figures;
use crate::support::programs::{Program, example};

/// Games of eight turns of each side, with little room.
const LEAGUE: &str = r#"{
    "name": "ends", "game": "checkers", "protocol": "turn-files",
    "clock": {"counts": "cpu", "turn": null, "game": 2000000, "patience": 1000000},
    "faults": "loses-game", "draws": "more-time-left", "format": "strict", "pairing": "round-robin",
    "longest": 16, "opening": 0, "limits": {"disk": 8388608, "files": 1200}
}"#;

/// Plays a game against an agent whose ends this seed decides. Returns the number of its turns, and how many of them were
/// right.
fn game(seed: u64) -> Result<[usize; 2], String> {
    let dir = Dir::new().with("league.json", LEAGUE);
    ["good", "ends", "tmp"].iter().for_each(|name| dir.make_dir(name));
    // It plays the same moves each time, so that the seed decides the whole game.
    dir.write("good/moves.awk", include_str!("../honest/shell/moves.awk"));
    dir.write_program("good/run.sh", "#!/bin/sh\nexec awk -f moves.awk input.txt > output.txt\n");
    fs::copy(example("hostile"), dir.path("ends/hostile")).expect("a copy");
    dir.write("ends/calibration.txt", "{}\n");
    dir.write_program("ends/run.sh", &format!("#!/bin/sh\nexec ./hostile random-ends {seed}\n"));
    let mut command = Command::new(Program::Master.path());
    // Each seed has its own opening, and thereby other turns.
    command.args(["play", "good", "ends", "--league", "league.json", "--json", "--seed", &seed.to_string()]);
    command.args(["--opening", "4"]).env("TMPDIR", dir.path("tmp"));
    let ran = dir.run_command(&mut command);
    let wrong = |what: &str| Err(format!("seed {seed}: {what}: {} {}", ran.stderr, ran.stdout));
    if ran.code != Some(0) {
        return wrong("the game failed");
    }
    let record: GameRecord = serde_json::from_str(&ran.stdout).expect("a record");
    let turns = record.turns.iter().filter(|turn| turn.side == Color::White);
    let right = turns.clone().filter(|turn| turn.fault.is_none()).count();
    if record.turns.iter().any(|turn| turn.side == Color::Black && (turn.fault.is_some() || !turn.notes.is_empty())) {
        return wrong("the other side was harmed");
    }
    match &record.verdict.reason {
        EndReason::Failed(_) => return wrong("the game failed"),
        EndReason::Fault(_) if record.verdict.winner != Some(Color::Black) => return wrong("the point is lost"),
        _ => {}
    }
    if fs::read_dir(dir.path("tmp")).expect("a folder").next().is_some() {
        return wrong("files stay behind");
    }
    if dir.names() != ["ends", "good", "good-ends-1.pdn", "league.json", "tmp"] || files(&dir) != 3 {
        return wrong("files stay behind");
    }
    Ok([turns.count(), right])
}

/// Number of files in the agent's folder.
fn files(dir: &Dir) -> usize {
    fs::read_dir(dir.path("ends")).expect("a folder").count()
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
    let figure = Figure::new("turns that end with a random tree of files", measured);
    let command = "cargo test --release -p kingline-master -- --ignored random_ends_of_ten --nocapture";
    figures::record(Topic::Referee, command, figure.against("none wrong", wrong.is_empty()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
