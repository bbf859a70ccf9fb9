//! Runs programs that nobody trusts: confined, measured, and gone with all that they started.
//!
//! Every job is this program again, as a launcher that gives up whatever an agent must not have and then
//! becomes the agent: a user of its own (as root), a process namespace of its own, no network, no file
//! but its own folder, limits on what it may take. The referee watches from outside.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `tier` | how CPU time is read, and how far that can be trusted |
//! | `survey` | what this machine offers, by really trying |
//! | `namespaces` | what of the system a thread's children can see |
//! | `cgroup` | which processes belong together, what they use, how they end |
//! | `users` | as whom an agent runs |
//! | `view` | what it sees of the file system |
//! | `meter` | how much CPU time a job has used by now |
//! | `place` | where an agent lives: folder, user, groups |
//! | `order`, `launch`, `confine` | how a launcher becomes an agent |
//! | `watch` | how a job is watched to its end |
//! | `said` | what a launcher, and then its agent, say on standard error |
//! | `process` | how an agent that goes on is talked to |
//! | `folder` | how files an agent may have made are handled without surprises |

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
mod process;
mod supervisor;
mod survey;
mod tier;
mod users;
mod view;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

pub use folder::{UntrustedFileError, read_untrusted};
pub use gaps::{Gap, Survey};
pub use launch::launched;
pub use namespaces::enter_user_namespace;
pub use process::{LineTimeout, NextLine, Process};
pub use survey::Trial;
pub use tier::Tier;

use capabilities::Capabilities;
use home::Home;
use launch_spec::Task;
use supervisor::Supervisor;

use super::stop::StopFlag;

/// What is asked of the machine.
#[derive(Clone, Debug)]
pub struct Policy {
    /// This way to read CPU time and no other; `None`: the best there is.
    pub tier: Option<Tier>,
    /// No way that can be trusted less.
    pub weakest: Tier,
    /// What every agent may read and execute, beside the system's programs: a toolchain.
    pub readable: Vec<PathBuf>,
    /// The program whose `main` begins with [`launched`]; by default this one.
    pub launcher: PathBuf,
    /// Ends all jobs.
    pub stop: StopFlag,
}

/// What this machine offers to confine agents; found once, shared by all threads.
#[derive(Clone, Debug)]
pub struct Sandbox {
    capabilities: Arc<Capabilities>,
}

/// One agent's place: its working directory, its user, its limits. It belongs to the thread that made
/// it: only there can the working directory be seen where it is a file system of its own.
#[derive(Debug)]
pub struct Cell {
    home: Rc<Home>,
    /// The launcher of another job like this one, which waits.
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
    /// What it may read and execute, beside what the policy says: its own folder.
    pub readable: Vec<PathBuf>,
    /// Its standard input, and then the end of it.
    pub input: Vec<u8>,
    /// What becomes of its standard output.
    pub output: Output,
    /// What it may use.
    pub limits: JobLimits,
}

/// What becomes of a standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nobody reads it.
    Discard,
    /// It is kept, up to this many bytes; a program that prints more is ended.
    Keep {
        /// The most that is kept; of a long-lived process, the most that may wait to be read.
        bytes: usize,
    },
}

/// What a job may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobLimits {
    /// CPU time of all its threads and descendants; `None`: no bound.
    pub cpu: Option<Duration>,
    /// Wall time.
    pub wall: Duration,
    /// Bytes of memory.
    pub memory: u64,
    /// Processes and threads at a time.
    pub processes: u32,
    /// Bytes of a single file.
    pub file_size: u64,
}

/// How a job went.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: JobEnd,
    /// CPU time of all its threads and descendants.
    pub cpu: Duration,
    /// From the start of the agent's program to its end.
    pub wall: Duration,
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
    /// By this signal. An agent may be the first process of its namespace; what `abort` then comes to is SIGSEGV.
    Signalled(i32),
    /// It used up its CPU time.
    OverCpu,
    /// It went on for too long: asleep, or waiting for ever.
    OverWall,
    /// It wanted more memory than it may have.
    OverMemory,
    /// It filled its working directory.
    OverDisk,
    /// It printed too much.
    OverOutput,
    /// Its program could not be started, for this reason.
    NotStarted(String),
}

/// Why the sandbox itself fails; never an agent's doing.
#[derive(Debug)]
pub enum SandboxError {
    /// The best tier here is weaker than the policy allows.
    TooWeak {
        /// The best there is.
        found: Tier,
        /// What the policy asks for.
        weakest: Tier,
    },
    /// This tier cannot be had here, for this reason.
    Unavailable(Tier, String),
    /// The system refused something.
    System(String, io::Error),
    /// It was asked to stop; the job is ended.
    Stopped,
}

