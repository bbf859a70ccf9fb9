//! Time for which others had the cores.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::fs::{PROC_SUPER_MAGIC, fstatfs};
use rustix::thread::{CpuSet, sched_getaffinity};

use super::cgroup;

/// An upper bound of the time for which other programs, or the machine's host, kept a job from all cores: a job that
/// waits while a core is idle, or only for cores that it uses itself, is not kept from running by others.
#[derive(Debug, Default)]
pub(super) struct OtherLoad {
    last: Option<Reading>,
    /// Time for which others had the cores, less the time for which a job was seen waiting.
    credit: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Instant,
    /// CPU time that the job had used by then.
    used: Duration,
    /// Idle time of all cores since the machine started.
    idle: Duration,
}

/// Cores that this process and its children may use, and the kernel's list of their times.
#[derive(Debug)]
struct Cores {
    stat: File,
    allowed: CpuSet,
    /// Number of them.
    count: u32,
    /// Length of the part of the list that has them all, in bytes.
    length: usize,
}

/// Upper bound of the length of a core's line in the list.
const LINE: usize = 256;

/// Unit of the kernel's list.
const MILLIS_PER_TICK: u64 = 10;
/// Credit that is kept from earlier, since the list is not more precise.
const MOST_KEPT: Duration = Duration::from_millis(30);

impl OtherLoad {
    /// Returns how much of the last `passed`, which ends now, others may have kept a job from all cores that has used
    /// this much CPU time so far.
    pub(super) fn at_most(&mut self, passed: Duration, used: Duration) -> Duration {
        let Some(cores) = Cores::of_this_process() else { return passed };
        let Some(idle) = cores.idle() else { return passed };
        let now = Reading { at: Instant::now(), used, idle };
        let Some(last) = self.last.replace(now) else { return passed };
        let busy = (now.idle.saturating_sub(last.idle) + used.saturating_sub(last.used)) / cores.count;
        self.credit = (self.credit + (now.at - last.at).saturating_sub(busy)).min(passed + MOST_KEPT);
        self.credit
    }

    /// Takes the time for which the job turned out to be waiting.
    pub(super) fn take(&mut self, waited: Duration) {
        self.credit = self.credit.saturating_sub(waited);
    }
}

impl Cores {
    /// Returns `None` if the kernel's list does not tell when a job must wait: it is a substitute that shows only the
    /// load of this container, or a limit on CPU time keeps the cores idle.
    fn of_this_process() -> Option<&'static Cores> {
        static CORES: OnceLock<Option<Cores>> = OnceLock::new();
        let find = || {
            let (stat, allowed) = (File::open("/proc/stat").ok()?, sched_getaffinity(None).ok()?);
            let is_kernels = fstatfs(&stat).is_ok_and(|system| system.f_type == PROC_SUPER_MAGIC);
            let last = (0..CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core))?;
            let cores = Cores { stat, allowed, count: allowed.count(), length: (last + 2) * LINE };
            (is_kernels && cores.count > 0 && !cgroup::limits_cpu_time()).then_some(cores)
        };
        CORES.get_or_init(find).as_ref()
    }

    /// Idle time of all cores since the machine started.
    fn idle(&self) -> Option<Duration> {
        let mut buffer = vec![0; self.length];
        let length = self.stat.read_at(&mut buffer, 0).ok()?;
        let text = String::from_utf8_lossy(&buffer[..length]);
        idle_of(&text, |core| core < CpuSet::MAX_CPU && self.allowed.is_set(core))
    }
}

/// Sums the idle times in the text of `/proc/stat` over these cores. A core's line has its number, its times in user
/// mode, at low priority and in the kernel, and then its time idle without and with pending input or output.
fn idle_of(text: &str, is_allowed: impl Fn(usize) -> bool) -> Option<Duration> {
    let mut ticks: Option<u64> = None;
    for line in text.lines() {
        let mut words = line.split(' ');
        let core = words.next().and_then(|word| word.strip_prefix("cpu")?.parse().ok());
        if core.is_some_and(&is_allowed) {
            let idle: u64 = words.skip(3).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
            ticks = Some(ticks.unwrap_or_default() + idle);
        }
    }
    ticks.map(|ticks| Duration::from_millis(ticks.saturating_mul(MILLIS_PER_TICK)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_times_of_allowed_cores_are_added() {
        let text = "cpu  1 2 3 400 5 6\ncpu0 1 2 3 100 5 6 7\ncpu1 1 2 3 200 7 6 7\ncpu2 0 0 0 900 0\nintr 5 5 5 5 5\n";
        assert_eq!(idle_of(text, |core| core < 2), Some(Duration::from_millis(3120)));
        assert_eq!(idle_of(text, |core| core == 7), None);
        assert_eq!(idle_of("", |_| true), None);
    }

    #[test]
    fn cores_are_idle_at_most_all_the_time() {
        let Some(cores) = Cores::of_this_process() else { return };
        let (start, before) = (Instant::now(), cores.idle().unwrap());
        std::thread::sleep(Duration::from_millis(100));
        let idle = cores.idle().unwrap().saturating_sub(before);
        assert!(idle <= (start.elapsed() + Duration::from_millis(2 * MILLIS_PER_TICK)) * cores.count, "{idle:?}");
    }
}
