//! What is missing on this machine, and how can it be had?

use serde::Serialize;

use super::Tier;
use super::capabilities::{Capabilities, CpuShares, Freezer, MemoryLimiter, ProcessLimiter, Sees};
use super::precedence::Precedence;

/// What this machine offers to confine and measure agents.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// How CPU time is read.
    pub tier: Tier,
    /// How memory is limited.
    pub memory: &'static str,
    /// How the number of processes is limited.
    pub processes: &'static str,
    /// As whom agents run.
    pub user: &'static str,
    /// What is missing, and how it can be had; empty if results of this machine can be official.
    pub gaps: Vec<Gap>,
}

/// Something that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// What agents can do without it.
    pub what: &'static str,
    /// How to get it.
    pub remedy: &'static str,
}

impl Capabilities {
    pub(super) fn survey(&self) -> Survey {
        let root = nix::unistd::geteuid().is_root();
        let own_user = self.users.is_some();
        let spaces = self.namespaces;
        let landlock = self.landlock.is_some();
        let remedies = [
            (landlock || own_user && spaces.mounts(), LANDLOCK),
            (spaces.processes() || self.landlock.is_some_and(|version| version >= 6), SIGNALS),
            (self.sees == Sees::Own || own_user && spaces.mounts(), PROCESSES),
            (spaces.processes(), if root { NAMESPACES_ROOT } else { NAMESPACES }),
            (self.tier >= Tier::CpuAcct, if root { ACCOUNTS_ROOT } else { ACCOUNTS }),
            (!matches!(self.memory, MemoryLimiter::PerProcess), MEMORY),
            (!matches!(self.shares, CpuShares::None), SHARES),
            (!matches!(self.freezer, Freezer::None), FREEZER),
            (Precedence::is_allowed(), PRECEDENCE),
            (spaces.mounts(), MOUNTS),
            (self.keeps_games_apart(), FILES),
            (own_user, USERS),
        ];
        let gaps = remedies.into_iter().filter(|(there, _)| !there).map(|(_, gap)| gap).collect();
        Survey {
            tier: self.tier,
            memory: match self.memory {
                MemoryLimiter::Account => "by cgroup v2",
                MemoryLimiter::Group(_) => "by cgroup v1",
                MemoryLimiter::PerProcess => "process by process",
            },
            processes: match self.processes {
                ProcessLimiter::Account => "by cgroup v2",
                ProcessLimiter::User => "by their user",
                ProcessLimiter::Namespace => "by their user namespace",
                ProcessLimiter::Shared(_) => "together with the other processes of this user",
            },
            user: if own_user { "users of their own" } else { "this user" },
            gaps,
        }
    }
}

const LANDLOCK: Gap = Gap {
    what: "agents can read and write whatever their user can: each other's files too",
    remedy: "a kernel of 5.13 or newer with Landlock (lsm=landlock,... on its command line)",
};
const SIGNALS: Gap = Gap {
    what: "agents can send signals to this user's processes, the master among them",
    remedy: "user namespaces, or a kernel of 6.12 or newer, whose Landlock keeps them from it",
};
const PROCESSES: Gap = Gap {
    what: "agents see which processes run, and how much CPU time they take: their opponents' too",
    remedy: "user namespaces or root, and a /proc that nothing is mounted over (in a container, docker run --privileged)",
};
const NAMESPACES: Gap = Gap {
    what: "descendants of an agent may keep running after its turn, until they are found and ended",
    remedy: "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, \
             kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0; or run as root",
};
const NAMESPACES_ROOT: Gap =
    Gap { what: NAMESPACES.what, remedy: "run with CAP_SYS_ADMIN: in a container, docker run --privileged" };
const ACCOUNTS: Gap = Gap {
    what: "CPU time is read from a counter that an agent may get rid of, or agents may not fork",
    remedy: "systemd-run --user --scope -p Delegate=yes master ...; or run as root",
};
const ACCOUNTS_ROOT: Gap = Gap {
    what: ACCOUNTS.what,
    remedy: "mount -t cgroup2 none /sys/fs/cgroup; in a container, docker run --privileged",
};
const MEMORY: Gap = Gap {
    what: "memory is limited process by process, not for an agent and its descendants together",
    remedy: "a memory controller: run as root, or systemd-run --user --scope -p Delegate=yes master ...",
};
const SHARES: Gap = Gap {
    what: "an agent that starts many processes gets more of the cores than another; its own clock stands still while it \
           waits for one",
    remedy: "a cpu controller: run as root, or systemd-run --user --scope -p Delegate=yes master ...",
};
const FREEZER: Gap = Gap {
    what: "an agent that keeps running can go on thinking while its opponent is to move",
    remedy: "cgroup v2, or the freezer of cgroup v1: run as root, or systemd-run --user --scope -p Delegate=yes master ...",
};
const PRECEDENCE: Gap = Gap {
    what: "beside busy programs an agent over its CPU time is ended some milliseconds late",
    remedy: "run as root; in a container, with CAP_SYS_NICE",
};
const MOUNTS: Gap = Gap {
    what: "an agent's files are counted from time to time, not limited by a file system of their own",
    remedy: "user namespaces or root, as above",
};
const FILES: Gap = Gap {
    what: "agents can keep data from game to game, in modes and attributes of their own files: results are unofficial",
    remedy: "user namespaces or root, as above",
};
const USERS: Gap = Gap {
    what: "agents run as this user; only Landlock and seccomp keep them from its files and processes",
    remedy: "run as root",
};
