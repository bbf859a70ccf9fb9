//! Memory that agents have on this machine, and how many of them fit in it.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use super::capabilities::Capabilities;
use super::cgroup::{ControlGroup, HierarchyKind, memory_limit};
use super::stopwatch::ProcessList;

/// Memory that this program keeps for itself: less than half of it is in use during a tournament.
const RESERVE: u64 = 48 << 20;
/// Part of the machine's memory that is left to the system and to other programs.
const SYSTEM_PART: u64 = 8;
/// Memory for a game or a build in addition to that of its agents: waiting launchers and control groups.
const OVERHEAD: u64 = 16 << 20;
/// Memory below which no agent starts.
const LEAST: u64 = 16 << 20;

/// Number of tasks, such as games or builds, that run at once, and the memory of each of their agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShare {
    /// Number of tasks that run at once.
    pub at_once: usize,
    /// Memory limit of each agent in bytes: the requested one, or less if not even one task fits.
    pub each: u64,
}

/// A demand for memory by tasks that all need the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryDemand {
    /// Number of tasks that should run at once.
    pub tasks: usize,
    /// Number of agents of a task that run at once.
    pub agents: u32,
    /// Memory limit of each agent in bytes.
    pub each: u64,
}

impl MemoryDemand {
    /// Divides `total` bytes. At least one task runs, and no agent gets more than it needs.
    pub(super) fn share(self, total: u64) -> MemoryShare {
        let MemoryDemand { tasks, agents, each } = self;
        let agents = u64::from(agents.max(1));
        let fitting = total / each.saturating_mul(agents).saturating_add(OVERHEAD);
        if fitting == 0 {
            return MemoryShare { at_once: 1, each: each.min(total.saturating_sub(OVERHEAD) / agents) };
        }
        MemoryShare { at_once: tasks.min(usize::try_from(fitting).unwrap_or(usize::MAX)).max(1), each }
    }
}

impl Capabilities {
    /// Memory limit in bytes of an agent that runs alone and may use `most` bytes.
    pub(super) fn memory_for(&self, most: u64) -> u64 {
        MemoryDemand { tasks: 1, agents: 1, each: most }.share(self.agents_memory).each
    }
}

/// Memory in bytes for all agents together: that of this machine or of this program's control group, whichever is less,
/// without what the system and this program need.
pub(super) fn agents_memory() -> Result<u64, u64> {
    let groups = [HierarchyKind::Memory, HierarchyKind::V2].into_iter().filter_map(memory_limit).min();
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let found = left_for_agents(machine_memory(&meminfo), groups);
    if found < 2 * LEAST + OVERHEAD { Err(found) } else { Ok(found) }
}

/// Memory for agents on a machine with this memory, in control groups with this limit; both in bytes.
fn left_for_agents(machine: Option<u64>, groups: Option<u64>) -> u64 {
    let machine = machine.map_or(u64::MAX, |bytes| bytes - bytes / SYSTEM_PART);
    machine.min(groups.unwrap_or(u64::MAX)).saturating_sub(RESERVE)
}

/// Memory of this machine in bytes, from the text of /proc/meminfo.
fn machine_memory(meminfo: &str) -> Option<u64> {
    let kib = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"))?;
    kib.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

#[derive(Debug)]
pub(super) struct MemoryWatch {
    processes: ProcessList,
    /// Maximum memory in bytes.
    most: u64,
    next: Instant,
}

/// Usual time between two readings.
const INTERVAL: Duration = Duration::from_millis(10);
/// If a reading is slow, e.g. because processes share much memory, the next one comes after this multiple of its duration.
const PER_LOOK: u32 = 10;
/// Maximum time between two readings.
const LONGEST_INTERVAL: Duration = Duration::from_millis(200);

/// Memory of a process that other processes may share, and its page tables, in /proc/PID/status.
const WHOLE: [&str; 4] = ["RssAnon:", "RssShmem:", "VmSwap:", PAGE_TABLES];
const PAGE_TABLES: &str = "VmPTE:";
/// Its part of that memory, in /proc/PID/smaps_rollup.
const PART: [&str; 3] = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];

