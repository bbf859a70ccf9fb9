//! Namespaces: which parts of the system a thread's children see.

use std::cell::Cell;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};
use rustix::thread::{CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities};
use serde::{Deserialize, Serialize};

use super::job::SandboxError;
use super::socket_memory::TCP_BUFFER;

/// Namespaces that a thread creates for its agents, as far as the machine allows: processes (an agent sees only its
/// own, and all of them end with the first), mounts (file systems vanish with the thread), network (none), host name,
/// and message queues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Namespaces(CloneFlags);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UserNamespace {
    /// The launcher's, with all users mapped there.
    Inherited,
    /// Its own, with only this user mapped. Other processes do not count against its limits, and it may change its root
    /// directory.
    Own,
}

thread_local! {
    /// True once this thread is in its namespaces.
    static ENTERED: Cell<bool> = const { Cell::new(false) };
}

/// Lets an ordinary user create namespaces, as root can anyway. Must be called before the program starts a second
/// thread.
///
/// # Errors
/// The system does not allow it. The sandbox then works without them.
pub fn enter_user_namespace() -> io::Result<()> {
    if geteuid().is_root() { Ok(()) } else { enter_own() }
}

/// Enters a user namespace in which this user keeps its id and has all rights until it executes a program.
pub(super) fn enter_own() -> io::Result<()> {
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Enters network and IPC namespaces made for the calling process, in which it reaches only itself.
pub(super) fn enter_own_network() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC)?;
    raise_loopback()?;
    // Least, usual and largest size. A container may not allow it, and its sockets then hold more than is counted.
    for name in ["tcp_rmem", "tcp_wmem"] {
        let _ = fs::write(format!("/proc/sys/net/ipv4/{name}"), format!("4096 {TCP_BUFFER} {TCP_BUFFER}"));
    }
    Ok(())
}

/// Brings up the loopback interface of a new network namespace, by a message of rtnetlink(7).
fn raise_loopback() -> io::Result<()> {
    const NEW_LINK: u16 = 16;
    const REQUEST_ACKNOWLEDGED: u16 = 1 | 4;
    const LOOPBACK: i32 = 1;
    const UP: u32 = 1;
    const LENGTH: u32 = 32;
    let mut message = Vec::with_capacity(LENGTH as usize);
    // The header: length, kind, flags, sequence number, port.
    message.extend(LENGTH.to_ne_bytes());
    message.extend(NEW_LINK.to_ne_bytes());
    message.extend(REQUEST_ACKNOWLEDGED.to_ne_bytes());
    message.extend([0; 8]);
    // The interface: family and kind, index, flags, and which of them change.
    message.extend([0; 4]);
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    // Protocol 0 is that of routes and links.
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    send(&socket, &message, SendFlags::empty())?;
    let mut answer = [0; 64];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // After the header of the answer follows an error number, 0 or negative.
    match answer[..length].get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

impl Namespaces {
    /// Tries out each kind of namespace in a separate thread.
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

    /// Returns true if agents have their own process namespace.
    pub(super) fn processes(self) -> bool {
        self.0.contains(CloneFlags::CLONE_NEWPID)
    }

    /// Returns true if threads have their own mount namespace.
    pub(super) fn mounts(self) -> bool {
        self.0.contains(CloneFlags::CLONE_NEWNS)
    }

    /// Moves the calling thread into its namespaces, unless it is already there.
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

    /// Creates the namespaces for the next child of the calling thread, which cannot start any other child afterwards.
    fn make_for_job(self) -> nix::Result<()> {
        leave(self.0 & CloneFlags::CLONE_NEWPID)?;
        // If this fails, the child works without that right.
        if self.mounts() && !geteuid().is_root() {
            let _ = keep_right_to_mount();
        }
        Ok(())
    }
}

/// Makes the calling thread leave these namespaces. Even a call without flags may be forbidden.
fn leave(flags: CloneFlags) -> nix::Result<()> {
    if flags.is_empty() { Ok(()) } else { unshare(flags) }
}

/// Makes mounts private to the calling thread, and makes /proc show each user only its own processes.
fn hide_mounts() -> nix::Result<()> {
    const NONE: Option<&str> = None;
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    // Only root may do this; otherwise, only Landlock keeps agents from inspecting other processes.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let _ = mount(Some("proc"), "/proc", Some("proc"), flags, Some("hidepid=invisible"));
    Ok(())
}

/// Lets the calling thread's children mount file systems even after executing a program as an ordinary user. They lose
/// that right on entering their own user namespace.
fn keep_right_to_mount() -> rustix::io::Result<()> {
    let mut sets = capabilities(None)?;
    sets.inheritable |= CapabilitySet::SYS_ADMIN;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)
}

