//! How are untrusted programs run? Confined, measured, and ended with everything that they started.
//!
//! Every job is this program again, as a launcher that gives up whatever an agent must not have and then becomes the
//! agent: a user of its own (as root), a process namespace of its own, no network, no file but its own folder, limits
//! on what it may use. The referee watches from outside.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `tier` | how CPU time is read, and how far that can be trusted |
//! | `capabilities` | with which means of this machine agents are confined and measured |
//! | `survey` | what this machine offers, by really trying |
//! | `gaps` | what is missing, and how it can be had |
//! | `namespaces` | what of the system a thread's children can see |
//! | `cgroup` | which processes belong together, what they use, how they end |
//! | `users` | as whom an agent runs |
//! | `view` | what it sees of the file system |
//! | `meter` | how much CPU time a job has used by now |
//! | `home` | where an agent lives: folder, user, control groups |
//! | `launch_spec`, `launch`, `confine`, `calls` | how a launcher becomes an agent, and what it gives up |
//! | `unreadable` | whether a program could get rid of the counter that reads its CPU time |
//! | `supervisor` | how a job is watched until it ends |
//! | `streams` | how one writes to a job and reads from it |
//! | `stopwatch` | how much wall time is its own |
//! | `launcher_log` | what a launcher, and then its agent, write to standard error |
//! | `process` | how one talks to an agent that keeps running |
//! | `folder` | how files an agent may have made are handled without surprises |

mod calls;
mod capabilities;
mod cgroup;
mod confine;
mod folder;
mod gaps;
mod home;
mod launch;
mod launch_spec;
mod launcher_log;
mod meter;
mod namespaces;
mod precedence;
mod process;
mod stopwatch;
mod streams;
mod supervisor;
mod survey;
mod tier;
mod unreadable;
mod users;
mod view;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use folder::{UntrustedFileError, read_untrusted};
pub use gaps::{Gap, Survey};
pub use launch::launched;
pub use namespaces::enter_user_namespace;
pub use process::{LineTimeout, NextLine, Process};
pub use stopwatch::WallTime;
pub use survey::Trial;
pub use tier::Tier;

use capabilities::Capabilities;
use home::Home;
use launch_spec::Task;
use supervisor::Supervisor;

use super::stop::StopFlag;

/// What is required of the machine.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The only acceptable way to read CPU time; `None`: the best there is.
    pub tier: Option<Tier>,
    /// The weakest acceptable way.
    pub weakest: Tier,
    /// What every agent may read and execute besides the system's programs: a toolchain, say.
    pub readable: Vec<PathBuf>,
    /// Folders and files that no agent sees, also where it sees what they are in: other agents, results.
    pub hidden: Vec<PathBuf>,
    /// A program whose `main` starts with [`launched`]; by default this one.
    pub launcher: PathBuf,
    /// Ends all jobs when it is set.
    pub stop: StopFlag,
}

/// What this machine offers to confine agents; found out once, shared by all threads.
#[derive(Clone, Debug)]
pub struct Sandbox {
    capabilities: Arc<Capabilities>,
}

/// Where one agent runs: its working directory, its user, its limits. It belongs to the thread that made it: if the
/// working directory is a file system of its own, only that thread sees it.
#[derive(Debug)]
pub struct Cell {
    home: Rc<Home>,
    /// A launcher that waits, and the job that it was started for.
    ready: Option<(Job, Supervisor)>,
}

/// What an agent may write in its working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskLimit {
    /// Bytes of all files together.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
}

/// A program to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// By its absolute path.
    pub program: PathBuf,
    /// Without the program's name.
    pub arguments: Vec<OsString>,
    /// What it may read and execute besides what the policy allows: its own folder.
    pub readable: Vec<PathBuf>,
    /// Its whole standard input.
    pub input: Vec<u8>,
    /// What happens to its standard output.
    pub output: Output,
    /// What it may use.
    pub limits: JobLimits,
}

/// What happens to a standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// It is thrown away.
    Discard,
    /// It is kept, up to this many bytes; what a program prints beyond is read and thrown away. The lines of a long-lived
    /// process are not: it waits until they are read, and is ended only for a line that is longer.
    Keep {
        /// The most bytes kept.
        bytes: usize,
    },
}