impl MemoryWatch {
    pub(super) fn new(processes: ProcessList, most: u64) -> MemoryWatch {
        MemoryWatch { processes, most, next: Instant::now() }
    }

    /// Returns true if the job uses more memory than it may, given the size of its files in memory and of its sockets.
    /// Files that it maps count twice. Does not read again soon after the last time.
    pub(super) fn is_over(&mut self, elsewhere: u64) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        let processes = self.processes.pids();
        // A sum over processes counts shared memory repeatedly, and only the slow way does not.
        let most = self.most.saturating_sub(elsewhere);
        let part = |process| {
            let tables = memory(process, "status", &[PAGE_TABLES]).unwrap_or_default();
            let held = memory(process, "smaps_rollup", &PART).or_else(|| memory(process, "status", &WHOLE[..1]));
            held.map(|held| held.saturating_add(tables))
        };
        let is_over = self.sum(&processes, |process| memory(process, "status", &WHOLE)) > most
            && self.sum(&processes, part) > most;
        self.next = now + (now.elapsed() * PER_LOOK).clamp(INTERVAL, LONGEST_INTERVAL);
        is_over
    }

    pub(super) fn next(&self) -> Instant {
        self.next
    }

    fn sum(&self, processes: &[u32], of: impl Fn(u32) -> Option<u64>) -> u64 {
        processes.iter().filter_map(|&process| of(process)).fold(0, u64::saturating_add)
    }
}

/// Sum in bytes of the lines with these labels; `None` if there are none, since the process has ended.
fn memory(process: u32, file: &str, labels: &[&str]) -> Option<u64> {
    total(&fs::read_to_string(format!("/proc/{process}/{file}")).ok()?, labels)
}

/// Sum in bytes of the lines with these labels, such as `RssAnon:  1024 kB`.
fn total(text: &str, labels: &[&str]) -> Option<u64> {
    let lines = text.lines().filter_map(|line| labels.iter().find_map(|label| line.strip_prefix(label)));
    let numbers: Vec<u64> = lines.filter_map(|rest| rest.trim().strip_suffix(" kB")?.trim().parse().ok()).collect();
    (!numbers.is_empty()).then(|| numbers.into_iter().fold(0, |sum: u64, kib: u64| sum.saturating_add(kib << 10)))
}

/// The party that is to blame if the kernel kills a process for lack of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortage {
    /// The agent reached its own limit.
    Agents,
    /// The machine, or a control group around the agent's, had no more memory, although the agent was within its limit.
    Machines,
}

/// Counts how often the kernel killed processes of a control group, and how often the group reached its own limit.
#[derive(Debug)]
pub(super) struct ShortageCounter {
    kills: Count,
    /// Counts that rise when the group reaches its limit.
    at_limit: Vec<Count>,
    /// Peak memory since it was last reset, and the limit; empty if the counts above can be relied on.
    peak_and_limit: Option<[Count; 2]>,
    /// The highest peak that was read before a reset, since the start of the job.
    peak_before: Cell<u64>,
    start: Cell<Counts>,
}

#[derive(Debug)]
struct Count {
    file: File,
    /// Start of the line with the number; empty if the file consists only of the number.
    label: &'static str,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    kills: u64,
    at_limit: u64,
}

impl ShortageCounter {
    pub(super) fn of_v1(group: &ControlGroup) -> io::Result<ShortageCounter> {
        let mut at_limit = vec![Count::open(group, "memory.failcnt", "")?];
        // Where swap is accounted, both limits are the same, and the kernel checks this one first.
        at_limit.extend(Count::open(group, "memory.memsw.failcnt", ""));
        // Linux 6.18 does not raise these counts.
        let peak_and_limit =
            [Count::open(group, "memory.max_usage_in_bytes", "")?, Count::open(group, "memory.limit_in_bytes", "")?];
        Ok(ShortageCounter {
            kills: Count::open(group, "memory.oom_control", "oom_kill ")?,
            at_limit,
            peak_and_limit: Some(peak_and_limit),
            peak_before: Cell::default(),
            start: Cell::default(),
        })
    }

