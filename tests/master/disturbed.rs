//! Whole tournaments on a disturbed machine. They take many minutes and are ignored by default.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::referee::*;

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
        dir.write(&format!("class/{name}/moves.awk"), text);
        dir.script(&format!("class/{name}"), "exec awk -f moves.awk input.txt > output.txt");
    }
    // Fixes the time left, since the agent's depth depends on it.
    let script = "sed -i '3s/.*/1.5/' input.txt\nexec ./engine --seed 7";
    dir.scripted("class/reference", Program::Reference, script);
    dir
}

fn tournament(dir: &Dir, store: &str, jobs: &str) -> Child {
    let mut command =
        master(&format!("tournament class --league league.json --games 24 --jobs {jobs} --store {store}"));
    let errors = fs::File::create(dir.path(&format!("{store}.err"))).expect("a file");
    command.current_dir(dir.path("")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    command.spawn().expect("a master")
}

/// Plays all games of a tournament.
fn complete(dir: &Dir, store: &str, jobs: &str) {
    is_right(dir, store, tournament(dir, store, jobs).wait().expect("an end"));
}

/// Asserts that a tournament has ended well.
fn is_right(dir: &Dir, store: &str, status: ExitStatus) {
    assert!(status.success(), "{status}: {}", dir.read(&format!("{store}.err")).unwrap_or_default());
}

/// Columns of the table that do not depend on time: points, wins, draws, losses and faults of each agent.
fn table(dir: &Dir, store: &str) -> Vec<(String, [Value; 5])> {
    let table: Value = dir.master(&format!("tournament table {store} --json")).exits_with(0).json();
    let columns = ["points", "wins", "draws", "losses", "faults"];
    let row = |row: &Value| (row["agent"].to_string(), columns.map(|name| row[name].clone()));
    list(&table["rows"]).iter().map(row).collect()
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
            let status = loop {
                thread::sleep(Duration::from_millis(200 + RandomState::new().hash_one(stops) % 2300));
                if let Some(status) = master.try_wait().expect("a child") {
                    break status;
                }
                if stops < 20 {
                    send(Signal::SIGSTOP, &master);
                    thread::sleep(Duration::from_secs(5));
                    send(Signal::SIGCONT, &master);
                    stops += 1;
                }
            };
            is_right(&dir, &store, status);
            assert_eq!(table(&dir, &store), calm, "run {run}, {stops} stops");
            if stops == 20 {
                break;
            }
        }
        println!("{calm:?}");
        let name = format!("a tournament by {counts}, stopped for 5 s at random moments");
        figure("twenty_random_moments", name, format!("{stops} stops, the same table"), "the same table", true);
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
        let crowded = start.elapsed() - took;
        let measured = format!("the same table; {took:.0?} with 2 at a time, {crowded:.0?} with 64");
        let name = format!("144 games by {counts}, 2 at a time and 64 at a time");
        figure("sixty_four_games", name, measured, "the same table", true);
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
            let words = format!("play {first} b --league {league} --time {time} --games 20 --json --opening 2");
            let mut command = master(&format!("{words} --save games-{first}"));
            command.current_dir(dir.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a master")
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
        let measured = format!("{played} games in {:.0?}, {} faults of innocent agents", start.elapsed(), faults.len());
        let name = format!("games of {league} beside sixty busy processes of an agent");
        let is_met = played == 40 && faults.is_empty();
        figure("forty_games", name, measured, "40 games, no fault of an innocent agent", is_met);
        assert!(is_met, "{league}: {faults:?}");
    }
}