/// What a job may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobLimits {
    /// CPU time of all its threads and descendants; `None`: unlimited.
    pub cpu: Option<Duration>,
    /// Wall time of its own, see [`WallTime`].
    pub wall: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads at the same time.
    pub processes: u32,
    /// Files that one process has open at the same time.
    pub open_files: u64,
    /// Bytes of a single file.
    pub file_size: u64,
}

/// The most of each resource that a job had at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peak {
    /// Bytes of memory, with its files; `None`: this machine does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Processes and threads, as far as they were seen: the referee looks every 20 ms.
    pub processes: u32,
    /// Bytes in its working directory.
    pub disk: u64,
}

/// How a job went.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: JobEnd,
    /// CPU time of all its threads and descendants.
    pub cpu: Duration,
    /// From the start of the agent's program to its end, less the next two.
    pub wall: Duration,
    /// Wall time in which it waited for a core.
    pub waited: Duration,
    /// Wall time of which the referee does not know whether it waited or slept.
    pub unseen: Duration,
    /// What it had at most.
    pub peak: Peak,
    /// Its standard output, if kept.
    pub stdout: Vec<u8>,
    /// The last 4 KiB of its standard error.
    pub stderr: Vec<u8>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal. In the first process of a namespace, which an agent may be, `abort` ends in SIGSEGV.
    Signalled(i32),
    /// It used up its CPU time.
    OverCpu,
    /// It used up its wall time: asleep, or waiting forever.
    OverWall,
    /// It waited for a core for so long that it was given up: no fault of its own.
    Starved,
    /// It used up its memory.
    OverMemory,
    /// It filled its working directory.
    OverDisk,
    /// It printed a line that is too long.
    OverOutput,
    /// Its program could not be started: why.
    NotStarted(String),
}

/// Why the sandbox itself fails; never an agent's fault.
#[derive(Debug)]
pub enum SandboxError {
    /// The best tier here is weaker than the policy allows.
    TooWeak {
        /// The best there is.
        found: Tier,
        /// What the policy asks for.
        weakest: Tier,
    },
    /// This tier is not available: why.
    Unavailable(Tier, String),
    /// A system call failed: what was tried, and why it failed.
    System(String, io::Error),
    /// The stop flag was set; the job is ended.
    Stopped,
}

impl Peak {
    /// The larger of each.
    pub fn max_of(self, other: Peak) -> Peak {
        Peak {
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
            disk: self.disk.max(other.disk),
        }
    }
}

impl Default for Policy {
    fn default() -> Policy {
        let launcher = PathBuf::from("/proc/self/exe");
        let stop = StopFlag::default();
        Policy { tier: None, weakest: Tier::Rusage, readable: Vec::new(), hidden: Vec::new(), launcher, stop }
    }
}

impl Default for DiskLimit {
    fn default() -> DiskLimit {
        DiskLimit { bytes: 256 << 20, files: 4096 }
    }
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        let wall = Duration::from_secs(60);
        JobLimits { cpu: None, wall, memory: 4 << 30, processes: 512, open_files: 1024, file_size: 256 << 20 }
    }
}

impl Sandbox {
    /// Finds out what this machine offers, by trying it.
    ///
    /// # Errors
    /// No way to read CPU time is as good as the policy requires.
    pub fn open(policy: &Policy) -> Result<Sandbox, SandboxError> {
        Ok(Sandbox { capabilities: Arc::new(Capabilities::find(policy)?) })
    }

    /// How CPU time is read.
    pub fn tier(&self) -> Tier {
        self.capabilities.tier
    }

    /// How CPU time is read, for records; whether results can be official is part of it.
    pub fn measurement(&self) -> String {
        let tier = self.tier();
        if self.is_official() { tier.to_string() } else { format!("{tier}, unofficial") }
    }

    /// Whether results can be official: an agent may start processes, and can leave nothing for its next game.
    pub fn is_official(&self) -> bool {
        self.tier() >= Tier::Perf && self.capabilities.keeps_games_apart()
    }

    /// What this machine offers, and what is missing.
    pub fn survey(&self) -> Survey {
        self.capabilities.survey()
    }

