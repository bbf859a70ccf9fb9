//! `master doctor`.

use std::process::Command;
use std::time::Duration;

use kingline_master::sandbox::Tier;

use super::{As, is_right_once, ways};
use crate::support::referee::*;

#[test]
fn the_doctor_reports_what_the_machine_offers() {
    let dir = Dir::new();
    let look = || dir.master("doctor --json").exits_with(0).json::<Value>();
    let own = || ways().iter().filter(|way| way.who == As::This).map(|way| way.tier);
    is_right_once("master doctor", || {
        let found = look();
        own().try_for_each(|tier| {
            let one = list(&found["tiers"])
                .iter()
                .find(|one| one["tier"] == tier.name())
                .unwrap_or_else(|| panic!("no {tier}: {found}"));
            let micros = |name: &str| Duration::from_micros(one["trial"][name].as_u64().expect("microseconds"));
            let (used, read) = (micros("used"), micros("read"));
            assert!(used >= Duration::from_millis(50), "{one}");
            if used.abs_diff(read) < Duration::from_millis(5) { Ok(()) } else { Err(one.to_string()) }
        })
    });
    let found = look();
    assert_eq!(list(&found["tiers"]).len(), Tier::ALL.len());
    assert!(found["launch"]["cpu"].as_u64() > found["launch"]["plain_cpu"].as_u64(), "{found}");
    let ran = dir.master("doctor");
    let best = found["survey"]["tier"].as_str().expect("a tier");
    assert!(ran.exits_with(0).stdout.starts_with(&format!("CPU time      read by {best}\nuser time     ")), "{ran:?}");
}

#[test]
fn bad_usage_has_exit_code_2() {
    let dir = Dir::new();
    dir.write("data", "no program");
    for (arguments, message) in [
        (&["doctor", "--tier", "best"][..], "cgroup-v2, perf, rusage"),
        (&["doctor", "--", "no-such-program"], "no-such-program"),
        (&["doctor", "--time", "0", "--", "true"], "seconds, a number above 0"),
    ] {
        dir.run_with_input(Program::Master, arguments, "").exits_with(2).stderr_contains(&[message]);
    }
    dir.master("doctor -- ./data").exits_with(0).stdout_contains(&["not started: Permission denied"]);
}

#[test]
fn our_own_programs_are_hidden_from_agents_where_they_are_installed() {
    let dir = Dir::new();
    let [master, homework] = [Program::Master, Program::Homework].map(|program| program.path().display());
    // In a mount namespace of its own, nobody else sees the program.
    let script = format!(
        "mount -t tmpfs none /usr/local/bin && cp {homework} /usr/local/bin/homework && {master} doctor && \
         exec {master} doctor -- /bin/sh -c 'homework; echo status $?'"
    );
    let ran = dir.run_command(Command::new("unshare").args(["--mount", "sh", "-c", &script]));
    if ran.stderr.contains("unshare failed") || ran.stderr.contains("permission denied") {
        return skipped("sandbox::doctor, own programs", &ran.stderr);
    }
    ran.exits_with(0).stdout_contains(&["\nhidden        /usr/local/bin/homework\n", "status 127\n"]);
}

#[test]
fn files_of_a_killed_master_are_removed_by_the_next_one() {
    let dir = Dir::new();
    dir.script("one", "sleep 20");
    dir.make_dir("tmp");
    let play = |dir: &Dir| {
        let mut command = master("play one one");
        command.env("TMPDIR", dir.path("tmp"));
        command
    };
    dir.kill_when(&mut play(&dir), || {
        dir.names_in("tmp").iter().any(|name| !dir.names_in(&format!("tmp/{name}")).is_empty())
    });
    assert_eq!(dir.names_in("tmp").len(), 1, "a killed master leaves its files");
    dir.run_command(Command::new(Program::Master.path()).arg("doctor").env("TMPDIR", dir.path("tmp"))).exits_with(0);
    assert_eq!(dir.names_in("tmp"), [""; 0]);
}
