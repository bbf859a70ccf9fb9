//! Lack of memory: the agent's own fault or the machine's.

use std::cell::Cell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

use super::cgroup::ControlGroup;

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
    /// Counts at the start of the current job.
    start: Cell<Counts>,
}

/// A number in one of the kernel's files.
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
    /// Counter of a cgroup v1 group.
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
            start: Cell::default(),
        })
    }

    /// Counter of a cgroup v2 group.
    pub(super) fn of_v2(group: &ControlGroup) -> io::Result<ShortageCounter> {
        Ok(ShortageCounter {
            kills: Count::open(group, "memory.events", "oom_kill ")?,
            at_limit: vec![Count::open(group, "memory.events", "oom ")?],
            peak_and_limit: None,
            start: Cell::default(),
        })
    }

    /// Marks the start of a job.
    pub(super) fn start(&self) {
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

    /// Returns true if the peak is at the limit.
    fn has_peaked(&self) -> bool {
        // The kernel may try to allocate several pages at a time.
        const CLOSE: u64 = 1 << 20;
        self.peak_and_limit.as_ref().is_some_and(|[peak, limit]| peak.read() + CLOSE >= limit.read())
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
    use super::*;

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
        let counter = ShortageCounter { kills, at_limit, peak_and_limit: None, start: Cell::default() };
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
    }
}
