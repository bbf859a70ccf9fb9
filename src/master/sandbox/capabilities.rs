//! With which means of this machine are agents confined and measured?

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cgroup::Hierarchy;
use super::namespaces::{Namespaces, UserNamespace};
use super::users::UserPool;
use super::{Policy, Tier};

/// What this machine offers, as far as it was found to work.
#[derive(Debug)]
pub(super) struct Capabilities {
    pub(super) policy: Policy,
    pub(super) tier: Tier,
    pub(super) namespaces: Namespaces,
    pub(super) sees: Sees,
    pub(super) users: Option<Arc<UserPool>>,
    /// Groups whose CPU time is read; `None` with other tiers.
    pub(super) accounts: Option<Hierarchy>,
    pub(super) memory: MemoryLimiter,
    pub(super) processes: ProcessLimiter,
    pub(super) shares: CpuShares,
    pub(super) freezer: Freezer,
    /// Threads that can run at the same time.
    pub(super) cores: u32,
    /// Bytes of memory of this machine.
    pub(super) machine_memory: u64,
    /// The version of Landlock's interface, if the kernel has it.
    pub(super) landlock: Option<u8>,
    pub(super) names: AtomicU64,
}

/// Which processes an agent sees in /proc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    /// Its own.
    Own,
    /// Those that its user sees.
    All,
}

/// What limits memory.
#[derive(Debug)]
pub(super) enum MemoryLimiter {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A group of its own: cgroup v1.
    Group(Hierarchy),
    /// A limit on each process by itself.
    PerProcess,
}

/// What gives every agent the same share of the cores, whatever it starts.
#[derive(Debug)]
pub(super) enum CpuShares {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A group of its own: cgroup v1.
    Group(Hierarchy),
    /// Nothing does.
    None,
}

/// What makes an agent that keeps running stand still while it is not to move.
#[derive(Debug)]
pub(super) enum Freezer {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A group of its own: cgroup v1.
    Group(Hierarchy),
    /// Nothing does.
    None,
}

/// What limits the number of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessLimiter {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// The user, which is the agent's own.
    User,
    /// A user namespace, which is the job's own.
    Namespace,
    /// The user, which has this many other processes.
    Shared(u64),
}

impl ProcessLimiter {
    /// The limit that a launcher sets for an agent that may have `most` processes.
    pub(super) fn limit(self, most: u32) -> Option<u64> {
        match self {
            ProcessLimiter::Account => None,
            ProcessLimiter::User | ProcessLimiter::Namespace => Some(u64::from(most)),
            ProcessLimiter::Shared(others) => Some(others + u64::from(most)),
        }
    }
}

impl Capabilities {
    /// A name that no other group of this master has.
    pub(super) fn next_name(&self) -> String {
        format!("agent-{}", self.names.fetch_add(1, Ordering::Relaxed))
    }

    /// The bytes of memory that an agent gets whose limit is this: a small machine keeps a quarter for itself.
    pub(super) fn memory_for(&self, most: u64) -> u64 {
        most.min(self.machine_memory / 4 * 3)
    }

    /// Whether agents cannot change their own files: as other users than their owner, or where they are mounted so.
    pub(super) fn keeps_games_apart(&self) -> bool {
        self.users.is_some() || self.namespaces.mounts()
    }

    /// In which user namespace launchers run. An ordinary user may change its root directory only in one of its own.
    pub(super) fn user_namespace_of_jobs(&self) -> UserNamespace {
        let alone = self.processes == ProcessLimiter::Namespace || self.users.is_none() && self.namespaces.mounts();
        if alone { UserNamespace::Own } else { UserNamespace::Inherited }
    }
}
