//! Tests what this machine offers by trying it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde::Serialize;

use super::capabilities::{Capabilities, MemoryLimiter, ProcessLimiter, ProcessView, Sockets};
use super::cgroup::{ControlGroup, Hierarchy, HierarchyKind};
use super::folder::DiskLimit;
use super::home::Home;
use super::job::{Job, JobEnd, JobLimits, Output, Policy, Run, SandboxError, Tier};
use super::launch_spec::{LaunchSpec, PROGRAM_FOLDERS, Task};
use super::memory::agents_memory;
use super::namespaces::{self, Namespaces, UserNamespace, UserPool};
use super::supervisor::Supervisor;
use super::view::{Layering, SYSTEM};
use super::{confine, launch};
use crate::micros::Micros;

impl Capabilities {
    /// Finds the best capabilities that this machine offers and the policy allows.
    pub(super) fn find(policy: &Policy) -> Result<Capabilities, SandboxError> {
        // Read before this program makes groups.
        let agents_memory = agents_memory().map_err(SandboxError::TooLittleMemory)?;
        let mut reasons = Vec::new();
        for tier in Tier::ALL.into_iter().filter(|&tier| policy.tier.is_none_or(|forced| forced == tier)) {
            let with = |process_view| Capabilities::of_tier(tier, policy, process_view, agents_memory);
            match with(ProcessView::Own).or_else(|_| with(ProcessView::All)) {
                Ok(_) if tier < policy.weakest => {
                    return Err(SandboxError::TooWeak { found: tier, weakest: policy.weakest });
                }
                Ok(capabilities) => return Ok(capabilities),
                Err(reason) => reasons.push((tier, reason)),
            }
        }
        let (tier, reason) = reasons.pop().unwrap_or((Tier::Rusage, String::new()));
        Err(SandboxError::Unavailable(tier, reason))
    }

    /// Sets up a tier and tests it with a program that uses a known amount of CPU time.
    fn of_tier(
        tier: Tier,
        policy: &Policy,
        process_view: ProcessView,
        agents_memory: u64,
    ) -> Result<Capabilities, String> {
        let namespaces = Namespaces::find();
        if process_view == ProcessView::Own && !(namespaces.processes() && namespaces.mounts()) {
            return Err("agents cannot have process and mount namespaces".to_owned());
        }
        let join = |group: &ControlGroup| {
            works(policy, &LaunchSpec::trial(vec![group.procs_file()], UserNamespace::Inherited))
        };
        let find = |kind| Hierarchy::find(kind, &join);
        let accounts = match tier {
            Tier::CgroupV2 => Some(find(HierarchyKind::V2).map_err(|error| error.to_string())?),
            Tier::Perf if !namespaces.processes() => {
                return Err("descendants cannot be ended without a process namespace".to_owned());
            }
            Tier::Perf | Tier::Rusage => None,
        };
        let controls = |name| accounts.as_ref().is_some_and(|accounts| accounts.controls(name));
        let memory = if controls("memory") {
            MemoryLimiter::Account
        } else {
            find(HierarchyKind::Memory).map_or(MemoryLimiter::PerProcess, MemoryLimiter::Group)
        };
        let has_shares = controls("cpu");
        let users = UserPool::find();
        let processes = ProcessLimiter::find(policy, accounts.as_ref(), users.as_ref());
        let mut policy = policy.clone();
        if tier == Tier::Perf {
            let found = launch::programs(&policy.readable);
            policy.hidden.extend(found);
        }
        if namespaces.mounts() {
            policy.hidden.extend(own_programs());
        }
        let seen = || SYSTEM.iter().map(Path::new).chain(policy.readable.iter().map(PathBuf::as_path));
        let is_seen = |path: &&PathBuf| seen().any(|folder| path.starts_with(folder)) && path.exists();
        if let Some(path) = policy.hidden.iter().find(is_seen).filter(|_| !namespaces.mounts()) {
            let why = "cannot be hidden from agents without a mount namespace; help: move it elsewhere";
            return Err(format!("{} {why}", path.display()));
        }
        let landlock = confine::landlock_version();
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let sockets = Sockets::find(&policy, namespaces);
        let capabilities = Capabilities {
            policy,
            tier,
            namespaces,
            process_view,
            layering: Layering::find(namespaces),
            sockets,
            users,
            accounts,
            memory,
            processes,
            has_shares,
            cores,
            agents_memory,
            landlock,
        };
        capabilities.try_out()
    }