/// Keeps alive the thread whose child is the first process of a namespace: a child with a parent-death signal dies with
/// the thread.
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
            // The receiver waits below; after that, the keeper holds the sender of the other channel.
            let _ = sender.send(result.map_err(io::Error::from).and_then(|()| start()));
            let _ = released.recv();
        };
        thread::Builder::new().name("keeper".to_owned()).stack_size(256 << 10).spawn(body)?;
        let started = receiver.recv().map_err(|_| io::Error::other("the thread that starts agents ended"))?;
        Ok((Keeper { _release: release }, started?))
    }
}

#[derive(Debug)]
pub(super) struct UserPool {
    first: u32,
    taken: Mutex<Vec<bool>>,
}

/// A user and group assigned to an agent until dropped.
#[derive(Debug)]
pub(super) struct User {
    users: Arc<UserPool>,
    index: usize,
}

/// First user id for masters; Linux distributions assign none at or above it.
const BASE: u64 = 700_000_000;
/// Maximum number of concurrent agents per master.
const MOST: u64 = 256;
/// Upper bound of process ids.
const PIDS: u64 = 1 << 22;
/// Maximum number of concurrent agents if user ids are scarce.
const FEW: u64 = 64;

impl UserPool {
    /// Finds user ids that no other master takes; `None` unless this process is root and has enough of them.
    pub(super) fn find() -> Option<Arc<UserPool>> {
        if !nix::unistd::geteuid().is_root() {
            return None;
        }
        let map = fs::read_to_string("/proc/self/uid_map").ok()?;
        let (first, count) = range(&map, std::process::id())?;
        Some(Arc::new(UserPool { first, taken: Mutex::new(vec![false; count]) }))
    }

    pub(super) fn take(self: &Arc<UserPool>) -> Option<User> {
        let mut taken = self.taken();
        let index = taken.iter().position(|&taken| !taken)?;
        taken[index] = true;
        Some(User { users: Arc::clone(self), index })
    }

    fn taken(&self) -> MutexGuard<'_, Vec<bool>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl User {
    /// Id of both the user and its group.
    pub(super) fn id(&self) -> u32 {
        self.users.first + self.index as u32
    }
}

impl Drop for User {
    fn drop(&mut self) {
        self.users.taken()[self.index] = false;
    }
}

pub(super) fn tasks_of_this_user() -> u64 {
    let this = nix::unistd::getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|process| process.metadata().is_ok_and(|found| found.uid() == this));
    own.map(|process| fs::read_dir(process.path().join("task")).map_or(0, |tasks| tasks.count() as u64)).sum()
}

/// First user and number of users for the master with this process id; `map` is the text of a uid_map.
fn range(map: &str, pid: u32) -> Option<(u32, usize)> {
    let pid = u64::from(pid);
    let extents = map.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().ok());
        let (first, _, count) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some((first, first + count))
    });
    let (first, end) = extents.max_by_key(|(first, end)| end - first)?;
    if first <= BASE && BASE + PIDS * MOST <= end {
        return Some(((BASE + pid % PIDS * MOST) as u32, MOST as usize));
    }
    // Uses the last mapped ids. In rare cases, two masters share some.
    let start = end.checked_sub(FEW * (2 + pid % 64)).filter(|&start| start >= first.max(1000))?;
    Some((start as u32, FEW as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concurrent_masters_use_different_users() {
        let whole = "         0          0 4294967295";
        assert_eq!(range(whole, 1), Some((700_000_256, 256)));
        assert_eq!(range(whole, 2), Some((700_000_512, 256)));
        assert!(range(whole, 4_194_303).is_some());
        assert_eq!(range("0 100000 65536\n", 0), Some((65_408, 64)));
        assert_eq!(range("0 1000 1\n", 0), None, "a user namespace with a single user");
        assert_eq!(range("", 0), None);
    }

    #[test]
    fn dropping_a_user_frees_it() {
        let users = Arc::new(UserPool { first: 5, taken: Mutex::new(vec![false; 2]) });
        let (one, two) = (users.take().unwrap(), users.take().unwrap());
        assert_eq!((one.id(), two.id()), (5, 6));
        assert!(users.take().is_none());
        drop(one);
        assert_eq!(users.take().unwrap().id(), 5);
    }
}
