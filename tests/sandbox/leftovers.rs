//! Jobs leave nothing behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kingline_master::sandbox::Tier;

use super::{hostile, ways};
use crate::support::referee::*;

/// Makes an argument that no other process has.
fn mark(number: u32) -> String {
    format!("mark-{}-{number}", std::process::id())
}

/// Finds processes with this argument.
fn marked(mark: &str) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").expect("processes").flatten().map(|entry| entry.path());
    let is_marked = |path: &PathBuf| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
    };
    processes.filter(is_marked).collect()
}

/// Finds control groups of the master with this process id.
pub(crate) fn groups_of(master: u32) -> Vec<PathBuf> {
    fn search(dir: &Path, part: &str, found: &mut Vec<PathBuf>, depth: u32) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("kingline-") && name.contains(part) {
                found.push(entry.path());
            } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                search(&entry.path(), part, found, depth - 1);
            }
        }
    }
    let mut found = Vec::new();
    search(Path::new("/sys/fs/cgroup"), &format!("-{master}-"), &mut found, 3);
    found
}

/// Starts a master that runs a behavior with a mark, for at most `time` seconds of CPU time.
fn start(dir: &Dir, tier: Tier, behavior: &str, mark: &str, time: &str) -> Child {
    let mut command = Command::new(Program::Master.path());
    command.args(["doctor", "--tier", tier.name(), "--time", time, "--wall", "20", "--"]).arg(hostile());
    command.args([behavior, mark]).env("TMPDIR", dir.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a master")
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "did not happen within 20 s: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Tiers that work for the user who runs the tests.
fn tiers() -> impl Iterator<Item = Tier> {
    ways().iter().filter(|way| way.who == super::As::This).map(|way| way.tier)
}

#[test]
fn no_process_control_group_or_file_stays_behind() {
    for (number, tier) in (0..).zip(tiers()) {
        for behavior in ["linger", "daemon", "orphan", "fork-bomb", "fill-disk", "dig"] {
            let (dir, mark) = (Dir::new(), mark(number));
            let master = start(&dir, tier, behavior, &mark, "0.3");
            let id = master.id();
            dir.wait_for(master).exits_with(0);
            assert_eq!(marked(&mark), [""; 0].map(PathBuf::from), "{tier} {behavior}");
            assert_eq!(groups_of(id), [""; 0].map(PathBuf::from), "{tier} {behavior}");
            assert_eq!(dir.names(), [""; 0], "{tier} {behavior}");
        }
    }
}

#[test]
fn a_killed_master_ends_its_agents_and_the_next_one_cleans_up() {
    for (number, tier) in (100..).zip(tiers()) {
        for behavior in ["sleep", "deaf"] {
            let (dir, mark) = (Dir::new(), mark(number));
            // Long enough to be seen, even on a busy machine.
            let mut master = start(&dir, tier, behavior, &mark, "10");
            let id = master.id();
            wait_until("the agent runs", || marked(&mark).iter().any(|path| is_agent(path)));
            master.kill().expect("a master to kill");
            master.wait().expect("a master");
            wait_until("the agent has ended", || marked(&mark).is_empty());
            let next = start(&dir, tier, "nothing", &mark, "10");
            dir.wait_for(next).exits_with(0);
            wait_until("its groups are gone", || groups_of(id).is_empty());
        }
    }
}

/// Returns true if a process is an agent and no longer a launcher.
fn is_agent(process: &Path) -> bool {
    fs::read(process.join("cmdline")).is_ok_and(|line| line.starts_with(hostile().to_string_lossy().as_bytes()))
}