    /// Returns these capabilities if CPU time is read correctly.
    fn try_out(self) -> Result<Capabilities, String> {
        const BURN: Duration = Duration::from_millis(3);
        // A single reading on a busy machine may be wrong.
        const TRIES: u32 = 5;
        let capabilities = Arc::new(self);
        let mut tries = 0;
        loop {
            let Trial { used, read } = Trial::of(&capabilities, BURN).map_err(|error| error.to_string())?;
            let is_right = read + Duration::from_millis(1) >= used && read <= used * 3;
            tries += 1;
            if is_right {
                break;
            } else if tries == TRIES {
                return Err(format!(
                    "found a reading of {read:?} for {used:?} of CPU time, expected a closer one within {TRIES} tries"
                ));
            }
        }
        if capabilities.tier == Tier::Perf {
            let run = trial_run(&capabilities, Task::Hide).map_err(|error| error.to_string())?;
            let ways = String::from_utf8_lossy(&run.stdout);
            if run.end != JobEnd::Exited(0) || !ways.is_empty() {
                let found = format!("{} {}", run.end, String::from_utf8_lossy(&run.stderr));
                return Err(format!("agents can execute programs that they cannot read, by {ways} ({found})"));
            }
        }
        Arc::into_inner(capabilities).ok_or_else(|| "a trial did not end".to_owned())
    }
}

/// Programs of this project in the folders that agents search: an agent that called one would play by it.
pub(super) fn own_programs() -> Vec<PathBuf> {
    const NAMES: [&str; 9] =
        ["calibrate", "homework", "hub", "loa", "loa6", "master", "reference", "review", "test-loa"];
    let paths = PROGRAM_FOLDERS.iter().flat_map(|folder| NAMES.map(|name| Path::new(folder).join(name)));
    // A link leads to a program that has another path as well.
    let mut found: Vec<PathBuf> = paths
        .filter_map(|path| Some([path.canonicalize().ok()?, path]))
        .flatten()
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.dedup();
    found
}

impl ProcessLimiter {
    fn find(policy: &Policy, accounts: Option<&Hierarchy>, users: Option<&Arc<UserPool>>) -> ProcessLimiter {
        if accounts.is_some_and(|accounts| accounts.controls("pids")) {
            ProcessLimiter::Account
        } else if users.is_some() {
            ProcessLimiter::User
        } else if works(policy, &LaunchSpec::trial(Vec::new(), UserNamespace::Own)) {
            ProcessLimiter::Namespace
        } else {
            ProcessLimiter::Shared(namespaces::tasks_of_this_user())
        }
    }
}

impl Sockets {
    /// Allows sockets where a launcher can have a network of its own, and agents see no sockets of others.
    fn find(policy: &Policy, namespaces: Namespaces) -> Sockets {
        let user = if nix::unistd::geteuid().is_root() { UserNamespace::Inherited } else { UserNamespace::Own };
        let trial = LaunchSpec { sockets: Sockets::Own, ..LaunchSpec::trial(Vec::new(), user) };
        if namespaces.mounts() && works(policy, &trial) { Sockets::Own } else { Sockets::Refused }
    }
}

/// A known CPU time and the meter's reading of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Trial {
    /// CPU time used, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) used: Duration,
    /// CPU time read, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub(crate) read: Duration,
}

impl Trial {
    /// Runs an agent that uses this much CPU time and reports the exact amount.
    pub(super) fn of(capabilities: &Arc<Capabilities>, time: Duration) -> Result<Trial, SandboxError> {
        let run = trial_run(capabilities, Task::Burn(time))?;
        let text = String::from_utf8_lossy(&run.stdout);
        match (&run.end, text.trim().parse()) {
            (JobEnd::Exited(0), Ok(used)) => Ok(Trial { used: Duration::from_nanos(used), read: run.cpu }),
            _ => Err(failed(format!("{}, {}", run.end, String::from_utf8_lossy(&run.stderr)))),
        }
    }
}

fn failed(why: String) -> SandboxError {
    SandboxError::system("a trial run", io::Error::other(why))
}

/// Runs a task of the launcher itself as if it were an agent.
fn trial_run(capabilities: &Arc<Capabilities>, task: Task) -> Result<Run, SandboxError> {
    let capabilities = Arc::clone(capabilities);
    let limits = JobLimits { wall: Duration::from_secs(10), ..JobLimits::default() };
    let job = Job { output: Output::Keep { bytes: 100 }, limits, ..Job::default() };
    // Uses a separate thread, so that the calling thread keeps its namespaces.
    let thread = thread::spawn(move || {
        let folder = tempfile::tempdir().map_err(|error| SandboxError::system("cannot create a folder", error))?;
        let home = Home::new(&capabilities, folder.path(), "trial", DiskLimit::default())?;
        Supervisor::start(Rc::new(home), &job, task)?.finish()
    });
    thread.join().unwrap_or_else(|_| Err(failed("panicked".to_owned())))
}

/// Returns true if a launcher can carry out this specification.
fn works(policy: &Policy, trial: &LaunchSpec) -> bool {
    let run = || -> io::Result<bool> {
        let mut command = LaunchSpec::command(&policy.launcher, Path::new(""));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(&trial.message()?));
        let status = child.wait()?;
        written.map(|()| status.success())
    };
    run().unwrap_or(false)
}
