//! Time for which a job waited for cores that others had. Time for which its threads keep each other waiting is its own.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::fs::{PROC_SUPER_MAGIC, fstatfs};
use rustix::thread::{CpuSet, sched_getaffinity};

use super::cgroup;

/// A job's threads, by their numbers.
pub(super) type Threads = HashMap<u32, Thread>;

/// A thread when it was last observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Thread {
    pub(super) ran: Duration,
    /// Total time that it waited for a core before it got one: a wait counts only when it is over.
    pub(super) delayed: Duration,
    /// True if it is running, or would be if it had a core.
    pub(super) is_runnable: bool,
}

/// Time for which a job was kept from running so far.
#[derive(Debug, Default)]
pub(super) struct Starvation {
    threads: Threads,
    /// Time that a thread has certainly waited.
    settled: Duration,
    /// Time in which the job did not run and a thread may have been waiting that has had no core since.
    open: Duration,
    /// CPU time that the job used while that time was open.
    used_meanwhile: Duration,
    /// The threads when that time began.
    opened: Threads,
    /// The load that others are; `None`: enough to keep the job from all cores.
    others: Option<OtherLoad>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) passed: Duration,
    /// CPU time used by the job in this time.
    pub(super) used: Duration,
    /// CPU time used by the job in all.
    pub(super) used_so_far: Duration,
}

impl Starvation {
    /// Begins with threads that were not observed before.
    pub(super) fn of(threads: Threads) -> Starvation {
        Starvation { threads, others: Some(OtherLoad::default()), ..Starvation::default() }
    }

    pub(super) fn total(&self) -> Duration {
        self.settled + self.open
    }

    /// Notes the state of all threads at the end of an interval in which the job was observed as usual.
    pub(super) fn note(&mut self, threads: Threads, interval: Interval) {
        let before = self.total();
        let opened = if self.open.is_zero() { &self.threads } else { &self.opened };
        let seen = Seen::between(&self.threads, opened, &threads, interval.used + self.used_meanwhile);
        let last = std::mem::replace(&mut self.threads, threads);
        if !seen.may_have_waited() && self.open.is_zero() {
            return;
        }
        let idle = interval.passed.saturating_sub(interval.used);
        let at_most = |others: &mut OtherLoad| others.at_most(interval.passed, interval.used_so_far);
        let idle = self.others.as_mut().map_or(idle, |others| idle.min(at_most(others)));
        let open = self.open + idle;
        if seen.still_waits {
            if self.open.is_zero() {
                self.opened = last;
            }
            self.open = open;
            self.used_meanwhile += interval.used;
        } else {
            let known = if seen.lost { seen.known.max(self.open) } else { seen.known };
            let settled = known.min(open);
            self.settled += settled;
            (self.open, self.used_meanwhile, self.opened) = match seen.is_runnable {
                true => (idle.min(open - settled), interval.used, last),
                false => Default::default(),
            };
        }
        let waited = self.total().saturating_sub(before);
        self.others.iter_mut().for_each(|others| others.take(waited));
    }

    /// Notes the state of all threads after an interval in which the referee itself did not run. Returns true if the job
    /// is considered to have waited meanwhile.
    pub(super) fn note_unseen(&mut self, threads: Threads, interval: Interval) -> bool {
        let is_runnable = threads.values().any(|thread| thread.is_runnable);
        if is_runnable {
            self.settled += interval.passed.saturating_sub(interval.used);
        }
        self.settled += std::mem::take(&mut self.open);
        (self.threads, self.used_meanwhile) = (threads, Duration::ZERO);
        is_runnable
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    is_runnable: bool,
    /// A thread could run both times, and had no core in between.
    still_waits: bool,
    /// A thread that could run has ended.
    lost: bool,
    /// Time that threads waited for cores that others had.
    known: Duration,
}

impl Seen {
    /// `used` is the CPU time that the job used since `opened`, when the first of the waits that are now over began.
    fn between(before: &Threads, opened: &Threads, after: &Threads, used: Duration) -> Seen {
        let mut seen = Seen { lost: before.iter().any(is_lost(after)), ..Seen::default() };
        // Threads that start to wait together wait at the same time, one after another at different times. The sum of
        // the two longest waits is right for two threads that wait for each other's results.
        let mut longest = [Duration::ZERO; 2];
        for (number, thread) in after {
            let earlier = before.get(number).copied().unwrap_or_default();
            // The number may be another thread's now.
            let is_same = earlier.ran <= thread.ran && earlier.delayed <= thread.delayed;
            let earlier = if is_same { earlier } else { Thread::default() };
            let (ran, delayed) = (thread.ran - earlier.ran, thread.delayed - earlier.delayed);
            seen.is_runnable |= thread.is_runnable;
            seen.still_waits |= thread.is_runnable && earlier.is_runnable && ran.is_zero() && delayed.is_zero();
            // While the job's other threads ran, they were what it waited for.
            let own = opened.get(number).map_or(Duration::ZERO, |opened| opened.ran);
            let ran_meanwhile = if is_same { thread.ran.saturating_sub(own) } else { ran };
            let mut waited = delayed.saturating_sub(used.saturating_sub(ran_meanwhile));
            for longest in &mut longest {
                (*longest, waited) = ((*longest).max(waited), (*longest).min(waited));
            }
        }
        seen.known = longest.iter().sum();
        seen
    }

