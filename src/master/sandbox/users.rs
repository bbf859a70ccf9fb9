//! Users for agents to run as.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pool of user ids for agents.
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

    /// Takes an unused user.
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

/// Number of this user's processes and threads.
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
