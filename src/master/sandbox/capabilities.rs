//! This machine's capabilities for confining and measuring agents.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cgroup::Hierarchy;
use super::job::{Policy, Tier};
use super::namespaces::{Namespaces, UserNamespace, UserPool};
use super::view::Layering;

/// This machine's capabilities for confining and measuring agents, as far as they were found to work.
#[derive(Debug)]
pub(super) struct Capabilities {
    pub(super) policy: Policy,
    pub(super) tier: Tier,
    pub(super) namespaces: Namespaces,
    pub(super) process_view: ProcessView,
    /// Kind of mount that shows the agent's own files in a working directory; `None` if threads cannot mount.
    pub(super) layering: Option<Layering>,
    pub(super) sockets: Sockets,
    pub(super) users: Option<Arc<UserPool>>,
    /// Groups of cgroup v2, whose CPU time is read and which can be frozen; `None` in tiers without groups.
    pub(super) accounts: Option<Hierarchy>,
    pub(super) memory: MemoryLimiter,
    pub(super) processes: ProcessLimiter,
    /// True if every agent has the same share of the cores, however many processes it starts.
    pub(super) has_shares: bool,
    pub(super) cores: u32,
    /// Memory in bytes for all agents together.
    pub(super) agents_memory: u64,
    /// Version of the kernel's Landlock interface, if supported.
    pub(super) landlock: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessView {
    Own,
    /// All that its user can see.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Sockets {
    /// Allowed, in network and IPC namespaces made for this run alone.
    Own,
    /// Refused, since other agents could share them.
    Refused,
}

#[derive(Debug)]
pub(super) enum MemoryLimiter {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A separate group: cgroup v1.
    Group(Hierarchy),
    /// A limit on each single process.
    PerProcess,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessLimiter {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A limit on the user, who runs only the agent.
    User,
    /// A limit in the job's own user namespace.
    Namespace,
    /// A limit on the user, who has this many other processes.
    Shared(u64),
}

impl ProcessLimiter {
    /// Limit that a launcher sets for an agent with at most `most` processes.
    pub(super) fn limit(self, most: u32) -> Option<u64> {
        match self {
            ProcessLimiter::Account => None,
            ProcessLimiter::User | ProcessLimiter::Namespace => Some(u64::from(most)),
            ProcessLimiter::Shared(others) => Some(others + u64::from(most)),
        }
    }
}

impl Capabilities {
    /// Returns a random name for a group, since an agent sees it: a number would tell how many games were played.
    pub(super) fn random_name() -> String {
        format!("{:016x}", RandomState::new().hash_one(()))
    }

    /// Returns true if agents cannot change their own files: another user owns them, or they are mounted read-only.
    pub(super) fn keeps_games_apart(&self) -> bool {
        self.users.is_some() || self.namespaces.mounts()
    }

    /// User namespace for launchers. An ordinary user needs its own to change its root directory.
    pub(super) fn user_namespace_of_jobs(&self) -> UserNamespace {
        let alone = self.processes == ProcessLimiter::Namespace || self.users.is_none() && self.namespaces.mounts();
        if alone { UserNamespace::Own } else { UserNamespace::Inherited }
    }
}
