//! Meters of a job's CPU time.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use perf_event::events::Software;
use perf_event::{Builder, Counter};

use super::cgroup::ControlGroup;
use super::job::CpuTime;
use kingline::clock::Clock;

#[derive(Debug)]
pub(super) enum Meter {
    /// Total of a control group: microseconds in `cpu.stat`.
    CgroupV2(File),
    /// Total of all descendants of the thread that created the counter.
    Perf(Counter),
    /// Total of a single process, until it is reaped.
    Process(ClockId),
}

impl Meter {
    pub(super) fn of_group(group: &ControlGroup) -> io::Result<Meter> {
        let path = group.file("cpu.stat");
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        File::open(&path).map(Meter::CgroupV2).map_err(named)
    }

    /// Starts counting when a child of the calling thread executes a program.
    pub(super) fn of_children() -> io::Result<Meter> {
        let mut builder = Builder::new(Software::TASK_CLOCK);
        Ok(Meter::Perf(builder.inherit(true).enable_on_exec(true).build()?))
    }

    pub(super) fn of_process(pid: u32) -> io::Result<Meter> {
        Ok(Meter::Process(clock_getcpuclockid(Pid::from_raw(pid.cast_signed()))?))
    }

    /// Reads the total so far. Only control groups tell user time apart.
    pub(super) fn read(&mut self, counts: CpuTime) -> io::Result<Duration> {
        match self {
            Meter::CgroupV2(file) => {
                let mut buffer = [0; 1024];
                let length = file.read_at(&mut buffer, 0)?;
                let text = String::from_utf8_lossy(&buffer[..length]);
                let name = if counts == CpuTime::User { "user_usec " } else { "usage_usec " };
                let usage = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
                usage.map(Duration::from_micros).ok_or_else(|| io::Error::other(format!("cpu.stat has no {name}")))
            }
            Meter::Perf(counter) => counter.read().map(Duration::from_nanos),
            Meter::Process(clock) => Ok(clock_gettime(*clock)?.into()),
        }
    }
}

/// A process that has ended, as the kernel reports it to the parent (Linux `wait4(2)`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) status: ExitStatus,
    /// CPU time that it and its reaped descendants used, including the cost of their exits.
    pub(super) cpu: Duration,
    /// Largest resident memory of one of these processes in bytes. It includes that of its parent before it executed a
    /// program.
    pub(super) most_memory: u64,
}

/// Waits for a process that has not been reaped yet.
pub(super) fn reap(child: &Child) -> io::Result<Reaped> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers have the types that the call writes, and live until it returns.
        #[expect(unsafe_code, reason = "no safe library offers wait4")]
        let reaped = unsafe { libc::wait4(child.id().cast_signed(), &raw mut status, 0, usage.as_mut_ptr()) };
        match Errno::result(reaped) {
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => break,
        }
    }
    // SAFETY: it was zeroed before the call, and zero is valid for each of its fields.
    #[expect(unsafe_code, reason = "the call fills the structure")]
    let usage = unsafe { usage.assume_init() };
    let times = [usage.ru_utime, usage.ru_stime].map(TimeVal::from);
    let microseconds = times.iter().map(|time| time.num_microseconds().unsigned_abs()).sum();
    Ok(Reaped {
        status: ExitStatus::from_raw(status),
        cpu: Duration::from_micros(microseconds),
        most_memory: usage.ru_maxrss.unsigned_abs() << 10,
    })
}

/// Time that a thread spends in its program, and then again in the kernel.
const HALF: Duration = Duration::from_micros(200);
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
            // The reading was right by chance, or only one core counts exactly.
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
