//! A job's own wall time, which excludes time waiting for a core and time in which the referee could not observe the
//! job: a busy machine is not the agent's fault.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::starvation::{Interval, Starvation, Thread, Threads};
use kingline::clock::Clock;

/// A job's clock, which stops while the machine keeps the job from running.
#[derive(Debug)]
pub(super) struct Stopwatch {
    processes: ProcessList,
    began: Instant,
    /// Time at which the last observation began.
    last: Instant,
    /// CPU time that the job had used by then.
    cpu: Duration,
    /// CPU time that the referee used for that observation.
    effort: Duration,
    starvation: Starvation,
    /// Largest number of threads observed since it was last taken.
    most_threads: usize,
    unseen: Duration,
    next: Instant,
}

#[derive(Clone, Debug)]
pub(super) enum ProcessList {
    /// Processes listed in the file `cgroup.procs` of this control group.
    Group(PathBuf),
    /// The process with this id and all its descendants.
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
        let starvation = Starvation::of(processes.threads());
        Stopwatch {
            processes,
            began,
            last: began,
            cpu: Duration::ZERO,
            effort: Duration::ZERO,
            starvation,
            most_threads: 1,
            unseen: Duration::ZERO,
            next: began + INTERVAL,
        }
    }

    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Observes the job, which has used this much CPU time so far. Returns the time that had passed when the
    /// observation began; any later time belongs to the next one, even if the referee is stopped at this very moment.
    pub(super) fn observe(&mut self, cpu: Duration) -> WallTime {
        let (now, effort) = (Instant::now(), Clock::Thread.now());
        let threads = self.processes.threads();
        self.most_threads = self.most_threads.max(threads.len());
        let passed = now - self.last;
        let interval = Interval { passed, used: cpu.saturating_sub(self.cpu), used_so_far: cpu };
        // The referee may also have been stopped in the middle of the last observation. The work of observing is no stop,
        // however many threads there are.
        if passed.saturating_sub(self.effort) <= LONGEST_UNSEEN {
            self.starvation.note(threads, interval);
        } else if !self.starvation.note_unseen(threads, interval) {
            self.unseen += passed.saturating_sub(interval.used);
        }
        (self.last, self.cpu, self.effort) = (now, cpu, Clock::Thread.now().saturating_sub(effort));
        self.next = now + (now.elapsed() * PER_LOOK).clamp(INTERVAL, LONGEST_INTERVAL);
        self.time_at(now)
    }

    /// Time passed, assuming that nothing has kept the job from running since it was last observed.
    pub(super) fn time(&self) -> WallTime {
        self.time_at(Instant::now())
    }

    fn time_at(&self, now: Instant) -> WallTime {
        let (waited, unseen) = (self.starvation.total(), self.unseen);
        WallTime { own: (now - self.began).saturating_sub(waited + unseen), waited, unseen }
    }

    /// Takes the largest total number of threads observed since the last call.
    pub(super) fn take_most_threads(&mut self) -> u32 {
        u32::try_from(std::mem::replace(&mut self.most_threads, 1)).unwrap_or(u32::MAX)
    }
}

impl ProcessList {
    fn threads(&self) -> Threads {
        let mut threads = Threads::new();
        for process in self.pids() {
            for entry in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let folder = entry.path();
                let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
                // The name, in parentheses, may contain anything.
                let is_runnable = text("stat").rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" R"));
                let number = entry.file_name().to_str().and_then(|name| name.parse().ok());
                let times = text("schedstat");
                let mut times = times.split_whitespace().map_while(|time| time.parse().ok().map(Duration::from_nanos));
                if let (Some(number), Some(ran), Some(delayed)) = (number, times.next(), times.next()) {
                    threads.insert(number, Thread { ran, delayed, is_runnable });
                }
            }
        }
        threads
    }
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
    fn time_in_which_the_referee_saw_nothing_is_unseen() {
        let mut child = Command::new("sleep").arg("10").stdout(Stdio::null()).spawn().unwrap();
        let began_at = |began| Stopwatch::new(ProcessList::Descendants(child.id()), began);
        let earlier = |time: Instant| time - millis(2000);
        let mut noticed_late = began_at(earlier(Instant::now()));
        let was_due = noticed_late.is_due();
        let late = noticed_late.observe(millis(5));
        let mut stopped = began_at(Instant::now());
        stopped.observe(Duration::ZERO);
        // As after an observation that began two seconds ago and has only just ended.
        (stopped.began, stopped.last) = (earlier(stopped.began), earlier(stopped.last));
        let meanwhile = stopped.observe(millis(5));
        let _ = child.kill();
        let _ = child.wait();
        assert!(was_due, "at once after a start that was noticed late");
        // Compares instants, since a busy machine may take longer than the interval to get here.
        assert!(noticed_late.next >= noticed_late.last + INTERVAL);
        assert!(late.own == millis(5) && meanwhile.own < millis(300), "{late:?}, {meanwhile:?}");
        for time in [late, meanwhile] {
            // The job may have waited for a core while starting.
            assert!(time.unseen + time.waited >= millis(1995), "{time:?}");
        }
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
            watch.observe(Duration::ZERO);
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
    #[ignore = "keeps all cores busy, which disturbs other tests"]
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
            watch.observe(used());
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
