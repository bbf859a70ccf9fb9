//! How much wall time is a job's own? Not that in which it waited for a core, nor that in which the referee could not
//! look: a busy machine is no agent's fault.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The clock of a job, which stands still while the machine keeps the job from running.
#[derive(Debug)]
pub(super) struct Stopwatch {
    processes: ProcessList,
    began: Instant,
    /// When it was looked at last, ...
    last: Instant,
    /// ... and what it had used then.
    cpu: Duration,
    /// How long each thread had waited for a core then, in nanoseconds.
    delays: HashMap<u32, u64>,
    /// The most threads that it had when it was looked at.
    most_threads: usize,
    waited: Duration,
    unseen: Duration,
    next: Instant,
}

/// Where the processes of a job are listed.
#[derive(Clone, Debug)]
pub(super) enum ProcessList {
    /// In the file `cgroup.procs` of its control group.
    Group(PathBuf),
    /// They are this one and its descendants.
    Descendants(u32),
}

/// Time that passed for a job, by what it did in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallTime {
    /// Running, or asleep of its own will.
    pub own: Duration,
    /// Waiting for a core.
    pub waited: Duration,
    /// Not running, and the referee could not look why: it was stopped itself, or waited for a core.
    pub unseen: Duration,
}

/// What a job did since the last look.
#[derive(Clone, Copy, Debug)]
struct Glance {
    passed: Duration,
    /// CPU time used.
    used: Duration,
    /// Whether a thread is running, or could if it had a core.
    is_runnable: bool,
    /// What all threads waited for a core until they had it.
    delayed: Duration,
}

/// The time between two looks ...
const INTERVAL: Duration = Duration::from_millis(20);
/// ... or this many times the time that a look takes, of a job with many threads ...
const PER_LOOK: u32 = 20;
/// ... but no longer than this, also if the referee was stopped in the middle of a look.
const LONGEST_INTERVAL: Duration = Duration::from_millis(100);
/// After a longer time without a look nothing is known of what a job did.
const LONGEST_UNSEEN: Duration = Duration::from_millis(200);

impl Stopwatch {
    /// Of a job that began at this time. If that was noticed late, it is time to look at once.
    pub(super) fn new(processes: ProcessList, began: Instant) -> Stopwatch {
        let mut watch = Stopwatch {
            processes,
            began,
            last: began,
            cpu: Duration::ZERO,
            delays: HashMap::new(),
            most_threads: 1,
            waited: Duration::ZERO,
            unseen: Duration::ZERO,
            next: began + INTERVAL,
        };
        watch.is_runnable_and_delayed();
        watch
    }

    /// Whether it is time for another look.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Looks at the job, which has used so much CPU time by now. Returns the time that had passed when the look began: what
    /// comes after is for the next one, also if the referee is stopped at this very moment.
    pub(super) fn look(&mut self, cpu: Duration) -> WallTime {
        let now = Instant::now();
        let (is_runnable, delayed) = self.is_runnable_and_delayed();
        let (passed, used) = (now - self.last, cpu.saturating_sub(self.cpu));
        let kept = Glance { passed, used, is_runnable, delayed }.kept_from_running();
        self.waited += kept.waited;
        self.unseen += kept.unseen;
        (self.last, self.cpu) = (now, cpu);
        self.next = now + (now.elapsed() * PER_LOOK).clamp(INTERVAL, LONGEST_INTERVAL);
        self.time_at(now)
    }

    /// The time that has passed, if the job did since the last look what it wanted.
    pub(super) fn time(&self) -> WallTime {
        self.time_at(Instant::now())
    }

    fn time_at(&self, now: Instant) -> WallTime {
        let Stopwatch { waited, unseen, .. } = *self;
        WallTime { own: (now - self.began).saturating_sub(waited + unseen), waited, unseen }
    }

    /// The most threads of all its processes together, in the times when it was looked at since the last call.
    pub(super) fn take_most_threads(&mut self) -> u32 {
        u32::try_from(std::mem::replace(&mut self.most_threads, 1)).unwrap_or(u32::MAX)
    }

    /// Whether a thread could run, and what all have waited for a core since the last call.
    fn is_runnable_and_delayed(&mut self) -> (bool, Duration) {
        let (mut is_runnable, mut nanoseconds) = (false, 0);
        let mut delays = HashMap::new();
        for process in self.processes.pids() {
            for entry in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let thread = entry.path();
                let text = |name: &str| fs::read_to_string(thread.join(name)).unwrap_or_default();
                // The name, in parentheses, may hold anything.
                is_runnable |= text("stat").rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" R"));
                let delay = text("schedstat").split_whitespace().nth(1).and_then(|delay| delay.parse().ok());
                let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
                if let (Some(delay), Some(number)) = (delay, number) {
                    nanoseconds += delay - self.delays.get(&number).copied().unwrap_or_default().min(delay);
                    delays.insert(number, delay);
                }
            }
        }
        self.most_threads = self.most_threads.max(delays.len());
        self.delays = delays;
        (is_runnable, Duration::from_nanos(nanoseconds))
    }
}

