//! Meters of a job's CPU time.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sys::time::{TimeVal, TimeValLike};
use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use perf_event::events::Software;
use perf_event::{Builder, Counter};

use super::cgroup::ControlGroup;
use super::job::CpuTime;

/// A running total of CPU time.
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
///
/// # Errors
/// It is not a child of this process.
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