    pub(super) fn of_v2(group: &ControlGroup) -> io::Result<ShortageCounter> {
        Ok(ShortageCounter {
            kills: Count::open(group, "memory.events", "oom_kill ")?,
            at_limit: vec![Count::open(group, "memory.events", "oom ")?],
            peak_and_limit: None,
            peak_before: Cell::default(),
            start: Cell::default(),
        })
    }

    /// Remembers a peak that is about to be reset.
    pub(super) fn note_peak(&self, bytes: u64) {
        self.peak_before.set(self.peak_before.get().max(bytes));
    }

    pub(super) fn start(&self) {
        self.peak_before.set(0);
        self.start.set(Counts { kills: self.kills.read(), at_limit: self.times_at_limit() });
    }

    /// Returns who is to blame, if the kernel has killed a process since the start of the job.
    pub(super) fn found(&self) -> Option<Shortage> {
        let start = self.start.get();
        if self.kills.read() <= start.kills {
            return None;
        }
        let was_at_limit = self.times_at_limit() > start.at_limit || self.has_peaked();
        Some(if was_at_limit { Shortage::Agents } else { Shortage::Machines })
    }

    fn has_peaked(&self) -> bool {
        // The kernel may try to allocate several pages at a time.
        const CLOSE: u64 = 1 << 20;
        self.peak_and_limit
            .as_ref()
            .is_some_and(|[peak, limit]| peak.read().max(self.peak_before.get()) + CLOSE >= limit.read())
    }

    fn times_at_limit(&self) -> u64 {
        self.at_limit.iter().map(Count::read).sum()
    }
}

impl Count {
    fn open(group: &ControlGroup, name: &str, label: &'static str) -> io::Result<Count> {
        Ok(Count { file: File::open(group.file(name))?, label })
    }

    /// Reads the number; 0 if there is none.
    fn read(&self) -> u64 {
        let mut buffer = [0; 512];
        let length = self.file.read_at(&mut buffer, 0).unwrap_or_default();
        number(&String::from_utf8_lossy(&buffer[..length]), self.label).unwrap_or_default()
    }
}

/// Makes this process and its descendants the first that the kernel kills if the machine runs out of memory, so that it
/// never kills the referee. An agent cannot undo this.
pub(super) fn be_killed_first() {
    const FIRST: &str = "1000";
    // Fails in an agent that runs agents itself, which is already among the first.
    let _ = fs::write("/proc/self/oom_score_adj", FIRST);
}

/// Number of processes that the kernel has killed on the whole machine for lack of memory.
pub(super) fn kills_on_machine() -> u64 {
    number(&fs::read_to_string("/proc/vmstat").unwrap_or_default(), "oom_kill ").unwrap_or_default()
}

