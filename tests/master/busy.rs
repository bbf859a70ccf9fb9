//! Neither a busy machine nor a stopped master is an agent's fault.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::referee::*;

/// Processes that take all the time they can get, each in its own session, like programs of other users.
struct Hogs(Vec<Child>);

impl Hogs {
    fn new(count: usize) -> Hogs {
        let hog = |_| {
            let mut command = Command::new("setsid");
            command.args(["sh", "-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().expect("a hog")
        };
        Hogs((0..count).map(hog).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            // This kills the hog itself: `setsid` does not fork to lead a session.
            let _ = hog.kill();
            let _ = hog.wait();
        }
    }
}

/// Writes a league of short games with `turn` milliseconds of wall time per turn.
fn league(dir: &Dir, game: &str, protocol: &str, turn: u64) {
    let clock = json!({ "counts": "wall", "turn": turn * 1000, "game": null, "patience": 10_000_000 });
    dir.league(&json!({ "game": game, "protocol": protocol, "clock": clock, "draws": "halves", "longest": 6 }));
}

/// Makes two agents, `a` and `b`, which begin every turn or game with the line `first`.
fn agents(dir: &Dir, program: Program, first: &str, options: &str) {
    ["a", "b"].iter().for_each(|name| dir.scripted(name, program, &format!("{first}\nexec ./engine {options}")));
}

/// Runs `master play`, and calls `meanwhile` while it runs.
fn play(dir: &Dir, meanwhile: impl FnOnce(&Child)) -> GameRecord {
    let child = dir.spawn(&mut master("play a b --league league.json --json"));
    meanwhile(&child);
    dir.wait_for(child).exits_with(0).json()
}

/// Asserts that nobody is at fault.
#[track_caller]
fn is_clean(record: &GameRecord) {
    let faults: Vec<_> = record.faults().collect();
    let ended = !matches!(record.verdict.reason, EndReason::Failed(_));
    assert!(ended && faults.is_empty(), "{}: {faults:?}", record.verdict);
}

#[test]
fn time_in_which_other_programs_have_the_cores_is_not_charged() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let dir = Dir::new();
    league(&dir, "loa6", "request", 500);
    // About 0.1 s of CPU time per turn; beside eight hogs per core, that takes longer than a turn is allowed to.
    agents(&dir, Program::Loa6, "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", "--time 0.02");
    let hogs = Hogs::new(8 * cores);
    let start = Instant::now();
    let record = play(&dir, |_| ());
    let took = start.elapsed();
    drop(hogs);
    is_clean(&record);
    assert_eq!(record.turns.len(), 6);
    let charged: Duration = record.turns.iter().map(|turn| turn.spent.wall).sum();
    assert!(charged < took / 2, "{charged:?} of {took:?}");
}

/// Stops the master twice, each time for longer than a turn is allowed to take.
fn stop_and_continue(master: &Child) {
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(700));
        send(Signal::SIGSTOP, master);
        thread::sleep(Duration::from_millis(2000));
        send(Signal::SIGCONT, master);
    }
}

#[test]
fn a_stopped_master_charges_nobody() {
    for (game, protocol, program, first, options) in [
        ("loa6", "request", Program::Loa6, "sleep 0.4", "--time 0.02"),
        ("loa", "console2020", Program::Loa, "", "--time 0.4"),
    ] {
        let dir = Dir::new();
        league(&dir, game, protocol, 1500);
        agents(&dir, program, first, options);
        let record = play(&dir, stop_and_continue);
        is_clean(&record);
        assert_eq!(record.turns.len(), 6, "{game}");
    }
}

#[test]
fn an_agent_that_is_not_to_move_takes_no_time_from_its_opponent() {
    let dir = Dir::new();
    league(&dir, "loa", "console2020", 5000);
    agents(&dir, Program::Loa, "", "--time 0.5");
    let hogs = "for i in $(seq 60); do setsid sh -c 'while :; do :; done' & done";
    // Without and with the hogs, since other programs may have their shares too.
    let [alone, beside] = ["", hogs].map(|hogs| {
        dir.script("b", &format!("{hogs}\nexec ./engine --time 0.05"));
        let record = play(&dir, |_| ());
        assert!(record.faults().all(|fault| fault.side == Color::White), "{}", record.verdict);
        let of_black = record.turns.iter().filter(|turn| turn.side == Color::Black);
        let mut used: Vec<Duration> = of_black.map(|turn| turn.spent.cpu).collect();
        used.sort();
        used[used.len() / 2]
    });
    // If each of the 60 hogs had an equal share, Black would get about a sixtieth of two cores during its 0.5 s turn.
    assert!(beside > alone.min(Duration::from_millis(240)) / 3, "{beside:?}, {alone:?} without hogs");
}
