//! A place to run one agent, and the files in it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use nix::libc;

use super::capabilities::Capabilities;
use super::copier::KeptFile;
use super::folder::{self, DiskLimit, UntrustedFileError, excerpt, open_untrusted, read_untrusted};
use super::gaps::Survey;
use super::home::Home;
use super::job::{Job, Policy, Run, SandboxError, Tier};
use super::launch_spec::Task;
use super::memory::{MemoryDemand, MemoryShare};
use super::meter;
use super::process::Process;
use super::supervisor::Supervisor;
use super::survey::Trial;

/// The working directory, user and limits of an agent. A cell belongs to the thread that created it: if the working
/// directory is a separate file system, only that thread sees it.
#[derive(Debug)]
pub struct Cell {
    home: Rc<Home>,
    /// A waiting launcher, and the job that it was started for.
    ready: Option<(Job, Supervisor)>,
    /// True if nothing has changed since the working directory was renewed.
    is_fresh: std::cell::Cell<bool>,
}

impl Cell {
    /// The agent's working directory. The caller can read and write it directly, but should prefer the methods here,
    /// since an agent may have left anything in it.
    pub fn dir(&self) -> &Path {
        self.home.dir()
    }

    /// Runs a job until it and everything that it started have ended.
    ///
    /// # Errors
    /// The sandbox fails. An agent's failure is not an error but a [`JobEnd`](super::JobEnd).
    pub fn run(&mut self, job: &Job) -> Result<Run, SandboxError> {
        let mut supervisor = self.begin(job)?;
        supervisor.streams.give(&job.input);
        supervisor.streams.close_input();
        supervisor.finish()
    }

    /// Starts the launcher of the next job in advance, since joining a control group can take a few milliseconds. The
    /// job may then differ in input and time limits.
    pub fn prepare(&mut self, job: &Job) {
        let next = Job { input: Vec::new(), ..job.clone() };
        // If this fails, the job itself tries again and reports the error.
        let launcher = Supervisor::start(Rc::clone(&self.home), &next, Task::Agent);
        self.ready = launcher.ok().map(|supervisor| (next, supervisor));
    }

    /// Starts a job that keeps running; it first reads its `input`.
    pub fn start(&mut self, job: &Job) -> Result<Process, SandboxError> {
        let mut supervisor = self.begin(job)?;
        supervisor.streams.give(&job.input);
        Ok(Process::new(supervisor))
    }

    /// Starts a job, using the waiting launcher if it is suitable.
    fn begin(&mut self, job: &Job) -> Result<Supervisor, SandboxError> {
        let ready = self.ready.take().filter(|(like, supervisor)| like.is_like(job) && supervisor.is_running());
        let mut supervisor = match ready {
            Some((_, supervisor)) => supervisor,
            None => Supervisor::start(Rc::clone(&self.home), job, Task::Agent)?,
        };
        self.is_fresh.set(false);
        supervisor.go(job.limits);
        Ok(supervisor)
    }

