//! Whole tournaments on a disturbed machine. They take many minutes and are ignored by default.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kingline::game::Color;
use kingline_master::record::{EndReason, GameRecord};
use kingline_players::figures::{Figure, Topic};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::command::Dir;
use crate::support::figures;
use crate::support::programs::Program;

/// Kind of time that each of [`CLOCKS`] counts.
const COUNTS: [&str; 2] = ["wall time", "CPU time"];

/// League clocks that count wall time and CPU time.
const CLOCKS: [&str; 2] = [
    r#"{"counts": "wall", "turn": 3000000, "game": null, "patience": 10000000}"#,
    r#"{"counts": "cpu", "turn": null, "game": 20000000, "patience": 10000000, "resolution": 10000}"#,
];

/// Makes a class of agents that always play the same moves, and a league with this clock, in which a draw scores half a
/// point, and 64 games at once fit in memory.
fn class(clock: &str) -> Dir {
    let dir = Dir::new();
    let clock: Value = serde_json::from_str(clock).expect("a clock");
    let limits = json!({ "memory": 134_217_728 });
    dir.league(&json!({ "clock": clock, "draws": "halves", "longest": 60, "opening": 4, "limits": limits }));
    dir.make_dir("class");
    let moves = include_str!("../honest/shell/moves.awk");
    let backward = moves.replace("row = 1; row <= 8; row++", "row = 8; row >= 1; row--");
    let slanted = moves.replace("column = 1; column <= 8; column++", "column = 8; column >= 1; column--");
    for (name, text) in [("forward", moves), ("backward", &backward), ("slanted", &slanted)] {
        let agent = format!("class/{name}");
        dir.make_dir(&agent);
        dir.write(&format!("{agent}/moves.awk"), text);
        dir.script(&agent, "exec awk -f moves.awk input.txt > output.txt");
    }
    // Fixes the time left, since the agent's depth depends on it.
    let script = "sed -i '3s/.*/1.5/' input.txt\nexec ./engine --seed 7";
    dir.scripted("class/reference", Program::Reference, script);
    dir
}