impl ProcessList {
    /// Those that run now, as far as this process sees them.
    fn pids(&self) -> Vec<u32> {
        match self {
            ProcessList::Group(file) => numbers(&fs::read_to_string(file).unwrap_or_default()),
            ProcessList::Descendants(first) => {
                let mut found = vec![*first];
                let mut next = 0;
                while let Some(process) = found.get(next) {
                    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
                    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")));
                    let children: Vec<u32> = children.flat_map(|text| numbers(&text.unwrap_or_default())).collect();
                    found.extend(children);
                    next += 1;
                }
                found
            }
        }
    }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

impl Glance {
    /// What of the time was not the job's own. As much as it ran is: others of its threads may have waited meanwhile.
    fn kept_from_running(self) -> WallTime {
        let idle = self.passed.saturating_sub(self.used);
        let own = self.passed - idle;
        if self.is_runnable {
            WallTime { own, waited: idle, unseen: Duration::ZERO }
        } else if self.passed > LONGEST_UNSEEN {
            WallTime { own, waited: Duration::ZERO, unseen: idle }
        } else {
            let waited = idle.min(self.delayed);
            WallTime { own: own + (idle - waited), waited, unseen: Duration::ZERO }
        }
    }
}

impl std::ops::Sub for WallTime {
    type Output = WallTime;

    /// What passed since an earlier time.
    fn sub(self, earlier: WallTime) -> WallTime {
        WallTime {
            own: self.own.saturating_sub(earlier.own),
            waited: self.waited.saturating_sub(earlier.waited),
            unseen: self.unseen.saturating_sub(earlier.unseen),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::thread;

    use super::*;

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn only_what_a_job_could_use_is_its_own() {
        let kept = |passed, used, is_runnable, delayed| {
            let glance = Glance { passed: millis(passed), used: millis(used), is_runnable, delayed: millis(delayed) };
            let WallTime { own, waited, unseen } = glance.kept_from_running();
            [own, waited, unseen].map(|time| time.as_millis())
        };
        assert_eq!(kept(20, 20, true, 0), [20, 0, 0], "it runs");
        assert_eq!(kept(20, 40, true, 60), [20, 0, 0], "it runs on two cores, and others of its threads wait");
        assert_eq!(kept(20, 5, true, 0), [5, 15, 0], "it could run");
        assert_eq!(kept(20, 5, false, 10), [10, 10, 0], "it waited, ran and slept");
        assert_eq!(kept(20, 0, false, 0), [20, 0, 0], "it sleeps");
        assert_eq!(kept(5000, 100, false, 0), [100, 0, 4900], "nobody looked");
        assert_eq!(kept(5000, 5000, false, 0), [5000, 0, 0], "nobody looked, but it ran");
    }

    #[test]
    fn a_start_that_was_noticed_late_is_looked_at_at_once() {
        let mut child = Command::new("sleep").arg("10").stdout(Stdio::null()).spawn().unwrap();
        let mut watch = Stopwatch::new(ProcessList::Descendants(child.id()), Instant::now() - millis(2000));
        let was_due = watch.is_due();
        let time = watch.look(millis(5));
        let _ = child.kill();
        let _ = child.wait();
        assert!(was_due);
        // Starting, it may have waited for a core.
        assert!(time.own == millis(5) && time.unseen + time.waited >= millis(1995), "{time:?}");
        assert!(!watch.is_due());
    }

    #[test]
    fn sleeping_is_own_time_and_descendants_are_found() {
        let mut child = Command::new("sh").args(["-c", "sleep 10 & wait"]).stdout(Stdio::null()).spawn().unwrap();
        let list = ProcessList::Descendants(child.id());
        let start = Instant::now();
        while list.pids().len() < 2 && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(millis(5));
        }
        let pids = list.pids();
        let mut watch = Stopwatch::new(list, Instant::now());
        for _ in 0..10 {
            thread::sleep(millis(10));
            watch.look(Duration::ZERO);
        }
        let time = watch.time();
        for pid in pids.iter().rev() {
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(*pid as i32), nix::sys::signal::Signal::SIGKILL);
        }
        let _ = child.wait();
        assert_eq!(pids.len(), 2, "the shell and its child");
        assert!(time.own >= millis(60), "{time:?}");
    }

    #[test]
    fn a_thread_without_a_core_is_waiting() {
        // More threads than cores that spin, each of which counts its own time.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let mut spinners: Vec<_> =
            (0..3 * cores).map(|_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap()).collect();
        thread::sleep(millis(50));
        let mut watch = Stopwatch::new(ProcessList::Descendants(spinners[0].id()), Instant::now());
        let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(spinners[0].id() as i32)).unwrap();
        let used = || -> Duration { nix::time::clock_gettime(clock).unwrap().into() };
        watch.cpu = used();
        let before = watch.cpu;
        for _ in 0..40 {
            thread::sleep(millis(20));
            watch.look(used());
        }
        let (time, cpu) = (watch.time(), used() - before);
        spinners.iter_mut().for_each(|spinner| {
            let _ = spinner.kill();
            let _ = spinner.wait();
        });
        assert!(time.waited > cpu, "a third of a core at most: {time:?}, {cpu:?}");
        assert!(time.own < cpu + millis(50), "it never sleeps: {time:?}, {cpu:?}");
    }
}
