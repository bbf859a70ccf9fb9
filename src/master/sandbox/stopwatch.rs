//! A job's own wall time, which excludes time waiting for a core and time in which the referee could not observe the
//! job: a busy machine is not the agent's fault.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A job's clock, which stops while the machine keeps the job from running.
#[derive(Debug)]
pub(super) struct Stopwatch {
    processes: ProcessList,
    began: Instant,
    /// Time of the last observation.
    last: Instant,
    /// CPU time that the job had used by then.
    cpu: Duration,
    /// Time that each thread had spent waiting for a core by then, in nanoseconds.
    delays: HashMap<u32, u64>,
    /// Largest number of threads observed since it was last taken.
    most_threads: usize,
    waited: Duration,
    unseen: Duration,
    next: Instant,
}

/// Source of the list of a job's processes.
#[derive(Clone, Debug)]
pub(super) enum ProcessList {
    /// From the file `cgroup.procs` of its control group.
    Group(PathBuf),
    /// From the process with this id, which is listed with all its descendants.
    Descendants(u32),
}

/// Wall time of a job, divided by its activity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallTime {
    /// Time running, or asleep by choice.
    pub own: Duration,
    /// Time waiting for a core.
    pub waited: Duration,
    /// Time not running for an unknown reason, because the referee itself was stopped or waiting for a core.
    pub unseen: Duration,
}

/// A job's activity since it was last observed.
#[derive(Clone, Copy, Debug)]
struct Glance {
    passed: Duration,
    /// CPU time used.
    used: Duration,
    /// True if a thread is running, or would be if it had a core.
    is_runnable: bool,
    /// Total time that threads waited for a core before they got one.
    delayed: Duration,
}

/// Usual time between two observations.
const INTERVAL: Duration = Duration::from_millis(20);
/// If an observation is slow, e.g. because there are many threads, the next one comes after this multiple of its
/// duration.
const PER_LOOK: u32 = 20;
/// Maximum time between two observations, even if the referee was stopped during one.
const LONGEST_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum time between two observations for which the job's activity is considered known.
const LONGEST_UNSEEN: Duration = Duration::from_millis(200);

impl Stopwatch {
    /// Starts the clock of a job that began at this time. If the start was noticed late, an observation is due at once.
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

    /// Returns true if another observation is due.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Observes the job, which has used this much CPU time so far. Returns the time that had passed when the
    /// observation began; any later time belongs to the next one, even if the referee is stopped at this very moment.
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

    /// Time passed, assuming that nothing has kept the job from running since it was last observed.
    pub(super) fn time(&self) -> WallTime {
        self.time_at(Instant::now())
    }

    fn time_at(&self, now: Instant) -> WallTime {
        let Stopwatch { waited, unseen, .. } = *self;
        WallTime { own: (now - self.began).saturating_sub(waited + unseen), waited, unseen }
    }

    /// Takes the largest total number of threads observed since the last call.
    pub(super) fn take_most_threads(&mut self) -> u32 {
        u32::try_from(std::mem::replace(&mut self.most_threads, 1)).unwrap_or(u32::MAX)
    }

    /// Returns whether any thread could run, and the total time that threads waited for a core since the last call.
    fn is_runnable_and_delayed(&mut self) -> (bool, Duration) {
        let (mut is_runnable, mut nanoseconds) = (false, 0);
        let mut delays = HashMap::new();
        for process in self.processes.pids() {
            for entry in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let thread = entry.path();
                let text = |name: &str| fs::read_to_string(thread.join(name)).unwrap_or_default();
                // The name, in parentheses, may contain anything.
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
    /// Ids of the job's current processes, as far as this process can see them.
    pub(super) fn pids(&self) -> Vec<u32> {
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
    /// Splits the time. The time in which the job ran is its own, even if some of its threads were waiting.
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

    /// Time passed since an earlier reading.
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
    fn only_time_that_a_job_could_use_is_its_own() {
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
        assert_eq!(kept(5000, 100, false, 0), [100, 0, 4900], "it was not observed");
        assert_eq!(kept(5000, 5000, false, 0), [5000, 0, 0], "it was not observed, but ran");
    }

    #[test]
    fn after_a_start_noticed_late_a_look_is_due_at_once() {
        let mut child = Command::new("sleep").arg("10").stdout(Stdio::null()).spawn().unwrap();
        let mut watch = Stopwatch::new(ProcessList::Descendants(child.id()), Instant::now() - millis(2000));
        let was_due = watch.is_due();
        let time = watch.look(millis(5));
        let _ = child.kill();
        let _ = child.wait();
        assert!(was_due);
        // The job may have waited for a core while starting.
        assert!(time.own == millis(5) && time.unseen + time.waited >= millis(1995), "{time:?}");
        // Compares instants, since a busy machine may take longer than the interval to get here.
        assert!(watch.next >= watch.last + INTERVAL);
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
        // More busy processes than cores, each with its own clock.
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
