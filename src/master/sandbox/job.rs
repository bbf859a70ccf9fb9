//! A program to run, and its limits.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::stop::StopFlag;
use kingline::game::ParseError;

/// A program to run.
#[derive(Clone, Debug, Default)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// It is discarded.
    #[default]
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
        JobLimits {
            cpu: None,
            counts: CpuTime::default(),
            wall: Duration::from_secs(60),
            waiting: None,
            memory: 4 << 30,
            processes: 512,
            open_files: 1024,
            file_size: 256 << 20,
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

/// The result of a job.
#[derive(Clone, Debug)]
pub struct Run {
    /// The way in which the job ended.
    pub end: JobEnd,
    /// The working directory, as the job saw it.
    pub folder: PathBuf,
    /// True if no other job of this process ran at the same time.
    pub was_alone: bool,
    /// CPU time of all its threads and descendants, as far as it counts.
    pub cpu: Duration,
    /// Wall time from the start of the agent's program to its end, less `waited` and `unseen`.
    pub wall: Duration,
    /// Wall time that it spent waiting for a core.
    pub waited: Duration,
    /// Wall time in which the referee could not tell whether it was waiting or asleep.
    pub unseen: Duration,
    /// Peak use of each resource.
    pub peak: Peak,
    /// Its standard output, if it was kept.
    pub stdout: Vec<u8>,
    /// Its standard error: all of it up to 16 KiB, otherwise the first and last 8 KiB with a line between them.
    pub stderr: Vec<u8>,
}

impl Run {
    /// Text that the job printed, with paths as its author knows them: relative to the working directory.
    pub(crate) fn text(&self, printed: &[u8]) -> String {
        let folder = self.folder.to_string_lossy();
        String::from_utf8_lossy(printed).replace(&format!("{folder}/"), "").replace(&*folder, ".")
    }
}

/// The way in which a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal. In the first process of a namespace, which an agent may be, `abort` ends in
    /// SIGSEGV.
    Signalled(i32),
    /// It used up its CPU time.
    OverCpu,
    /// It used up its wall time by sleeping, or by waiting forever.
    OverWall,
    /// It waited for a core for so long that the referee gave up, which is not the agent's fault.
    Starved,
    /// It used up its memory.
    OverMemory,
    /// The kernel ended it because the machine had no more memory, although the job was within its limit. This is not
    /// the agent's fault.
    MachineOutOfMemory,
    /// It filled its working directory.
    OverDisk,
    /// It printed a line that was too long.
    OverOutput,
    /// Its program could not be started, for this reason.
    NotStarted(String),
}

/// A job's peak use of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Peak {
    /// Memory in bytes, including files in memory; absent if this machine does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Number of processes and threads, sampled every 20 ms.
    pub processes: u32,
    /// Bytes in its working directory.
    pub disk: u64,
}

impl Peak {
    /// Returns the larger value for each resource.
    pub fn max_of(self, other: Peak) -> Peak {
        Peak {
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
            disk: self.disk.max(other.disk),
        }
    }
}

impl JobEnd {
    /// Returns true if the machine is to blame.
    pub fn is_machines(&self) -> bool {
        matches!(self, JobEnd::Starved | JobEnd::MachineOutOfMemory)
    }
}

impl fmt::Display for JobEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobEnd::Exited(code) => write!(f, "exit code {code}"),
            JobEnd::Signalled(number) => match Signal::try_from(*number) {
                Ok(signal) => write!(f, "ended by {signal}"),
                Err(_) => write!(f, "ended by signal {number}"),
            },
            JobEnd::OverCpu => f.write_str("CPU time used up"),
            JobEnd::OverWall => f.write_str("hung"),
            JobEnd::Starved => f.write_str("the machine was too busy to run it"),
            JobEnd::OverMemory => f.write_str("out of memory"),
            JobEnd::MachineOutOfMemory => f.write_str("the machine ran out of memory"),
            JobEnd::OverDisk => f.write_str("working directory full"),
            JobEnd::OverOutput => f.write_str("printed a line that is too long"),
            JobEnd::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}

/// Requirements for the machine, and what agents may see of it.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The only acceptable way to read CPU time; `None`: the best one available.
    pub tier: Option<Tier>,
    /// The weakest acceptable way to read CPU time.
    pub weakest: Tier,
    /// Paths that every agent may read and execute in addition to the system's programs, e.g. a toolchain.
    pub readable: Vec<PathBuf>,
    /// Files and folders hidden from all agents even inside a folder that an agent sees: other agents and results.
    pub hidden: Vec<PathBuf>,
    /// A program whose `main` begins with [`launched`](super::launched); by default this one.
    pub launcher: PathBuf,
    /// Flag that ends all jobs.
    pub stop: StopFlag,
}

impl Default for Policy {
    fn default() -> Policy {
        let launcher = PathBuf::from("/proc/self/exe");
        let stop = StopFlag::default();
        Policy { tier: None, weakest: Tier::Rusage, readable: Vec::new(), hidden: Vec::new(), launcher, stop }
    }
}

/// A way to read the CPU time of an agent and its descendants. Later variants are better.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = ParseError, parse_err_fn = unknown_tier)]
pub enum Tier {
    /// The usage of a single process. It excludes descendants, so agents cannot have any.
    Rusage,
    /// A counter that every descendant inherits. A program that makes itself unreadable escapes it.
    Perf,
    /// The usage of a control group of cgroup v2, which no process can leave.
    CgroupV2,
}

impl Tier {
    /// All tiers, best first.
    pub const ALL: [Tier; 3] = [Tier::CgroupV2, Tier::Perf, Tier::Rusage];

    /// Name used on command lines and in results.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn unknown_tier(text: &str) -> ParseError {
    ParseError::new(text, Tier::ALL.map(Tier::name).join(", "))
}

/// A failure of the sandbox itself, never an agent's fault.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// This machine's best tier is weaker than the policy allows.
    #[error("the best way to read CPU time here is {found}, but {weakest} or better is required")]
    TooWeak {
        /// This machine's best tier.
        found: Tier,
        /// The tier that the policy requires.
        weakest: Tier,
    },
    /// A tier is not available, for this reason.
    #[error("CPU time cannot be read through {0} here: {1}")]
    Unavailable(Tier, String),
    /// Agents would have only this many bytes of memory together.
    #[error(
        "agents have {} MiB of memory here, expected at least 48 MiB; help: give this machine or this program's control \
         group more memory",
        .0 >> 20
    )]
    TooLittleMemory(u64),
    /// A system call failed: the attempted action and the error.
    #[error("{0}: {1}")]
    System(String, io::Error),
    /// The stop flag was set, and the job was ended.
    #[error("stopped")]
    Stopped,
}

impl SandboxError {
    pub(super) fn system(what: impl Into<String>, error: impl Into<io::Error>) -> SandboxError {
        SandboxError::System(what.into(), error.into())
    }
}
