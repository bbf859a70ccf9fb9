//! What does the referee pass to a launcher?

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::capabilities::{MemoryLimiter, Sees};
use super::cgroup::ControlGroup;
use super::home::Home;
use super::namespaces::UserNamespace;
use super::users::User;
use super::{Job, Tier};

/// The first argument of a launcher; the others are the program and its arguments.
pub(super) const LAUNCH_ARGUMENT: &str = "sandbox-launch";

/// What the launcher of an agent waits for on its standard input, after the [`LaunchSpec`]; the rest is the agent's.
pub(super) const GO: [u8; 1] = [b'\n'];

/// What a launcher is to do, as JSON on its standard input: a command line can be read by others.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LaunchSpec {
    /// `cgroup.procs` of the groups to join.
    pub(super) groups: Vec<PathBuf>,
    /// The same for the group that CPU time is read from.
    pub(super) account: Option<PathBuf>,
    /// The user to run as; `None`: the launcher's own.
    pub(super) user: Option<u32>,
    /// The user namespace to run in.
    pub(super) user_namespace: UserNamespace,
    /// The root directory; `None`: the system's.
    pub(super) root: Option<PathBuf>,
    /// Where it sees processes, if these are to be its own only: the outside path of `/proc` in its root.
    pub(super) processes_at: Option<PathBuf>,
    /// The working directory, inside the root.
    pub(super) folder: PathBuf,
    /// What may be read and executed.
    pub(super) readable: Vec<PathBuf>,
    /// Bytes of a single file.
    pub(super) file_size: u64,
    /// Files that a process may have open.
    pub(super) open_files: u64,
    /// Processes and threads of the user; `None`: limited elsewhere.
    pub(super) processes: Option<u64>,
    /// Bytes of memory of a process; `None`: limited elsewhere.
    pub(super) memory: Option<u64>,
    /// Whether there may be descendants.
    pub(super) forking: Forking,
    /// Whether there may be programs that their owner cannot read.
    pub(super) unreadable: Unreadable,
    /// What to become.
    pub(super) task: Task,
    /// The prefix of the launcher's last message, so that no agent can forge it.
    pub(super) secret: String,
}

/// Whether an agent may have descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Forking {
    /// It may: their CPU time is counted.
    Allowed,
    /// It may not: their CPU time could not be counted.
    Refused,
}

/// Whether an agent may make programs that their owner cannot read. To execute one ends the counter of the perf tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Unreadable {
    /// It may: they are counted like others.
    Allowed,
    /// It may not.
    Refused,
}

/// What a launcher becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Task {
    /// The program.
    Agent,
    /// Itself a program that tries to make and execute programs that it cannot read, and prints the ways that worked.
    Hide,
    /// Itself a program that uses this much CPU time and prints how much it was, in nanoseconds: to test a meter.
    Burn(Duration),
}

impl LaunchSpec {
    /// The specification of a job in this home.
    pub(super) fn new(home: &Home, job: &Job, task: Task) -> io::Result<LaunchSpec> {
        let capabilities = &home.capabilities;
        let readable = capabilities.policy.readable.iter().chain(&job.readable).map(|path| {
            fs::canonicalize(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
        });
        Ok(LaunchSpec {
            groups: home.groups(),
            account: home.account.as_ref().map(ControlGroup::procs_file),
            user: home.user.as_ref().map(User::id),
            user_namespace: capabilities.user_namespace_of_jobs(),
            root: home.root().map(Path::to_path_buf),
            processes_at: home.root().filter(|_| capabilities.sees == Sees::Own).map(|root| root.join("proc")),
            folder: home.dir().to_path_buf(),
            readable: readable.collect::<io::Result<_>>()?,
            file_size: job.limits.file_size,
            open_files: job.limits.open_files,
            processes: capabilities.processes.limit(job.limits.processes),
            memory: matches!(capabilities.memory, MemoryLimiter::PerProcess)
                .then_some(capabilities.memory_for(job.limits.memory)),
            forking: if capabilities.tier == Tier::Rusage { Forking::Refused } else { Forking::Allowed },
            unreadable: if capabilities.tier == Tier::Perf { Unreadable::Refused } else { Unreadable::Allowed },
            task,
            secret: format!("{:016x}", RandomState::new().hash_one(task)),
        })
    }

    /// The specification of a test: to join groups, enter a namespace, and end.
    pub(super) fn trial(groups: Vec<PathBuf>, user_namespace: UserNamespace) -> LaunchSpec {
        LaunchSpec {
            groups,
            account: None,
            user: None,
            user_namespace,
            root: None,
            processes_at: None,
            folder: PathBuf::from("/"),
            readable: Vec::new(),
            file_size: 0,
            open_files: 64,
            processes: None,
            memory: None,
            forking: Forking::Refused,
            unreadable: Unreadable::Allowed,
            task: Task::Burn(Duration::ZERO),
            secret: String::new(),
        }
    }

    /// What the launcher gets first on its standard input: the length in bytes of what follows, as eight bytes, the least
    /// first.
    pub(super) fn message(&self) -> io::Result<Vec<u8>> {
        let text = serde_json::to_vec(self)?;
        Ok([&(text.len() as u64).to_le_bytes()[..], &text].concat())
    }

    /// The command that starts the launcher, with a clean environment.
    pub(super) fn command(launcher: &Path, program: &Path) -> Command {
        let mut command = Command::new(launcher);
        command.arg(LAUNCH_ARGUMENT).arg(program).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C.UTF-8");
        command
    }
}
