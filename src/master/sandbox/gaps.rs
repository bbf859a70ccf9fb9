//! What this machine offers and lacks, with a remedy for each gap.

use serde::Serialize;

use super::capabilities::{Capabilities, MemoryLimiter, ProcessLimiter, ProcessView};
use super::job::JobLimits;
use super::launch_spec::Sockets;
use super::layering::Layering;
use super::precedence::Precedence;
use super::tier::Tier;
use super::user_time;

/// This machine's capabilities for confining and measuring agents.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// Method of reading CPU time.
    pub tier: Tier,
    /// How the kernel counts user time, for leagues whose clock counts it alone.
    pub user_time: &'static str,
    /// Method of limiting memory.
    pub memory: &'static str,
    /// Memory in bytes for all agents together.
    pub agents_memory: u64,
    /// Method of limiting the number of processes.
    pub processes: &'static str,
    /// The user that agents run as.
    pub user: &'static str,
    /// Missing capabilities and their remedies; empty if results from this machine can be official.
    pub gaps: Vec<Gap>,
}

/// A capability that this machine lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// Consequence of the gap.
    pub what: &'static str,
    /// Remedy.
    pub remedy: &'static str,
}

impl Capabilities {
    pub(super) fn survey(&self) -> Survey {
        let root = nix::unistd::geteuid().is_root();
        let own_user = self.users.is_some();
        let spaces = self.namespaces;
        let landlock = self.landlock.is_some();
        let usual = JobLimits::default().memory;
        let remedies = [
            (landlock || own_user && spaces.mounts(), LANDLOCK),
            (spaces.processes() || self.landlock.is_some_and(|version| version >= 6), SIGNALS),
            (self.process_view == ProcessView::Own || own_user && spaces.mounts(), PROCESSES),
            (spaces.processes(), if root { NAMESPACES_ROOT } else { NAMESPACES }),
            (self.tier == Tier::CgroupV2, if root { ACCOUNTS_ROOT } else { ACCOUNTS }),
            (!matches!(self.memory, MemoryLimiter::PerProcess), MEMORY),
            (self.memory_for(usual) == usual, MEMORY_SIZE),
            (self.has_shares, SHARES),
            (self.tier == Tier::CgroupV2, FREEZER),
            (Precedence::is_allowed(), PRECEDENCE),
            (spaces.mounts(), if root { MOUNTS_ROOT } else { MOUNTS }),
            (self.keeps_games_apart(), if root { FILES_ROOT } else { FILES }),
            (own_user, USERS),
            (!spaces.mounts() || self.layering != Some(Layering::Copy), OVERLAYS),
            (self.sockets == Sockets::Own, if root { SOCKETS_ROOT } else { SOCKETS }),
        ];
        let gaps = remedies.into_iter().filter(|(there, _)| !there).map(|(_, gap)| gap).collect();
        Survey {
            tier: self.tier,
            user_time: match (self.tier == Tier::CgroupV2, user_time::is_exact()) {
                (false, _) => "not told apart from system time: results by user time alone are unofficial",
                (true, false) => {
                    "sampled at ticks, so that agents can dodge it: results by user time alone are unofficial"
                }
                (true, true) => "counted exactly",
            },
            memory: match self.memory {
                MemoryLimiter::Account => "by cgroup v2",
                MemoryLimiter::Group(_) => "by cgroup v1",
                MemoryLimiter::PerProcess => "by adding up its processes",
            },
            agents_memory: self.agents_memory,
            processes: match self.processes {
                ProcessLimiter::Account => "by cgroup v2",
                ProcessLimiter::User => "by user",
                ProcessLimiter::Namespace => "by user namespace",
                ProcessLimiter::Shared(_) => "together with the other processes of this user",
            },
            user: if own_user { "separate users" } else { "this user" },
            gaps,
        }
    }
}

