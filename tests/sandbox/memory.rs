//! Memory: an agent has its own, and nobody else is blamed or killed for what it uses.

use std::fs;

use kingline_master::record::Draw;
use kingline_master::sandbox::{DiskLimit, Job, JobEnd, JobLimits};

use super::groups::Group;
use super::{As, hostile, job, limits, sandbox, ways};
use crate::support::referee::*;

/// Memory of a small and of a larger group, in bytes.
const SMALL: u64 = 700_000_000;
const LARGE: u64 = 1_500_000_000;

/// League of checkers with short games.
fn checkers() -> Value {
    let clock = json!({ "counts": "cpu", "turn": null, "game": 30_000_000, "patience": 3_000_000 });
    json!({ "clock": clock, "draws": "halves", "longest": 4, "opening": 0 })
}

/// League of Lines of Action with short games, in which both agents run all the time.
fn loa() -> Value {
    let clock = json!({ "counts": "wall", "turn": 10_000_000, "game": 60_000_000, "patience": 3_000_000 });
    json!({ "game": "loa", "protocol": "console2020", "clock": clock, "draws": "halves", "longest": 4, "opening": 0 })
}

/// An agent with 600 MB and a little more: its program, in an unoptimized build more than 30 MB, counts as well.
const HOLDS_600_MB: &str = "exec ./held hold-and-answer 580";

/// Makes a folder with a league and two agents, of which each is a script with the program `held` and, if given, `engine`.
fn game(league: &Value, engine: Option<Program>, scripts: [(&str, &str); 2]) -> Dir {
    let dir = Dir::new();
    dir.league(league);
    for (name, script) in scripts {
        dir.copy(example("hostile"), &format!("{name}/held"));
        if let Some(engine) = engine {
            dir.copy(engine.path(), &format!("{name}/engine"));
        }
        dir.script(name, script);
    }
    dir
}

/// Plays a game in a group with this much memory; `None` if there can be no such group.
fn played(test: &str, dir: &Dir, memory: u64, agents: [&str; 2]) -> Option<GameRecord> {
    let group = group(test, memory)?;
    let mut command = group.command(Program::Master.path());
    command.arg("play").args(agents).args(["--league", "league.json", "--json", "--save", "games"]);
    let ran = dir.run_command(&mut command);
    // A master that is killed has no exit code.
    Some(ran.exits_with(0).json())
}

fn group(test: &str, memory: u64) -> Option<Group> {
    Group::limited(memory).inspect_err(|why| skipped(&format!("sandbox::memory::{test}"), why)).ok()
}

/// Asserts that only this side was at fault, and by its memory.
#[track_caller]
fn is_at_fault(record: &GameRecord, side: Color) {
    let is_right = matches!(&record.verdict.reason, EndReason::Fault(fault)
        if fault.side == side && fault.kind == FaultKind::OverMemory);
    assert!(is_right, "{}: {record:?}", record.verdict);
    assert!(record.faults().all(|fault| fault.side == side), "{record:?}");
}

#[test]
fn two_honest_agents_of_600_mb_play_in_little_memory() {
    let script = HOLDS_600_MB;
    let dir = game(&checkers(), None, [("one", script), ("other", script)]);
    for memory in [SMALL, LARGE] {
        let test = "two_honest_agents_of_600_mb_play_in_little_memory";
        let Some(record) = played(test, &dir, memory, ["one", "other"]) else { return };
        let is_played = matches!(record.verdict.reason, EndReason::Drawn { draw: Draw::MoveLimit, .. });
        assert!(is_played, "{memory} bytes: {record:?}");
        assert!(record.tier.ends_with("of memory instead of 4 GiB, unofficial"), "{}", record.tier);
    }
}

#[test]
fn a_hog_alone_is_at_fault_where_each_turn_is_a_process() {
    for behavior in ["memory", "memory-files", "memory-shared"] {
        let honest = HOLDS_600_MB;
        let hog = format!("exec ./held {behavior}");
        let dir = game(&checkers(), None, [("honest", honest), ("hog", &hog)]);
        for memory in [SMALL, LARGE] {
            let test = "a_hog_alone_is_at_fault_where_each_turn_is_a_process";
            let Some(record) = played(test, &dir, memory, ["honest", "hog"]) else { return };
            is_at_fault(&record, Color::White);
        }
    }
}