impl Default for Policy {
    fn default() -> Policy {
        let launcher = PathBuf::from("/proc/self/exe");
        Policy { tier: None, weakest: Tier::Rusage, readable: Vec::new(), launcher, stop: StopFlag::default() }
    }
}

impl Default for DiskLimit {
    fn default() -> DiskLimit {
        DiskLimit { bytes: 64 << 20, files: 4096 }
    }
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        let wall = Duration::from_secs(60);
        JobLimits { cpu: None, wall, memory: 1 << 30, processes: 256, file_size: 32 << 20 }
    }
}

impl Sandbox {
    /// Finds out what this machine offers, by trying it.
    ///
    /// # Errors
    /// No way to read CPU time is as good as the policy asks for.
    pub fn open(policy: &Policy) -> Result<Sandbox, SandboxError> {
        Ok(Sandbox { capabilities: Arc::new(Capabilities::find(policy)?) })
    }

    /// How CPU time is read.
    pub fn tier(&self) -> Tier {
        self.capabilities.tier
    }

    /// What this machine offers, and what is missing.
    pub fn survey(&self) -> Survey {
        self.capabilities.survey()
    }

    /// Tries how exactly CPU time is read, by a program that uses this much of it.
    ///
    /// # Errors
    /// The sandbox fails.
    pub fn trial(&self, time: Duration) -> Result<Trial, SandboxError> {
        Trial::of(&self.capabilities, time)
    }

    /// A place for one agent, whose working directory is `name` in `run_folder`. The calling thread gets
    /// namespaces of its own on its first call: from then on it has no network.
    ///
    /// # Errors
    /// The directory or the limits cannot be set up.
    pub fn cell(&self, run_folder: &Path, name: &str, disk: DiskLimit) -> Result<Cell, SandboxError> {
        Ok(Cell { home: Rc::new(Home::new(&self.capabilities, run_folder, name, disk)?), ready: None })
    }
}

impl Cell {
    /// The agent's working directory. The caller can read and write it, and should do so by the methods
    /// here: an agent may have left anything in it.
    pub fn dir(&self) -> &Path {
        self.home.dir()
    }

    /// Runs a job to its end, and the end of all that it started.
    ///
    /// # Errors
    /// The sandbox fails; whatever the agent does is no error but an [`JobEnd`].
    pub fn run(&mut self, job: &Job) -> Result<Run, SandboxError> {
        let mut supervisor = self.supervisor(job)?;
        supervisor.give(&job.input);
        supervisor.close_input();
        supervisor.finish()
    }

    /// The same for one of many jobs that differ in nothing but input and time: the launcher of the next one is made
    /// ready meanwhile, since to join a control group can take the system some milliseconds.
    ///
    /// # Errors
    /// See [`run`](Cell::run).
    pub fn run_in_turn(&mut self, job: &Job) -> Result<Run, SandboxError> {
        let run = self.run(job)?;
        let next = Job { input: Vec::new(), ..job.clone() };
        // Where there is none, the next turn tries again, and tells.
        let launcher = Supervisor::start(Rc::clone(&self.home), &next, Task::Agent);
        self.ready = launcher.ok().map(|supervisor| (next, supervisor));
        Ok(run)
    }

    /// Starts a job that is talked to; its `input` is what it hears first.
    ///
    /// # Errors
    /// See [`run`](Cell::run).
    pub fn start(&mut self, job: &Job) -> Result<Process, SandboxError> {
        let mut supervisor = self.supervisor(job)?;
        supervisor.give(&job.input);
        Ok(Process::new(supervisor))
    }

    /// The job, begun; by the launcher that is ready, if it fits.
    fn supervisor(&mut self, job: &Job) -> Result<Supervisor, SandboxError> {
        let ready = self.ready.take().filter(|(like, supervisor)| like.is_like(job) && supervisor.is_there());
        let mut supervisor = match ready {
            Some((_, supervisor)) => supervisor,
            None => Supervisor::start(Rc::clone(&self.home), job, Task::Agent)?,
        };
        supervisor.go(job.limits);
        Ok(supervisor)
    }
}

impl Job {
    /// Whether they differ in nothing but input and time.
    fn is_like(&self, other: &Job) -> bool {
        let Job { program, arguments, readable, input: _, output, limits } = other;
        let JobLimits { cpu: _, wall: _, memory, processes, file_size } = *limits;
        let own = (&self.program, &self.arguments, &self.readable, self.output);
        let same_limits = (self.limits.memory, self.limits.processes, self.limits.file_size);
        own == (program, arguments, readable, *output) && same_limits == (memory, processes, file_size)
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
                write!(f, "the best reading of CPU time here is {found}, but {weakest} or better is asked for")
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
            JobEnd::OverMemory => f.write_str("out of memory"),
            JobEnd::OverDisk => f.write_str("working directory full"),
            JobEnd::OverOutput => f.write_str("printed too much"),
            JobEnd::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}