const LANDLOCK: Gap = Gap {
    what: "agents can read and write every file that their user can, including each other's",
    remedy: "use Linux 5.13 or newer with Landlock enabled (lsm=landlock,... on the kernel's command line)",
};
const SIGNALS: Gap = Gap {
    what: "agents can send signals to this user's processes, including the master",
    remedy: "enable user namespaces, or use Linux 6.12 or newer, whose Landlock prevents this",
};
const PROCESSES: Gap = Gap {
    what: "agents see which processes run and how much CPU time they use, including their opponents'",
    remedy: "enable user namespaces or run as root, with nothing mounted over /proc (in a container: docker run \
             --privileged)",
};
const NAMESPACES: Gap = Gap {
    what: "an agent's descendants can keep running after its turn until they are found and ended",
    remedy: "enable user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
             kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0), or run as root",
};
const NAMESPACES_ROOT: Gap =
    Gap { what: NAMESPACES.what, remedy: "run with CAP_SYS_ADMIN (in a container: docker run --privileged)" };
const ACCOUNTS: Gap = Gap {
    what: "CPU time is read from a counter that an agent might escape, or agents cannot start processes",
    remedy: "run `systemd-run --user --scope -p Delegate=yes master ...`, or run as root",
};
const ACCOUNTS_ROOT: Gap = Gap {
    what: ACCOUNTS.what,
    remedy: "run `mount -t cgroup2 none /sys/fs/cgroup` (in a container: docker run --privileged)",
};
const MEMORY: Gap = Gap {
    what: "an agent's memory is added up every 10 ms, not limited by the kernel: it can use more for that long, and \
           neither files in its folders nor shared memory that no process has mapped count",
    remedy: "provide a memory controller: run as root, or run `systemd-run --user --scope -p Delegate=yes master ...`",
};
const MEMORY_SIZE: Gap = Gap {
    what: "an agent has less memory than the 4 GiB of the built-in leagues, whose results are therefore unofficial",
    remedy: "give this machine or the master's control group more memory, or lower limits.memory in your league or \
             course",
};
const SHARES: Gap = Gap {
    what: "an agent that starts many processes gets a larger share of the cores than its opponent, whose clock stops \
           while it waits for a core",
    remedy: "provide the cpu controller of cgroup v2: run as root, or run `systemd-run --user --scope -p Delegate=yes master ...`",
};
const FREEZER: Gap = Gap {
    what: "a long-lived agent can keep thinking during its opponent's turn",
    remedy: "provide cgroup v2: run as root, or run `systemd-run --user --scope -p Delegate=yes master ...`",
};
const PRECEDENCE: Gap = Gap {
    what: "on a busy machine, an agent over its CPU time is stopped a few milliseconds late",
    remedy: "run as root (in a container: with CAP_SYS_NICE)",
};
const MOUNTS: Gap = Gap {
    what: "the size of an agent's files is checked periodically, not limited by a separate file system",
    remedy: NAMESPACES.remedy,
};
const MOUNTS_ROOT: Gap = Gap { what: MOUNTS.what, remedy: NAMESPACES_ROOT.remedy };
const FILES: Gap = Gap {
    what: "agents can carry data from game to game in modes and attributes of their files, so results are unofficial",
    remedy: NAMESPACES.remedy,
};
const FILES_ROOT: Gap = Gap { what: FILES.what, remedy: NAMESPACES_ROOT.remedy };
const USERS: Gap = Gap {
    what: "agents run as this user, and only Landlock and seccomp protect its files and processes",
    remedy: "run as root",
};
const OVERLAYS: Gap = Gap {
    what: "an agent's files are copied for each of its turns, which takes time if there are many",
    remedy: "use Linux 6.6 or newer with overlay file systems",
};
const SOCKETS: Gap = Gap {
    what: "agents cannot use sockets or System V shared memory, not even among their own processes",
    remedy: "enable user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
             kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0), or run as root",
};
const SOCKETS_ROOT: Gap = Gap { remedy: "run with CAP_SYS_ADMIN (in a container: docker run --privileged)", ..SOCKETS };
