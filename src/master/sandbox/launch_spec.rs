//! The referee's message to a launcher.

use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::capabilities::{MemoryLimiter, ProcessView, Sockets};
use super::cgroup::ControlGroup;
use super::home::Home;
use super::job::{Job, Tier};
use super::kernel_files::OwnProcesses;
use super::namespaces::{User, UserNamespace};

/// First argument of a launcher, followed by the program and its arguments.
pub(super) const LAUNCH_ARGUMENT: &str = "sandbox-launch";

/// Byte that an agent's launcher waits for on standard input, after the [`LaunchSpec`]. The rest of the input belongs
/// to the agent.
pub(super) const GO: [u8; 1] = [b'\n'];

/// Instructions for a launcher, passed as JSON on its standard input, since other users can read command lines.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LaunchSpec {
    /// `cgroup.procs` of the groups to join.
    pub(super) groups: Vec<PathBuf>,
    /// `cgroup.procs` of the group whose CPU time is read.
    pub(super) account: Option<PathBuf>,
    /// The user to run as; `None`: the launcher's user.
    pub(super) user: Option<u32>,
    pub(super) user_namespace: UserNamespace,
    /// The root directory; `None`: the system's.
    pub(super) root: Option<PathBuf>,
    /// How it sees its own processes alone, if it does.
    pub(super) own_processes: Option<OwnProcesses>,
    /// The working directory, inside the root.
    pub(super) folder: PathBuf,
    pub(super) readable: Vec<PathBuf>,
    /// Maximum size of a single file in bytes; `None`: a file system limits it.
    pub(super) file_size: Option<u64>,
    pub(super) open_files: u64,
    /// Maximum number of processes and threads of the user; `None`: limited elsewhere.
    pub(super) processes: Option<u64>,
    /// True if memory is added up from processes, so that there must be none outside of them.
    pub(super) adds_up_memory: bool,
    /// The way in which CPU time is read, which decides what an agent must not do to escape it.
    pub(super) tier: Tier,
    pub(super) sockets: Sockets,
    pub(super) task: Task,
    /// Secret prefix of the launcher's last message, so that agents cannot forge it.
    pub(super) secret: String,
}

/// Action of a launcher after it has dropped its rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Task {
    Agent,
    /// Try to create and execute unreadable programs, and print the ways that worked.
    Hide,
    /// Use this much CPU time and print the exact amount in nanoseconds, to test a meter.
    Burn(Duration),
}

/// Folders in the PATH of agents.
pub(crate) const PROGRAM_FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Finds a program by name, as an agent's shell would.
pub fn program(name: &OsStr) -> io::Result<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 {
        return path.canonicalize();
    }
    let found = PROGRAM_FOLDERS.into_iter().find_map(|folder| Path::new(folder).join(name).canonicalize().ok());
    found.ok_or_else(|| ErrorKind::NotFound.into())
}

impl LaunchSpec {
    /// Specification of a job in this home.
    pub(super) fn new(home: &Home, job: &Job, task: Task) -> io::Result<LaunchSpec> {
        let capabilities = &home.capabilities;
        let readable = capabilities.policy.readable.iter().chain(&job.readable).map(|path| {
            fs::canonicalize(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
        });
        Ok(LaunchSpec {
            groups: home.memory.iter().map(ControlGroup::procs_file).collect(),
            account: home.account.as_ref().map(ControlGroup::procs_file),
            user: home.user.as_ref().map(User::id),
            user_namespace: capabilities.user_namespace_of_jobs(),
            root: home.root().map(Path::to_path_buf),
            own_processes: home.working_dir.view().filter(|_| capabilities.process_view == ProcessView::Own).map(
                |view| {
                    let (copies, covered) = view.covers();
                    OwnProcesses { at: view.root().join("proc"), copies, covered: covered.to_vec() }
                },
            ),
            folder: home.dir().to_path_buf(),
            readable: readable.collect::<io::Result<_>>()?,
            // The limit would hold for files in memory, too, which Java reserves in terabytes.
            file_size: home.root().is_none().then_some(job.limits.file_size),
            open_files: job.limits.open_files,
            processes: capabilities.processes.limit(job.limits.processes),
            adds_up_memory: matches!(capabilities.memory, MemoryLimiter::PerProcess),
            tier: capabilities.tier,
            sockets: capabilities.sockets,
            task,
            secret: format!("{:016x}", RandomState::new().hash_one(task)),
        })
    }

    /// Specification of a test that joins groups, enters a namespace, and ends.
    pub(super) fn trial(groups: Vec<PathBuf>, user_namespace: UserNamespace) -> LaunchSpec {
        LaunchSpec {
            groups,
            account: None,
            user: None,
            user_namespace,
            root: None,
            own_processes: None,
            folder: PathBuf::from("/"),
            readable: Vec::new(),
            file_size: None,
            open_files: 64,
            processes: None,
            adds_up_memory: false,
            tier: Tier::Rusage,
            sockets: Sockets::Refused,
            task: Task::Burn(Duration::ZERO),
            secret: String::new(),
        }
    }

    /// The bytes sent to the launcher's standard input: the length of the JSON text as eight little-endian bytes, then
    /// the text.
    pub(super) fn message(&self) -> io::Result<Vec<u8>> {
        let text = serde_json::to_vec(self)?;
        Ok([&(text.len() as u64).to_le_bytes()[..], &text].concat())
    }

    /// The command that starts the launcher, with a clean environment.
    pub(super) fn command(launcher: &Path, program: &Path) -> Command {
        let mut command = Command::new(launcher);
        command.arg(LAUNCH_ARGUMENT).arg(program).env_clear();
        command.env("PATH", PROGRAM_FOLDERS.join(":")).env("LANG", "C.UTF-8");
        // Python would leave a cache beside its modules, which the next turn would not find.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}