#[test]
fn large_files_that_are_carried_from_turn_to_turn_are_the_agents_memory() {
    let large = "head -c 200M /dev/zero > playdata.txt; exec ./held answer";
    let mut league = checkers();
    league["limits"] = json!({ "playdata": 200 << 20 });
    let dir = game(&league, None, [("one", large), ("other", "exec ./held answer")]);
    let test = "large_files_that_are_carried_from_turn_to_turn_are_the_agents_memory";
    let Some(record) = played(test, &dir, SMALL, ["one", "other"]) else { return };
    assert!(matches!(record.verdict.reason, EndReason::Drawn { draw: Draw::MoveLimit, .. }), "{record:?}");
    let script = "exec ./held hold-and-answer 300";
    dir.script("one", &large.replace("exec ./held answer", script));
    let Some(record) = played(test, &dir, SMALL, ["one", "other"]) else { return };
    is_at_fault(&record, Color::Black);
}

#[test]
fn an_agent_whose_own_files_do_not_fit_in_its_memory_has_too_little() {
    let dir = Dir::new();
    ["own", "run"].iter().for_each(|name| dir.make_dir(name));
    fs::write(dir.path("own/large"), vec![1; 40 << 20]).expect("a file");
    for (memory, is_enough) in [(30 << 20, false), (200 << 20, true)] {
        let mut cell = sandbox().cell(&dir.path("run"), "cell", DiskLimit::default()).expect("a cell");
        cell.furnish(&dir.path("own"), memory).expect("a folder");
        let job = Job { limits: JobLimits { memory, ..limits() }, ..job("/bin/true", &[]) };
        for _ in 0..2 {
            let end = cell.run(&job).expect("a run").end;
            assert_eq!(end, if is_enough { JobEnd::Exited(0) } else { JobEnd::OverMemory }, "{memory} bytes");
            cell.renew().expect("a renewal");
        }
    }
}

#[test]
fn a_hog_alone_is_at_fault_where_both_agents_run_all_the_time() {
    let engine = "exec ./engine --time 0.1";
    // The engine starts when the memory is in use.
    let honest = format!("./held hold 600 &\nuntil [ -e holding ]; do sleep 0.1; done\n{engine}");
    let hog = format!("./held hold-files 900\n{engine}");
    let dir = game(&loa(), Some(Program::Loa), [("honest", &honest), ("hog", &hog)]);
    let test = "a_hog_alone_is_at_fault_where_both_agents_run_all_the_time";
    // Half of the smaller group's memory suffices only for an agent without a burden.
    let small = game(&loa(), Some(Program::Loa), [("honest", engine), ("hog", &hog)]);
    for (dir, memory) in [(&dir, LARGE), (&small, SMALL)] {
        for (agents, side) in [(["honest", "hog"], Color::White), (["hog", "honest"], Color::Black)] {
            let Some(record) = played(test, dir, memory, agents) else { return };
            is_at_fault(&record, side);
        }
    }
}

#[test]
fn only_as_many_games_run_at_once_as_fit_in_memory() {
    let mut league = checkers();
    league["limits"] = json!({ "memory": 200_000_000 });
    let script = "exec ./held answer";
    let dir = game(&league, None, [("one", script), ("other", script)]);
    dir.make_dir("class");
    for name in ["one", "other"] {
        fs::rename(dir.path(name), dir.path("class").join(name)).expect("an agent");
    }
    let Some(group) = group("only_as_many_games_run_at_once_as_fit_in_memory", SMALL) else { return };
    let mut command = group.command(Program::Master.path());
    command.args(["tournament", "class", "--league", "league.json", "--games", "4", "--jobs", "8"]);
    dir.run_command(&mut command).exits_with(0).stderr_contains(&[
        "2 games at once instead of 8: an agent may use 190.7 MiB of memory",
        "help: set a lower limits.memory",
    ]);
}

