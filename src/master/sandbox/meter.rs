//! How much CPU time has a job used by now?

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use nix::time::{ClockId, clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use perf_event::events::Software;
use perf_event::{Builder, Counter};

use super::cgroup::ControlGroup;

/// A running total of CPU time.
#[derive(Debug)]
pub(super) enum Meter {
    /// Of a control group, cgroup v2: microseconds in `cpu.stat`.
    CgroupV2(File),
    /// Of a control group, cgroup v1: nanoseconds in `cpuacct.usage`.
    CpuAcct(File),
    /// Of the children, and all their descendants, of the thread that made it.
    Perf(Counter),
    /// Of one process, until it is reaped.
    Process(ClockId),
}

impl Meter {
    pub(super) fn of_v2(group: &ControlGroup) -> io::Result<Meter> {
        Ok(Meter::CgroupV2(open(&group.file("cpu.stat"))?))
    }

    pub(super) fn of_acct(group: &ControlGroup) -> io::Result<Meter> {
        Ok(Meter::CpuAcct(open(&group.file("cpuacct.usage"))?))
    }

    /// Counts from the next program that a child of the calling thread executes.
    pub(super) fn of_children() -> io::Result<Meter> {
        let mut builder = Builder::new(Software::TASK_CLOCK);
        Ok(Meter::Perf(builder.inherit(true).enable_on_exec(true).build()?))
    }

    pub(super) fn of_process(pid: u32) -> io::Result<Meter> {
        Ok(Meter::Process(clock_getcpuclockid(Pid::from_raw(pid.cast_signed()))?))
    }

    /// The total so far.
    pub(super) fn read(&mut self) -> io::Result<Duration> {
        let mut buffer = [0; 1024];
        match self {
            Meter::CgroupV2(file) => {
                let text = text(file, &mut buffer)?;
                let usage = text.lines().find_map(|line| line.strip_prefix("usage_usec "));
                number(usage.unwrap_or_default()).map(Duration::from_micros)
            }
            Meter::CpuAcct(file) => number(text(file, &mut buffer)?).map(Duration::from_nanos),
            Meter::Perf(counter) => counter.read().map(Duration::from_nanos),
            Meter::Process(clock) => Ok(clock_gettime(*clock)?.into()),
        }
    }
}

/// CPU time of a process, and of its descendants that were waited for, until it is reaped; in whole clock ticks.
pub(super) fn waited_for(pid: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything. The times are fields 14 to 17, the state after the name field 3.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks =
        fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second()).ok()?)
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
    trimmed.parse().map_err(|_| io::Error::other(format!("found \"{trimmed}\", expected CPU time in a number")))
}