/// The number after a label at the start of a line.
fn number(text: &str, label: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(label)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;

    #[test]
    fn the_least_limit_counts_and_a_reserve_is_kept() {
        let meminfo = "MemTotal:       16777216 kB\nMemFree:        19198692 kB\n";
        assert_eq!(machine_memory(meminfo), Some(16 * GIB));
        assert_eq!(machine_memory("MemFree: 5 kB\n"), None);
        assert_eq!(left_for_agents(Some(16 * GIB), None), 14 * GIB - 48 * MIB);
        assert_eq!(left_for_agents(Some(16 * GIB), Some(GIB)), 976 * MIB);
        assert_eq!(left_for_agents(Some(GIB), Some(16 * GIB)), 896 * MIB - 48 * MIB);
        assert_eq!(left_for_agents(None, Some(10 * MIB)), 0);
        assert_eq!(left_for_agents(None, None), u64::MAX - 48 * MIB);
    }

    #[test]
    fn as_many_tasks_run_as_fit_and_at_least_one() {
        let share = |tasks, agents, each, total| {
            let MemoryShare { at_once, each } = MemoryDemand { tasks, agents, each }.share(total);
            (at_once, each / MIB)
        };
        assert_eq!(share(64, 1, 4 * GIB, 21 * GIB), (5, 4096));
        assert_eq!(share(64, 2, 4 * GIB, 21 * GIB), (2, 4096));
        assert_eq!(share(1, 2, 4 * GIB, 21 * GIB), (1, 4096));
        assert_eq!(share(64, 2, 100 * MIB, 21 * GIB), (64, 100));
        assert_eq!(share(8, 1, 4 * GIB, 616 * MIB), (1, 600), "one at a time, with less");
        assert_eq!(share(8, 2, 4 * GIB, 616 * MIB), (1, 300), "two at a time, each with half");
        assert_eq!(share(0, 1, MIB, GIB), (1, 1));
    }

    #[test]
    fn tasks_that_run_at_once_never_need_more_than_there_is() {
        for total in [48 * MIB, 100 * MIB, 616 * MIB, 3 * GIB, 21 * GIB] {
            for each in [16 * MIB, 200 * MIB, 4 * GIB] {
                for (agents, tasks) in [(1, 1), (1, 64), (2, 1), (2, 64)] {
                    let share = MemoryDemand { tasks, agents, each }.share(total);
                    let needed = share.at_once as u64 * (u64::from(agents) * share.each + OVERHEAD);
                    assert!(needed <= total && share.each <= each && share.each >= LEAST.min(each), "{share:?}");
                }
            }
        }
    }

    #[test]
    fn lines_are_added_by_their_labels() {
        let status = "Name:\tRssAnon: 7 kB\nVmSwap:\t       1 kB\nRssAnon:\t    1000 kB\nRssShmem:\t      24 kB\n";
        assert_eq!(total(status, &WHOLE), Some(1025 << 10));
        assert_eq!(total("Name:\tkernel thread\n", &WHOLE), None);
        let rollup = "Rss:     1000 kB\nPss_Anon:     3 kB\nPss_Shmem:     4 kB\nSwapPss:        0 kB\n";
        assert_eq!(total(rollup, &PART), Some(7 << 10));
    }

    #[test]
    fn the_processes_of_a_job_are_added_up() {
        let mut child = Command::new("sh").args(["-c", "sleep 10 & wait"]).stdout(Stdio::null()).spawn().unwrap();
        let watch = |most| MemoryWatch::new(ProcessList::Descendants(child.id()), most);
        let (mut strict, mut generous) = (watch(0), watch(1 << 40));
        let found = [strict.is_over(0), strict.is_over(0), generous.is_over(0)];
        let list = ProcessList::Descendants(child.id()).pids();
        for process in list.into_iter().rev() {
            let process = nix::unistd::Pid::from_raw(process.cast_signed());
            let _ = nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = child.wait();
        assert_eq!(found, [true, false, false], "the second reading would be too soon");
    }

    #[test]
    fn numbers_are_found_by_their_label() {
        let events = "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n";
        assert_eq!(number(events, "oom_kill "), Some(2));
        assert_eq!(number(events, "oom "), Some(3));
        assert_eq!(number("oom_kill_disable 0\nunder_oom 0\noom_kill 7\n", "oom_kill "), Some(7));
        assert_eq!(number("41\n", ""), Some(41));
        assert_eq!(number("", "oom "), None);
    }

    #[test]
    fn the_agent_is_to_blame_only_at_its_own_limit() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let open = |name: &str, label| Count { file: File::open(folder.path().join(name)).unwrap(), label };
        write("oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
        write("failcnt", "5\n");
        let (kills, at_limit) = (open("oom_control", "oom_kill "), vec![open("failcnt", "")]);
        let counter = ShortageCounter {
            kills,
            at_limit,
            peak_and_limit: None,
            peak_before: Cell::default(),
            start: Cell::default(),
        };
        counter.start();
        assert_eq!(counter.found(), None);
        write("failcnt", "6\n");
        assert_eq!(counter.found(), None, "it gave memory back in time");
        write("oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
        assert_eq!(counter.found(), Some(Shortage::Agents));
        counter.start();
        write("oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
        assert_eq!(counter.found(), Some(Shortage::Machines));
        write("peak", "199000000\n");
        write("limit", "199999488\n");
        let counter = ShortageCounter { peak_and_limit: Some([open("peak", ""), open("limit", "")]), ..counter };
        assert_eq!(counter.found(), Some(Shortage::Agents));
        write("peak", "150000000\n");
        assert_eq!(counter.found(), Some(Shortage::Machines));
        counter.note_peak(199_000_000);
        assert_eq!(counter.found(), Some(Shortage::Agents), "a reset forgets nothing");
    }
}