#[test]
fn the_doctor_reports_the_memory_of_a_control_group() {
    let Some(group) = group("the_doctor_reports_the_memory_of_a_control_group", SMALL) else { return };
    let dir = Dir::new();
    let ran = dir.run_command(group.command(Program::Master.path()).args(["doctor", "--json"]));
    let found: Value = ran.exits_with(0).json();
    let memory = found["survey"]["agents_memory"].as_u64().expect("a number of bytes");
    assert!((SMALL - (100 << 20)..SMALL).contains(&memory), "{memory}");
    dir.run_command(group.command(Program::Master.path()).arg("doctor"))
        .exits_with(0)
        .stdout_contains(&["an agent has less memory than the 4 GiB"]);
}

#[test]
fn a_master_without_memory_for_agents_says_so() {
    let Some(group) = group("a_master_without_memory_for_agents_says_so", 90 << 20) else { return };
    let dir = game(&checkers(), None, [("one", "exec ./held answer"), ("other", "exec ./held answer")]);
    let mut command = group.command(Program::Master.path());
    dir.run_command(command.args(["play", "one", "other"]))
        .exits_with(1)
        .stderr_contains(&["agents have 42 MiB of memory here, expected at least 48 MiB", "help: "]);
}

/// Behaviors that use memory of every kind without end.
const HOGS: [&str; 8] = [
    "memory",
    "memory-files",
    "memory-shared",
    "memory-children",
    "memory-udp",
    "memory-tcp",
    "memory-unix",
    "memory-tables",
];

#[test]
fn an_agent_that_uses_too_much_memory_is_ended_in_every_tier() {
    for way in ways() {
        for behavior in HOGS {
            // In this tier, agents cannot have children, and a single process has too few sockets.
            let needs_children = ["memory-children", "memory-udp", "memory-tcp", "memory-unix"].contains(&behavior);
            if needs_children && way.tier == kingline_master::sandbox::Tier::Rusage {
                continue;
            }
            let tried = way.behave(&["--memory", "200", "--wall", "20"], &[behavior]);
            assert_eq!(tried.end, "out of memory", "{way:?} {behavior} {}", tried.stderr);
        }
    }
}

#[test]
fn an_agent_within_its_memory_is_not_ended_in_any_tier() {
    for way in ways() {
        // The children share its memory.
        let tried = way.behave(&["--memory", "200"], &["hold-by-children", "150"]);
        assert_eq!(tried.end, "exit code 0", "{way:?} {}", tried.stderr);
    }
}

#[test]
fn agents_are_the_first_to_be_killed_and_cannot_change_that() {
    let script = "echo 0 > /proc/self/oom_score_adj; exec cat /proc/self/oom_score_adj";
    for way in ways() {
        let tried = way.run(&[], &["/bin/sh", "-c", script]);
        assert_eq!(tried.stdout.trim(), "1000", "{way:?} {}", tried.stderr);
    }
}

#[test]
fn an_ordinary_users_master_survives_a_hog_in_little_memory() {
    let test = "an_ordinary_users_master_survives_a_hog_in_little_memory";
    let Some(way) = ways().iter().find(|way| way.who == As::Nobody) else {
        return skipped(&format!("sandbox::memory::{test}"), "no ordinary user can confine agents here");
    };
    for behavior in HOGS {
        let Some(group) = group(test, SMALL) else { return };
        let program = hostile();
        let command = [program.to_str().expect("a name"), behavior];
        let tried = way.attempt_in(Some(&group), &["--wall", "20"], &command).expect("a run");
        // On a busy machine, sockets may fill the group between two looks at them. Three such ends are the agent's fault.
        let is_early = ["memory-udp", "memory-tcp", "memory-unix"].contains(&behavior);
        let is_right = tried.end == "out of memory" || is_early && tried.end == "the machine ran out of memory";
        assert!(is_right, "{behavior}: {} {}", tried.end, tried.stderr);
    }
}
