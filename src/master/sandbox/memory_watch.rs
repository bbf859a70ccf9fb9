//! Watches how much memory a job uses, where no control group counts it.

use std::fs;
use std::time::{Duration, Instant};

use super::stopwatch::ProcessList;

/// Watches the memory of a job's processes together.
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

/// Memory of a process that other processes may share, in /proc/PID/status.
const WHOLE: [&str; 3] = ["RssAnon:", "RssShmem:", "VmSwap:"];
/// Its part of that memory, in /proc/PID/smaps_rollup.
const PART: [&str; 3] = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];

impl MemoryWatch {
    /// Watches processes that may use `most` bytes together.
    pub(super) fn new(processes: ProcessList, most: u64) -> MemoryWatch {
        MemoryWatch { processes, most, next: Instant::now() }
    }

    /// Returns true if the job uses more memory than it may, given the size of its files in memory. Those that it maps
    /// count twice. Does not read again soon after the last time.
    pub(super) fn is_over(&mut self, files: u64) -> bool {
        let now = Instant::now();
        if now < self.next {
            return false;
        }
        let processes = self.processes.pids();
        // A sum over processes counts shared memory repeatedly, and only the slow way does not.
        let most = self.most.saturating_sub(files);
        let is_over = self.sum(&processes, |process| memory(process, "status", &WHOLE)) > most
            && self.sum(&processes, |process| {
                memory(process, "smaps_rollup", &PART).or_else(|| memory(process, "status", &WHOLE[..1]))
            }) > most;
        self.next = now + (now.elapsed() * PER_LOOK).clamp(INTERVAL, LONGEST_INTERVAL);
        is_over
    }

    /// Time of the next reading.
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

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

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
}
