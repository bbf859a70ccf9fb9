//! Meters of a job's CPU time.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
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
    /// Total of a control group, from cgroup v2: microseconds in `cpu.stat`.
    CgroupV2(File),
    /// Total of a control group, from cgroup v1: nanoseconds in `cpuacct.usage` and, since Linux 4.7, `cpuacct.usage_user`.
    CpuAcct { usage: File, user: Option<File> },
    /// Total of all descendants of the thread that created the counter.
    Perf(Counter),
    /// Total of a single process, until it is reaped.
    Process(ClockId),
}

impl Meter {
    pub(super) fn of_v2(group: &ControlGroup) -> io::Result<Meter> {
        Ok(Meter::CgroupV2(open(&group.file("cpu.stat"))?))
    }

    pub(super) fn of_acct(group: &ControlGroup) -> io::Result<Meter> {
        let user = open(&group.file("cpuacct.usage_user")).ok();
        Ok(Meter::CpuAcct { usage: open(&group.file("cpuacct.usage"))?, user })
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
        let mut buffer = [0; 1024];
        match self {
            Meter::CgroupV2(file) => {
                let text = text(file, &mut buffer)?;
                let name = if counts == CpuTime::User { "user_usec " } else { "usage_usec " };
                let usage = text.lines().find_map(|line| line.strip_prefix(name));
                number(usage.unwrap_or_default()).map(Duration::from_micros)
            }
            Meter::CpuAcct { usage, user } => {
                let user = user.as_ref().filter(|_| counts == CpuTime::User);
                number(text(user.unwrap_or(usage), &mut buffer)?).map(Duration::from_nanos)
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

fn open(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn text<'a>(file: &File, buffer: &'a mut [u8]) -> io::Result<&'a str> {
    let length = file.read_at(buffer, 0)?;
    std::str::from_utf8(&buffer[..length]).map_err(io::Error::other)
}

fn number(text: &str) -> io::Result<u64> {
    let trimmed = text.trim();
    trimmed.parse().map_err(|_| io::Error::other(format!("found \"{trimmed}\", expected CPU time as a number")))
}
