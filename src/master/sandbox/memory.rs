//! Memory that agents have on this machine, and how many of them fit in it.

use std::fs;

use super::capabilities::Capabilities;
use super::cgroup::{HierarchyKind, memory_limit};

/// Memory that this program keeps for itself: less than half of it is in use during a tournament.
const RESERVE: u64 = 48 << 20;
/// Part of the machine's memory that is left to the system and to other programs.
const SYSTEM_PART: u64 = 8;
/// Memory for a game or a build in addition to that of its agents: waiting launchers and control groups.
const OVERHEAD: u64 = 16 << 20;
/// Memory below which no agent starts.
const LEAST: u64 = 16 << 20;

/// How many tasks, such as games or builds, run at once, and how much memory each of their agents has.
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
    fn share(self, total: u64) -> MemoryShare {
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
        self.share(MemoryDemand { tasks: 1, agents: 1, each: most }).each
    }

    /// Divides the memory of all agents.
    pub(super) fn share(&self, demand: MemoryDemand) -> MemoryShare {
        demand.share(self.agents_memory)
    }
}

/// Memory in bytes for all agents together: that of this machine or of this program's control group, whichever is less,
/// without what the system and this program need.
///
/// # Errors
/// Two agents do not fit; the error is the number of bytes.
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

#[cfg(test)]
mod tests {
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
}