fn tournament(dir: &Dir, store: &str, jobs: &str) -> Child {
    let mut command = Command::new(Program::Master.path());
    command.args(["tournament", "class", "--league", "league.json", "--games", "24", "--jobs", jobs, "--store", store]);
    let errors = fs::File::create(dir.path(&format!("{store}.err"))).expect("a file");
    command.current_dir(dir.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    command.spawn().expect("a master")
}

/// Plays all games of a tournament.
fn complete(dir: &Dir, store: &str, jobs: &str) {
    let status = tournament(dir, store, jobs).wait().expect("an end");
    assert!(status.success(), "{status}: {}", dir.read(&format!("{store}.err")).unwrap_or_default());
}

/// Columns of the table that do not depend on time: points, wins, draws, losses and faults of each agent.
fn table(dir: &Dir, store: &str) -> Vec<(String, [Value; 5])> {
    let ran = dir.run_command(Command::new(Program::Master.path()).args(["tournament", "table", store, "--json"]));
    let table: Value = ran.exits_with(0).json();
    let rows = table["rows"].as_array().expect("rows");
    let columns = ["points", "wins", "draws", "losses", "faults"];
    rows.iter()
        .map(|row| (row["agent"].as_str().expect("a name").to_owned(), columns.map(|name| row[name].clone())))
        .collect()
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn a_master_stopped_at_twenty_random_moments_makes_the_same_table() {
    for (clock, counts) in CLOCKS.into_iter().zip(COUNTS) {
        let dir = class(clock);
        complete(&dir, "calm.db", "2");
        let calm = table(&dir, "calm.db");
        let mut stops = 0;
        // Runs more tournaments if one ends before the last stop.
        for run in 0.. {
            let store = format!("disturbed-{run}.db");
            let mut master = tournament(&dir, &store, "2");
            let pid = Pid::from_raw(master.id().cast_signed());
            let status = loop {
                thread::sleep(Duration::from_millis(200 + RandomState::new().hash_one(stops) % 2300));
                if let Some(status) = master.try_wait().expect("a child") {
                    break status;
                }
                if stops < 20 {
                    kill(pid, Signal::SIGSTOP).expect("a running master");
                    thread::sleep(Duration::from_secs(5));
                    kill(pid, Signal::SIGCONT).expect("a stopped master");
                    stops += 1;
                }
            };
            assert!(status.success(), "{status}: {}", dir.read(&format!("{store}.err")).unwrap_or_default());
            assert_eq!(table(&dir, &store), calm, "run {run}, {stops} stops");
            if stops == 20 {
                break;
            }
        }
        println!("{calm:?}");
        let command = "cargo test --release -p kingline-master -- --ignored twenty_random_moments --nocapture";
        let name = format!("a tournament by {counts}, stopped for 5 s at random moments");
        let figure = Figure::new(name, format!("{stops} stops, the same table"));
        figures::record(Topic::Referee, command, figure.against("the same table", true));
    }
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn sixty_four_games_at_once_make_the_same_table() {
    for (clock, counts) in CLOCKS.into_iter().zip(COUNTS) {
        let dir = class(clock);
        let start = Instant::now();
        complete(&dir, "calm.db", "2");
        let took = start.elapsed();
        complete(&dir, "crowded.db", "64");
        assert_eq!(table(&dir, "crowded.db"), table(&dir, "calm.db"));
        let command = "cargo test --release -p kingline-master -- --ignored sixty_four_games --nocapture";
        let crowded = start.elapsed() - took;
        let measured = format!("the same table; {took:.0?} with 2 at a time, {crowded:.0?} with 64");
        let figure = Figure::new(format!("144 games by {counts}, 2 at a time and 64 at a time"), measured);
        figures::record(Topic::Referee, command, figure.against("the same table", true));
    }
}

/// Script of an agent that starts sixty processes in their own sessions in every turn or game.
const HOGS: &str = "for i in $(seq 60); do setsid sh -c 'while :; do :; done' & done";

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn no_innocent_agent_is_at_fault_in_forty_games_of_each_league_beside_sixty_hogs() {
    for (league, program, options, time) in [
        ("checkers", Program::Homework, "", "4"),
        ("loa6", Program::Loa6, "--time 0.05", "600"),
        ("loa", Program::Loa, "--time 0.1", "60"),
        ("loa-2015", Program::Loa, "--time 0.1", "300"),
    ] {
        let dir = Dir::new();
        for (name, first) in [("hog", HOGS), ("a", ":"), ("b", ":")] {
            let options = if league == "loa-2015" { format!("--dialect 2015 {options}") } else { options.to_owned() };
            dir.scripted(name, program, &format!("{first}\nexec ./engine {options}"));
        }
        let start = Instant::now();
        let games = |first: &str| {
            let mut command = Command::new(Program::Master.path());
            command.args(["play", first, "b", "--league", league, "--time", time, "--games", "20", "--json"]);
            command.args(["--opening", "2"]).args(["--save", &format!("games-{first}")]).current_dir(dir.path(""));
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a master")
        };
        // One master plays a hog against an innocent agent. At the same time, another plays two innocent agents.
        let masters = [games("hog"), games("a")];
        let (mut played, mut faults) = (0, Vec::new());
        for (master, is_innocent) in masters.into_iter().zip([|side: &str| side != "hog", |_: &str| true]) {
            let output = master.wait_with_output().expect("an end");
            assert!(output.status.success(), "{league}: {}", output.status);
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let record: GameRecord = serde_json::from_str(line).expect("a record");
                assert!(!matches!(record.verdict.reason, EndReason::Failed(_)), "{}", record.verdict);
                let name = |side: Color| record.names[side.index()].as_str();
                faults.extend(record.faults().filter(|fault| is_innocent(name(fault.side))).map(ToString::to_string));
                played += 1;
            }
        }
        let command = "cargo test --release -p kingline-master -- --ignored forty_games --nocapture";
        let measured = format!("{played} games in {:.0?}, {} faults of innocent agents", start.elapsed(), faults.len());
        let figure = Figure::new(format!("games of {league} beside sixty busy processes of an agent"), measured);
        let met = played == 40 && faults.is_empty();
        figures::record(Topic::Referee, command, figure.against("40 games, no fault of an innocent agent", met));
        assert!(played == 40 && faults.is_empty(), "{league}: {faults:?}");
    }
}
