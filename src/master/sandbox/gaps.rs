//! Capabilities of this machine, and its gaps with a remedy for each.

use std::path::PathBuf;

use serde::Serialize;

use super::capabilities::{Capabilities, MemoryLimiter, ProcessLimiter, ProcessView, Sockets};
use super::job::{JobLimits, Tier};
use super::meter;
use super::precedence::Precedence;
use super::survey::own_programs;
use super::view::Layering;

/// Capabilities of this machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Survey {
    pub(crate) tier: Tier,
    /// Method by which the kernel counts user time, for leagues whose clock counts only that.
    pub(crate) user_time: &'static str,
    /// How memory is limited.
    pub(crate) memory: &'static str,
    /// Memory in bytes for all agents together.
    pub(crate) agents_memory: u64,
    /// How the number of processes is limited.
    pub(crate) processes: &'static str,
    /// The user that agents run as.
    pub(crate) user: &'static str,
    /// Programs of this project that are installed in a folder of programs. Agents do not see them.
    pub(crate) own_programs: Vec<PathBuf>,
    /// Missing capabilities and their remedies; empty if results from this machine can be official.
    pub(crate) gaps: Vec<Gap>,
}

/// A capability that this machine lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Gap {
    /// Consequence of the gap.
    pub(crate) what: &'static str,
    /// Remedy for the gap.
    pub(crate) remedy: &'static str,
}

impl Capabilities {
    pub(super) fn survey(&self) -> Survey {
        let is_root = nix::unistd::geteuid().is_root();
        let own_user = self.users.is_some();
        let spaces = self.namespaces;
        let has_groups = self.tier == Tier::CgroupV2;
        let landlock = self.landlock.is_some();
        let usual = JobLimits::default().memory;
        let or_root = |ordinary, root| if is_root { root } else { ordinary };
        let namespaces = or_root(
            "enable user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
             kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0), or run as root",
            "run with CAP_SYS_ADMIN (in a container: docker run --privileged)",
        );
        let groups = or_root(
            "run `systemd-run --user --scope -p Delegate=yes master ...`, or run as root",
            "run `mount -t cgroup2 none /sys/fs/cgroup` (in a container: docker run --privileged)",
        );
        // True if the machine has it; the consequence if not; the remedy.
        let all = [
            (
                landlock || own_user && spaces.mounts(),
                "agents can read and write every file that their user can, including each other's",
                "use Linux 5.13 or newer with Landlock enabled (lsm=landlock,... on the kernel's command line)",
            ),
            (
                spaces.processes() || self.landlock.is_some_and(|version| version >= 6),
                "agents can send signals to this user's processes, including the master",
                "enable user namespaces, or use Linux 6.12 or newer, whose Landlock prevents this",
            ),
            (
                self.process_view == ProcessView::Own || own_user && spaces.mounts(),
                "agents see which processes run and how much CPU time they use, including their opponents'",
                "enable user namespaces or run as root, with nothing mounted over /proc (in a container: docker run \
                 --privileged)",
            ),
            (
                spaces.processes(),
                "an agent's descendants can keep running after its turn until they are found and ended",
                namespaces,
            ),
            (
                has_groups,
                "CPU time is read from a counter that an agent might escape, or agents cannot start processes",
                groups,
            ),
            (
                !matches!(self.memory, MemoryLimiter::PerProcess),
                "an agent's memory is added up every 10 ms, not limited by the kernel: it can use more for that long, \
                 and neither files in its folders nor shared memory that no process has mapped count",
                "provide a memory controller: run as root, or run `systemd-run --user --scope -p Delegate=yes master ...`",
            ),
            (
                self.memory_for(usual) == usual,
                "an agent has less memory than the 4 GiB of the built-in leagues, whose results are therefore unofficial",
                "give this machine or the master's control group more memory, or lower limits.memory in your league or \
                 course",
            ),
            (
                self.has_shares,
                "an agent that starts many processes gets a larger share of the cores than its opponent, whose clock \
                 stops while it waits for a core",
                "provide the cpu controller of cgroup v2: run as root, or run \
                 `systemd-run --user --scope -p Delegate=yes master ...`",
            ),
            (has_groups, "a long-lived agent can keep thinking during its opponent's turn", groups),
            (
                Precedence::is_allowed(),
                "on a busy machine, an agent over its CPU time is stopped a few milliseconds late",
                "run as root (in a container: with CAP_SYS_NICE)",
            ),
            (
                spaces.mounts(),
                "the size of an agent's files is checked periodically, not limited by a separate file system",
                namespaces,
            ),
            (
                self.keeps_games_apart(),
                "agents can carry data from game to game in modes and attributes of their files, so results are unofficial",
                namespaces,
            ),
            (
                spaces.mounts() || own_programs().is_empty(),
                "agents can run this project's own programs, which are installed in a folder of programs",
                namespaces,
            ),
            (
                own_user,
                "agents run as this user, and only Landlock and seccomp protect its files and processes",
                "run as root",
            ),
            (
                !spaces.mounts() || self.layering != Some(Layering::Copy),
                "an agent's files are copied for each of its turns, which takes time if there are many",
                "use Linux 6.6 or newer with overlay file systems",
            ),
            (
                self.sockets == Sockets::Own,
                "agents cannot use sockets or System V shared memory, not even among their own processes",
                namespaces,
            ),
        ];
        Survey {
            tier: self.tier,
            user_time: match (has_groups, meter::is_exact()) {
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
            own_programs: own_programs(),
            user: if own_user { "separate users" } else { "this user" },
            gaps: all.into_iter().filter(|(there, ..)| !there).map(|(_, what, remedy)| Gap { what, remedy }).collect(),
        }
    }
}
