//! What an agent leaves in the kernel, no other turn and no other game can read.

use std::fs::File;
use std::io::IoSliceMut;
use std::thread;
use std::time::Duration;

use kingline_master::sandbox::{Cell, DiskLimit, JobEnd, NextLine, Policy, Sandbox, Tier};
use rustix::io::{ReadWriteFlags, preadv2};

use super::{hostile, job};
use crate::support::referee::*;

/// A file that no test writes and every agent can read.
const SHARED: &str = "/usr/bin/env";

/// Runs a check in each tier whose results can be official, with two cells of different games.
fn between_games(check: impl Fn(Tier, &mut Cell, &mut Cell) + Sync) {
    for tier in [Tier::CgroupV2, Tier::Perf] {
        let launcher = Program::Master.path().to_path_buf();
        let policy = Policy { launcher, tier: Some(tier), ..Policy::default() };
        let sandbox = match Sandbox::open(&policy) {
            Ok(sandbox) if sandbox.is_official() => sandbox,
            Ok(_) => continue,
            Err(why) => {
                skipped(&format!("sandbox::channels, {tier}"), &why.to_string());
                continue;
            }
        };
        // Cells belong to their threads; each test needs two, as of games played at once.
        let run = || {
            let dirs = [Dir::new(), Dir::new()];
            let [mut first, mut second] =
                dirs.each_ref().map(|dir| sandbox.cell(&dir.path(""), "cell", DiskLimit::default()).expect("a cell"));
            check(tier, &mut first, &mut second);
        };
        thread::scope(|scope| scope.spawn(run).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Runs a behavior to its end; returns what it prints.
#[track_caller]
fn behave(cell: &mut Cell, words: &[&str]) -> String {
    let run = cell.run(&job(hostile(), words)).expect("a run");
    assert_eq!(run.end, JobEnd::Exited(0), "{words:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Lets one behavior leave its note and run on, while another one looks for it.
#[track_caller]
fn while_running(first: &mut Cell, leave: &[&str], look: impl FnOnce()) {
    let mut process = first.start(&job(hostile(), leave)).expect("a start");
    let line = process.line(Duration::from_secs(20)).expect("a line");
    assert!(matches!(&line, NextLine::Line(text) if text == "left"), "{leave:?}: {line:?}");
    look();
    let run = process.finish(Duration::from_secs(3)).expect("an end");
    let is_right = matches!(run.end, JobEnd::Exited(0) | JobEnd::OverWall | JobEnd::Signalled(_));
    assert!(is_right, "{leave:?}: {}: {}", run.end, String::from_utf8_lossy(&run.stderr));
}

#[test]
fn counters_of_the_kernel_are_constants() {
    between_games(|tier, first, second| {
        let before = [behave(first, &["print-counters"]), behave(second, &["print-counters"])];
        assert!(before[0].contains("/proc/meminfo: MemTotal") && before[0].len() > 2000, "{}", before[0]);
        behave(first, &["raise-counters"]);
        let after = [behave(first, &["print-counters"]), behave(second, &["print-counters"])];
        for (before, after) in before.iter().zip(&after) {
            let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(before, after)| before != after).collect();
            assert!(changed.is_empty() && before.len() == after.len(), "{tier}: {changed:#?}");
        }
    });
}

#[test]
fn locks_on_the_systems_files_stay_in_the_game() {
    between_games(|_, first, second| {
        while_running(first, &["leave-locks", SHARED], || drop(behave(second, &["find-locks", SHARED])));
    });
}

#[test]
fn nobody_notices_the_use_of_files_by_others() {
    between_games(|_, first, _| drop(behave(first, &["watch-files", "/usr/bin"])));
}

#[test]
fn files_of_others_stay_in_memory() {
    let file = File::open(SHARED).expect("a file");
    let in_memory = || {
        let mut byte = [0];
        preadv2(&file, &mut [IoSliceMut::new(&mut byte)], 1, ReadWriteFlags::NOWAIT) == Ok(1)
    };
    between_games(|tier, first, _| {
        std::fs::read(SHARED).expect("a file");
        if !in_memory() {
            return skipped("sandbox::channels::files_of_others_stay_in_memory", "the kernel does not tell");
        }
        behave(first, &["evict", SHARED]);
        assert!(in_memory(), "{tier}");
    });
}

#[test]
fn names_of_groups_do_not_count_games() {
    between_games(|tier, first, second| {
        let [one, two] = [first, second].map(|cell| {
            let run = cell.run(&job("/bin/cat", &["/proc/self/cgroup"])).expect("a run");
            String::from_utf8(run.stdout).expect("text")
        });
        if tier == Tier::CgroupV2 {
            let name = |text: &str| text.lines().last().and_then(|line| line.rsplit('/').next()).map(str::to_owned);
            let (one, two) = (name(&one).expect("a name"), name(&two).expect("a name"));
            assert!(one != two && one.len() == 16 && u64::from_str_radix(&one, 16).is_ok(), "{one} {two}");
        }
    });
}