    fn may_have_waited(self) -> bool {
        self.is_runnable || self.lost || !self.known.is_zero()
    }
}

/// Returns true for a thread that could run and is not among these.
fn is_lost(after: &Threads) -> impl Fn((&u32, &Thread)) -> bool {
    |(number, thread)| thread.is_runnable && !after.contains_key(number)
}

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

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// Numbers of milliseconds: what passed, and for each thread what it ran and waited in all, and whether it can run.
    type Step<'a> = (u64, &'a [(u64, u64, bool)]);

    /// Total milliseconds of waiting, after each step.
    fn waited(steps: &[Step]) -> Vec<u128> {
        let mut starvation = Starvation::default();
        let (mut used, mut totals) = (Duration::ZERO, Vec::new());
        for (passed, threads) in steps {
            let state = |&(ran, delayed, is_runnable): &(u64, u64, bool)| Thread {
                ran: millis(ran),
                delayed: millis(delayed),
                is_runnable,
            };
            let so_far = millis(threads.iter().map(|thread| thread.0).sum());
            let interval = Interval { passed: millis(*passed), used: so_far.saturating_sub(used), used_so_far: so_far };
            used = used.max(so_far);
            starvation.note((0..).zip(threads.iter().map(state)).collect(), interval);
            totals.push(starvation.total().as_millis());
        }
        totals
    }

    #[test]
    fn a_thread_waits_from_the_moment_it_can_run_to_its_turn() {
        let still = |delayed| (20, [(5, delayed, false)]);
        assert_eq!(waited(&[(20, &[(5, 0, false)]), (20, &still(0).1)]), [0, 0], "it runs and sleeps");
        assert_eq!(waited(&[(20, &[(5, 10, false)]), (20, &still(10).1)]), [10, 10], "it waits, runs and sleeps");
        let spinning: &[Step] = &[
            (20, &[(3, 10, true)]),
            (20, &[(3, 10, true)]),
            (20, &[(3, 10, true)]),
            (20, &[(6, 64, true)]),
            (20, &[(6, 64, true)]),
            (20, &[(9, 91, false)]),
        ];
        assert_eq!(waited(spinning), [17, 37, 57, 74, 94, 91], "it never sleeps but at the end");
        assert_eq!(
            waited(&[(20, &[(3, 0, true)]), (20, &[(4, 1, false)]), (20, &[(4, 1, false)])]),
            [17, 1, 1],
            "it slept"
        );
        assert_eq!(waited(&[(20, &[(0, 0, true)]), (20, &[]), (20, &[])]), [20, 20, 20], "it waited, ran and ended");
    }

    #[test]
    fn threads_that_keep_each_other_waiting_are_not_kept_by_others() {
        // In each step, each of them runs for 1 ms on one of two cores.
        let storm = |step: u64| -> Vec<(u64, u64, bool)> {
            (0..20).map(|number| (step, step * number / 2, step.is_multiple_of(2) && number == 3)).collect()
        };
        let steps: Vec<_> = (1..50).map(storm).collect();
        let steps: Vec<Step> = steps.iter().map(|threads| (100, &threads[..])).collect();
        let totals = waited(&steps);
        assert!(totals.iter().all(|&total| total <= 100), "at most the last step: {totals:?}");
    }

    #[test]
    fn time_in_which_the_job_ran_is_its_own() {
        assert_eq!(waited(&[(20, &[(20, 0, true), (20, 0, true), (0, 20, true)])]), [0], "on two cores");
        assert_eq!(waited(&[(20, &[(4, 12, false), (4, 8, false)])]), [12], "two threads that take turns");
        assert_eq!(waited(&[(20, &[(2, 16, true), (2, 16, true)])]), [16], "two threads that wait for others");
    }

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