    /// Tests how exactly CPU time is read, with a program that uses this much of it.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn trial(&self, time: Duration) -> Result<Trial, SandboxError> {
        Trial::of(&self.capabilities, time)
    }

    /// A cell for one agent, whose working directory is `name` in `run_folder`. The calling thread gets namespaces of
    /// its own on its first call: from then on it has no network.
    ///
    /// # Errors
    /// The directory or the limits cannot be set up.
    pub fn cell(&self, run_folder: &Path, name: &str, disk: DiskLimit) -> Result<Cell, SandboxError> {
        Ok(Cell { home: Rc::new(Home::new(&self.capabilities, run_folder, name, disk)?), ready: None })
    }
}

impl Cell {
    /// The agent's working directory. The caller can read and write it, and should do so by the methods here: an agent
    /// may have left anything in it.
    pub fn dir(&self) -> &Path {
        self.home.dir()
    }

    /// Runs a job until it and everything that it started has ended.
    ///
    /// # Errors
    /// The sandbox fails. What the agent does is not an error but a [`JobEnd`].
    pub fn run(&mut self, job: &Job) -> Result<Run, SandboxError> {
        let mut supervisor = self.begin(job)?;
        supervisor.streams.give(&job.input);
        supervisor.streams.close_input();
        supervisor.finish()
    }

    /// The same for one of many jobs that differ only in input and time limits. The launcher of the next one is started
    /// in advance, since joining a control group can take some milliseconds.
    ///
    /// # Errors
    /// See [`run`](Cell::run).
    pub fn run_in_turn(&mut self, job: &Job) -> Result<Run, SandboxError> {
        let run = self.run(job)?;
        let next = Job { input: Vec::new(), ..job.clone() };
        // If this fails, the next turn tries again, and reports the error.
        let launcher = Supervisor::start(Rc::clone(&self.home), &next, Task::Agent);
        self.ready = launcher.ok().map(|supervisor| (next, supervisor));
        Ok(run)
    }

    /// Starts a job that keeps running; its `input` is the first thing it reads.
    ///
    /// # Errors
    /// See [`run`](Cell::run).
    pub fn start(&mut self, job: &Job) -> Result<Process, SandboxError> {
        let mut supervisor = self.begin(job)?;
        supervisor.streams.give(&job.input);
        Ok(Process::new(supervisor))
    }

    /// Starts a job, with the launcher that waits if it fits.
    fn begin(&mut self, job: &Job) -> Result<Supervisor, SandboxError> {
        let ready = self.ready.take().filter(|(like, supervisor)| like.is_like(job) && supervisor.is_running());
        let mut supervisor = match ready {
            Some((_, supervisor)) => supervisor,
            None => Supervisor::start(Rc::clone(&self.home), job, Task::Agent)?,
        };
        supervisor.go(job.limits);
        Ok(supervisor)
    }
}

impl Job {
    /// Whether they differ only in input and time limits.
    fn is_like(&self, other: &Job) -> bool {
        let Job { program, arguments, readable, input: _, output, limits } = other;
        let JobLimits { cpu, wall, .. } = self.limits;
        let own = (&self.program, &self.arguments, &self.readable, self.output);
        own == (program, arguments, readable, *output) && self.limits == JobLimits { cpu, wall, ..*limits }
    }
}

impl SandboxError {
    fn system(what: impl Into<String>, error: impl Into<io::Error>) -> SandboxError {
        SandboxError::System(what.into(), error.into())
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SandboxError::TooWeak { found, weakest } => {
                write!(f, "the best way to read CPU time here is {found}, but {weakest} or better is required")
            }
            SandboxError::Unavailable(tier, why) => write!(f, "CPU time cannot be read by {tier} here: {why}"),
            SandboxError::System(what, error) => write!(f, "{what}: {error}"),
            SandboxError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for SandboxError {}

impl fmt::Display for JobEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobEnd::Exited(code) => write!(f, "exit code {code}"),
            JobEnd::Signalled(number) => match nix::sys::signal::Signal::try_from(*number) {
                Ok(signal) => write!(f, "ended by {signal}"),
                Err(_) => write!(f, "ended by signal {number}"),
            },
            JobEnd::OverCpu => f.write_str("CPU time used up"),
            JobEnd::OverWall => f.write_str("hung"),
            JobEnd::Starved => f.write_str("the machine was too busy to run it"),
            JobEnd::OverMemory => f.write_str("out of memory"),
            JobEnd::OverDisk => f.write_str("working directory full"),
            JobEnd::OverOutput => f.write_str("printed a line without end"),
            JobEnd::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}
