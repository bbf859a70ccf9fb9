//! A place to run one agent, and the files in it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use nix::libc;

use super::capabilities::Capabilities;
use super::error::SandboxError;
use super::excerpt::excerpt;
use super::folder::{self, DiskLimit, UntrustedFileError, open_untrusted, read_untrusted};
use super::home::Home;
use super::job::Job;
use super::kept_file::KeptFile;
use super::launch_spec::Task;
use super::process::Process;
use super::run::Run;
use super::supervisor::Supervisor;

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
    pub(super) fn new(
        capabilities: &Arc<Capabilities>,
        run_folder: &Path,
        name: &str,
        disk: DiskLimit,
    ) -> Result<Cell, SandboxError> {
        let home = Rc::new(Home::new(capabilities, run_folder, name, disk)?);
        Ok(Cell { home, ready: None, is_fresh: std::cell::Cell::new(true) })
    }

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
    ///
    /// # Errors
    /// See [`run`](Cell::run).
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
}

impl Cell {
    /// Writes a file to the working directory that the agent may read and write; replaces anything with that name.
    ///
    /// # Errors
    /// The file cannot be written.
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
    ///
    /// # Errors
    /// It cannot be removed.
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
        KeptFile::copy(&file, bytes, self.home.working_dir.copier()).map_err(UntrustedFileError::Io)
    }

    /// Writes such a copy to the working directory; see [`write`](Self::write).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_kept(&self, name: &str, kept: &KeptFile) -> io::Result<()> {
        kept.write(&self.create(name)?, self.home.working_dir.copier())
    }

    /// Puts a copy of a folder of ordinary files into the working directory, now and after each renewal. The agent may
    /// change them, until the next renewal. They count as its memory, of which it has this many bytes: if they do not
    /// fit, every job ends with [`JobEnd::OverMemory`](super::JobEnd::OverMemory). May be called once.
    ///
    /// # Errors
    /// Something cannot be read or written.
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
