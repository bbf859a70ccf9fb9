//! What of the system can a thread's children see?

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, Result};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};
use rustix::thread::{CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities};
use serde::{Deserialize, Serialize};

use super::SandboxError;

/// The namespaces that a thread makes for its agents, as far as the machine allows: processes (an agent sees only its
/// own, and all end with the first), mounts (file systems that vanish with the thread), network (none), host name and
/// message queues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Namespaces(CloneFlags);

/// In which user namespace an agent runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UserNamespace {
    /// In the launcher's, with all users that it knows.
    Inherited,
    /// In one of its own: this user alone, without other processes that would count against its limit, but with the
    /// right to change its root directory.
    Own,
}

thread_local! {
    /// Whether this thread has its namespaces.
    static ENTERED: Cell<bool> = const { Cell::new(false) };
}

/// Lets an ordinary user make namespaces, as root can anyway. To be called before the program has a second thread.
///
/// # Errors
/// The system does not allow it; the sandbox then does without.
pub fn enter_user_namespace() -> io::Result<()> {
    if geteuid().is_root() { Ok(()) } else { enter_own() }
}

/// Enters a user namespace in which this user is the same, and has all rights until it executes a program.
pub(super) fn enter_own() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

impl Namespaces {
    /// Tries each in a thread of its own.
    pub(super) fn find() -> Namespaces {
        let all = CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS;
        let works = |flag: &CloneFlags| {
            let found = Namespaces(*flag);
            let trial = thread::spawn(move || found.make().is_ok() && found.make_for_job().is_ok());
            trial.join().unwrap_or(false)
        };
        Namespaces(all.iter().filter(works).collect())
    }

    /// Whether agents have processes of their own.
    pub(super) fn processes(self) -> bool {
        self.0.contains(CloneFlags::CLONE_NEWPID)
    }

    /// Whether threads have mounts of their own.
    pub(super) fn mounts(self) -> bool {
        self.0.contains(CloneFlags::CLONE_NEWNS)
    }

    /// Gives the calling thread its namespaces, if it has none yet.
    ///
    /// # Errors
    /// What was possible when it was found out no longer is.
    pub(super) fn enter(self) -> Result<(), SandboxError> {
        if !ENTERED.get() {
            self.make().map_err(|error| SandboxError::system("cannot make namespaces", error))?;
            ENTERED.set(true);
        }
        Ok(())
    }

    fn make(self) -> nix::Result<()> {
        leave(self.0 & !CloneFlags::CLONE_NEWPID)?;
        if self.mounts() { hide_mounts() } else { Ok(()) }
    }

    /// For the next child of the calling thread, which can start no other child after it.
    fn make_for_job(self) -> nix::Result<()> {
        leave(self.0 & CloneFlags::CLONE_NEWPID)?;
        // The child does without, if it must.
        if self.mounts() && !geteuid().is_root() {
            let _ = keep_right_to_mount();
        }
        Ok(())
    }
}

/// Leaves the namespaces of the calling thread. Even to leave none may be forbidden.
fn leave(flags: CloneFlags) -> nix::Result<()> {
    if flags.is_empty() { Ok(()) } else { unshare(flags) }
}

/// From now on only the calling thread sees what it mounts, and in /proc a user sees only its own processes.
fn hide_mounts() -> nix::Result<()> {
    const NONE: Option<&str> = None;
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    // Only root may do this; otherwise Landlock alone keeps agents from inspecting other processes.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let _ = mount(Some("proc"), "/proc", Some("proc"), flags, Some("hidepid=invisible"));
    Ok(())
}

/// Lets the children of the calling thread mount file systems, though they execute a program and are not root. They lose
/// that right when they enter a user namespace of their own.
fn keep_right_to_mount() -> rustix::io::Result<()> {
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)
}

/// Mounts a file system at `path` that shows the processes of the calling process's namespace, instead of the one that was
/// there for an earlier job.
pub(super) fn show_processes(path: &Path) -> Result<()> {
    const NONE: Option<&str> = None;
    let shown = "cannot show an agent its own processes";
    umount2(path, MntFlags::MNT_DETACH).context(shown)?;
    let flags = MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), path, Some("proc"), flags, NONE).context(shown)
}

/// Keeps a thread alive whose child is the first process of a namespace of its own. A child that set a parent-death
/// signal dies with the thread.
#[derive(Debug)]
pub(super) struct Keeper {
    _release: Sender<()>,
}

impl Keeper {
    /// Runs `start` in a new thread, which then stays until the keeper is dropped.
    pub(super) fn start<T: Send + 'static>(
        namespaces: Namespaces,
        start: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> io::Result<(Keeper, T)> {
        let (release, released) = mpsc::channel::<()>();
        let (sender, receiver) = mpsc::sync_channel(1);
        let body = move || {
            let result = namespaces.make_for_job();
            // The receiver waits below; from then on the keeper holds the sender of the other channel.
            let _ = sender.send(result.map_err(io::Error::from).and_then(|()| start()));
            let _ = released.recv();
        };
        thread::Builder::new().name("keeper".to_owned()).stack_size(256 << 10).spawn(body)?;
        let started = receiver.recv().map_err(|_| io::Error::other("the thread that starts agents ended"))?;
        Ok((Keeper { _release: release }, started?))
    }
}
