//! Does the kernel count user time exactly, or does it only sample it?
//!
//! Most kernels look at each tick, every 1 to 10 ms, whether a thread runs in its program or in the kernel, and divide its
//! exact CPU time in that proportion (`CONFIG_TICK_CPU_ACCOUNTING`). A program that sleeps or calls the kernel at each
//! tick has no user time. Kernels with `CONFIG_VIRT_CPU_ACCOUNTING` count at each transition; on most machines they do so
//! only on the cores that `nohz_full` names.
//!
//! A thread that is much shorter than a tick tells which: half of its time is its program's and half is the kernel's, but
//! at most one tick sees it, so sampling reports all of it as one of them.

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;

use kingline::clock::Clock;

/// Time that a thread spends in its program, and then again in the kernel.
const HALF: Duration = Duration::from_micros(200);
/// Threads on each core.
const TRIES: usize = 3;

/// User and system time of a thread, as the kernel counts them.
type Split = [Duration; 2];

/// Returns true if the kernel counts user time exactly on all cores of this process. Measures it once.
pub(super) fn is_exact() -> bool {
    static EXACT: OnceLock<bool> = OnceLock::new();
    *EXACT.get_or_init(|| {
        let all = sched_getaffinity(Pid::from_raw(0)).unwrap_or_default();
        let cores = (0..CpuSet::count()).filter(|&core| all.is_set(core).unwrap_or_default());
        let splits: Vec<Option<Split>> = cores.flat_map(|core| [core; TRIES]).map(split_on).collect();
        are_exact(&splits)
    })
}

/// Returns true if the kernel saw both halves of every thread.
fn are_exact(splits: &[Option<Split>]) -> bool {
    let saw_both = |split: &Option<Split>| split.is_some_and(|[user, system]| user.min(system) >= HALF / 4);
    !splits.is_empty() && splits.iter().all(saw_both)
}

/// Runs a thread on this core.
fn split_on(core: usize) -> Option<Split> {
    let run = move || {
        let mut only = CpuSet::new();
        only.set(core).and_then(|()| sched_setaffinity(Pid::from_raw(0), &only)).ok()?;
        let start = Clock::Thread.now();
        while Clock::Thread.now() < start + HALF {
            std::hint::black_box((0..1000).fold(0_u64, |sum, number| sum ^ std::hint::black_box(number)));
        }
        while Clock::Thread.now() < start + 2 * HALF {
            (0..20).for_each(|_| drop(std::fs::metadata("/")));
        }
        let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
        let times = [usage.user_time(), usage.system_time()];
        Some(times.map(|time| Duration::from_micros(time.num_microseconds().unsigned_abs())))
    };
    thread::spawn(run).join().ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_samples_sees_one_half_of_a_short_thread() {
        let split = |user, system| Some([user, system].map(Duration::from_micros));
        for (splits, exact) in [
            (&[split(215, 190), split(260, 150)][..], true),
            (&[split(403, 0), split(0, 401), split(402, 0)], false),
            // By luck, or since only one core counts exactly.
            (&[split(210, 195), split(402, 0)], false),
            (&[split(210, 195), None], false),
            (&[], false),
        ] {
            assert_eq!(are_exact(splits), exact, "{splits:?}");
        }
        let split = split_on((0..CpuSet::count()).find(|&core| allowed(core)).expect("a core")).expect("a thread");
        let sum: Duration = split.iter().sum();
        assert!(sum >= 2 * HALF - Duration::from_micros(10), "{split:?}");
    }

    fn allowed(core: usize) -> bool {
        sched_getaffinity(Pid::from_raw(0)).is_ok_and(|all| all.is_set(core).unwrap_or_default())
    }
}