    /// Writes a file to the working directory that the agent may read and write; replaces anything with that name.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.create(name)?.write_all(bytes)
    }

    /// Creates an empty file that the agent may read and write.
    fn create(&self, name: &str) -> io::Result<File> {
        self.remove(name)?;
        let path = self.dir().join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o644).custom_flags(libc::O_NOFOLLOW);
        let file = options.open(path)?;
        if let Some(user) = &self.home.user {
            std::os::unix::fs::fchown(&file, Some(user.id()), Some(user.id()))?;
        }
        Ok(file)
    }

    /// Removes anything with this name from the working directory.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.is_fresh.set(false);
        match fs::remove_file(self.dir().join(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) if error.kind() == ErrorKind::IsADirectory => folder::flatten(self.dir(), name),
            done => done,
        }
    }

    /// Reads a file in the working directory; see [`read_untrusted`].
    ///
    /// # Errors
    /// There is no readable regular file of at most `most` bytes; the error describes what was found instead.
    pub fn read(&self, name: &str, most: usize) -> Result<Vec<u8>, UntrustedFileError> {
        read_untrusted(&self.dir().join(name), most)
    }

    /// Reads a file in the working directory, without its middle if it has more than `most` bytes; see
    /// [`open_untrusted`].
    ///
    /// # Errors
    /// There is no readable regular file; the error describes what was found instead.
    pub fn excerpt(&self, name: &str, most: usize) -> Result<Vec<u8>, UntrustedFileError> {
        let (mut file, bytes) = open_untrusted(&self.dir().join(name), u64::MAX)?;
        excerpt(&mut file, bytes, most).map_err(UntrustedFileError::Io)
    }

    /// Opens a file in the working directory; see [`open_untrusted`].
    ///
    /// # Errors
    /// There is no readable regular file of at most `most` bytes; the error describes what was found instead.
    pub fn open(&self, name: &str, most: u64) -> Result<File, UntrustedFileError> {
        open_untrusted(&self.dir().join(name), most).map(|(file, _)| file)
    }

    /// Copies a file from the working directory, to be written there again later. The copy counts as the agent's memory.
    ///
    /// # Errors
    /// There is no readable regular file of at most `most` bytes, or no room for the copy; the error describes which.
    pub fn keep(&self, name: &str, most: u64) -> Result<KeptFile, UntrustedFileError> {
        let (file, bytes) = open_untrusted(&self.dir().join(name), most)?;
        KeptFile::copy(&file, bytes, &self.home.working_dir.copier).map_err(UntrustedFileError::Io)
    }

    /// Writes such a copy to the working directory; see [`write`](Self::write).
    pub fn write_kept(&self, name: &str, kept: &KeptFile) -> io::Result<()> {
        kept.write(&self.create(name)?, &self.home.working_dir.copier)
    }

    /// Puts a copy of a folder of ordinary files into the working directory, now and after each renewal. The agent may
    /// change them, until the next renewal. They count as its memory, of which it has this many bytes: if they do not
    /// fit, every job ends with [`JobEnd::OverMemory`](super::JobEnd::OverMemory). May be called once.
    pub fn furnish(&mut self, from: &Path, memory: u64) -> Result<(), SandboxError> {
        self.ready = None;
        self.is_fresh.set(true);
        self.home.furnish(from, memory)
    }

    /// Throws away everything that is not part of the agent's own files, from its working directory, /tmp and shared
    /// memory. No job may be running.
    ///
    /// # Errors
    /// The system fails, whatever the agent left behind.
    pub fn renew(&mut self) -> Result<(), SandboxError> {
        if self.is_fresh.replace(true) {
            return Ok(());
        }
        self.ready = None;
        self.home.renew()
    }
}

/// This machine's capabilities for confining agents, tested once and shared by all threads.
#[derive(Clone, Debug)]
pub struct Sandbox {
    capabilities: Arc<Capabilities>,
}

impl Sandbox {
    /// Tests what this machine offers.
    ///
    /// # Errors
    /// No way to read CPU time meets the policy.
    pub fn open(policy: &Policy) -> Result<Sandbox, SandboxError> {
        Ok(Sandbox { capabilities: Arc::new(Capabilities::find(policy)?) })
    }

    /// Returns the way in which CPU time is read.
    pub fn tier(&self) -> Tier {
        self.capabilities.tier
    }

    /// Describes how CPU time is read, for records, and marks unofficial results.
    pub fn measurement(&self) -> String {
        let tier = self.tier();
        if self.is_official() { tier.to_string() } else { format!("{tier}, unofficial") }
    }

    /// Returns true if results can be official: agents may start processes, and cannot leave anything for their next
    /// game.
    pub fn is_official(&self) -> bool {
        self.tier() >= Tier::Perf && self.capabilities.keeps_games_apart()
    }

    /// Returns true if user time is counted exactly, so that results by it alone can be official.
    pub fn counts_user_time(&self) -> bool {
        self.tier() == Tier::CgroupV2 && meter::is_exact()
    }

    /// Divides the memory that agents have on this machine.
    pub fn share_memory(&self, demand: MemoryDemand) -> MemoryShare {
        demand.share(self.capabilities.agents_memory)
    }

    /// Memory in bytes for all agents together.
    pub fn agents_memory(&self) -> u64 {
        self.capabilities.agents_memory
    }

    /// Lists what this machine offers and what it lacks.
    pub(crate) fn survey(&self) -> Survey {
        self.capabilities.survey()
    }

    /// Tests how accurately CPU time is read, with a program that uses this much of it.
    pub(crate) fn trial(&self, time: Duration) -> Result<Trial, SandboxError> {
        Trial::of(&self.capabilities, time)
    }

    /// Creates a cell for an agent, with the working directory `name` in `run_folder`. The first call in a thread moves
    /// the thread into new namespaces, where it has no network.
    pub fn cell(&self, run_folder: &Path, name: &str, disk: DiskLimit) -> Result<Cell, SandboxError> {
        let home = Rc::new(Home::new(&self.capabilities, run_folder, name, disk)?);
        Ok(Cell { home, ready: None, is_fresh: std::cell::Cell::new(true) })
    }
}

/// The sandbox, and folders for what agents write.
#[derive(Clone, Copy, Debug)]
pub struct Workspace<'a> {
    /// Runs the agents.
    pub sandbox: &'a Sandbox,
    /// Folder for working directories; no other build or game uses it simultaneously.
    pub folder: &'a Path,
    /// Folder for files kept between games: builds, copies of agents, calibrations.
    pub kept: &'a Path,
}
