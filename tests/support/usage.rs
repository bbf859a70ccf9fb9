//! CPU time and memory of a program.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// Resources that a run of a program took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramUsage {
    /// CPU time, user and system.
    pub(crate) cpu: Duration,
    /// Peak memory in bytes, sampled every few milliseconds.
    pub(crate) memory: u64,
}

impl ProgramUsage {
    /// Runs a command to its end, which must be a success. No other child of this process may end meanwhile.
    pub(crate) fn of(command: &mut Command) -> ProgramUsage {
        let before = cpu_of_children();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("a program that starts");
        let mut memory = 0;
        let status = loop {
            memory = peak_memory(&child).unwrap_or(memory);
            match child.try_wait().expect("a child") {
                Some(status) => break status,
                None => sleep(Duration::from_millis(5)),
            }
        };
        assert!(status.success(), "{command:?}: {status}");
        ProgramUsage { cpu: cpu_of_children() - before, memory }
    }
}

/// Peak memory in bytes so far; `None` once the process has ended.
fn peak_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// CPU time of all children that have ended, user and system.
pub(crate) fn cpu_of_children() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("a usage");
    let times = [usage.user_time(), usage.system_time()];
    times.iter().map(|time| Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs())).sum()
}
