//! A program to run, and its limits.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A program to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Arguments, without the program name.
    pub arguments: Vec<OsString>,
    /// Paths that it may read and execute in addition to those in the policy: its own folder.
    pub readable: Vec<PathBuf>,
    /// Its complete standard input.
    pub input: Vec<u8>,
    /// Destination of its standard output.
    pub output: Output,
    /// Limits on what it uses.
    pub limits: JobLimits,
}

/// Destination of a job's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// It is discarded.
    Discard,
    /// Kept up to a limit; the rest is read and discarded. A long-lived process loses no lines: it blocks until they
    /// are read, and is ended only if a single line exceeds the limit.
    Keep {
        /// Maximum number of bytes kept.
        bytes: usize,
    },
}

/// Part of the CPU time that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CpuTime {
    /// Time of the program and of the kernel on its behalf.
    #[default]
    UserAndSystem,
    /// Time of the program alone. Tiers without control groups cannot tell it apart, and count both.
    User,
}

/// Limits on what a job uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobLimits {
    /// CPU time of all its threads and descendants; `None`: unlimited.
    pub cpu: Option<Duration>,
    /// Part of the CPU time that counts.
    pub counts: CpuTime,
    /// The job's own wall time; see [`WallTime`](super::WallTime).
    pub wall: Duration,
    /// Time that it may wait for cores before the referee gives up; `None`: many times its wall time.
    pub waiting: Option<Duration>,
    /// Bytes of memory.
    pub memory: u64,
    /// Number of processes and threads at any time.
    pub processes: u32,
    /// Number of files that a process may have open at any time.
    pub open_files: u64,
    /// Size of a single file in bytes.
    pub file_size: u64,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        let wall = Duration::from_secs(60);
        let (memory, processes, open_files, file_size) = (4 << 30, 512, 1024, 256 << 20);
        JobLimits {
            cpu: None,
            counts: CpuTime::default(),
            wall,
            waiting: None,
            memory,
            processes,
            open_files,
            file_size,
        }
    }
}

impl Job {
    /// Returns true if the jobs differ only in input and time limits.
    pub(super) fn is_like(&self, other: &Job) -> bool {
        let Job { program, arguments, readable, input: _, output, limits } = other;
        let JobLimits { cpu, wall, waiting, .. } = self.limits;
        let own = (&self.program, &self.arguments, &self.readable, self.output);
        own == (program, arguments, readable, *output) && self.limits == JobLimits { cpu, wall, waiting, ..*limits }
    }
}
