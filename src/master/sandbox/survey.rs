use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde::Serialize;

use super::cgroup::{Group, Hierarchy, Kind};
use super::namespaces::Namespaces;
use super::order::{Order, Task};
use super::place::Place;
use super::users::Users;
use super::watch::Watch;
use super::{DiskLimit, End, Job, Limits, Output, Policy, SandboxError, Tier, confine, order, users};
use crate::master::micros;

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
    /// What is missing, and how it can be had; empty on a machine fit for official results.
    pub gaps: Vec<Gap>,
}

/// Something that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// What agents can do for want of it.
    pub what: &'static str,
    /// How it can be had.
    pub remedy: &'static str,
}

/// What there is to work with.
#[derive(Debug)]
pub(super) struct Means {
    pub(super) policy: Policy,
    pub(super) tier: Tier,
    pub(super) namespaces: Namespaces,
    pub(super) users: Option<Arc<Users>>,
    /// Groups whose CPU time is read; `None` with other tiers.
    pub(super) accounts: Option<Hierarchy>,
    pub(super) memory: Memory,
    pub(super) processes: Processes,
    /// Threads that can run at the same time.
    pub(super) cores: u32,
    /// The version of its interface.
    landlock: Option<u8>,
    names: AtomicU64,
}

/// What limits memory.
#[derive(Debug)]
pub(super) enum Memory {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// A group for this alone: cgroup v1.
    Group(Hierarchy),
    /// Each process by itself.
    Limit,
}

/// What limits the number of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// The group whose CPU time is read: cgroup v2.
    Account,
    /// The user, which is the agent's own.
    User,
    /// A user namespace, which is the job's own.
    Namespace,
    /// The user, which has so many other processes.
    Shared(u64),
}

impl Processes {
    /// What limits them, in this order of preference.
    fn find(policy: &Policy, accounts: Option<&Hierarchy>, users: Option<&Arc<Users>>) -> Processes {
        if accounts.is_some_and(|accounts| accounts.controls("pids")) {
            Processes::Account
        } else if users.is_some() {
            Processes::User
        } else if works(policy, &Order::trial(Vec::new(), order::Users::Own)) {
            Processes::Namespace
        } else {
            Processes::Shared(users::tasks_of_this_user())
        }
    }

    /// The limit that a launcher sets for an agent of so many processes.
    pub(super) fn limit(self, most: u32) -> Option<u64> {
        match self {
            Processes::Account => None,
            Processes::User | Processes::Namespace => Some(u64::from(most)),
            Processes::Shared(others) => Some(others + u64::from(most)),
        }
    }
}

impl Means {
    /// The best there is that the policy allows.
    pub(super) fn find(policy: &Policy) -> Result<Means, SandboxError> {
        let mut reasons = Vec::new();
        for tier in Tier::ALL.into_iter().filter(|&tier| policy.tier.is_none_or(|forced| forced == tier)) {
            match Means::of_tier(tier, policy) {
                Ok(_) if tier < policy.weakest => {
                    return Err(SandboxError::TooWeak { found: tier, weakest: policy.weakest });
                }
                Ok(means) => return Ok(means),
                Err(reason) => reasons.push((tier, reason)),
            }
        }
        let (tier, reason) = reasons.pop().unwrap_or((Tier::Rusage, String::new()));
        Err(SandboxError::Unavailable(tier, reason))
    }

    /// Sets up a tier and tries it on a program that uses a known time.
    fn of_tier(tier: Tier, policy: &Policy) -> Result<Means, String> {
        let namespaces = Namespaces::find();
        let join = |group: &Group| works(policy, &Order::trial(vec![group.door()], order::Users::All));
        let find = |kind| Hierarchy::find(kind, &join);
        let accounts = match tier {
            Tier::CgroupV2 => Some(find(Kind::V2).map_err(|error| error.to_string())?),
            Tier::CpuAcct => Some(find(Kind::CpuAcct).map_err(|error| error.to_string())?),
            Tier::Perf if !namespaces.processes() => {
                return Err("without a process namespace descendants cannot be ended".to_owned());
            }
            Tier::Perf | Tier::Rusage => None,
        };
        let memory = match &accounts {
            Some(accounts) if tier == Tier::CgroupV2 && accounts.controls("memory") => Memory::Account,
            _ => find(Kind::Memory).map_or(Memory::Limit, Memory::Group),
        };
        let users = Users::find();
        let processes = Processes::find(policy, accounts.as_ref(), users.as_ref());
        let (policy, landlock, names) = (policy.clone(), confine::landlock_version(), AtomicU64::new(0));
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let means = Means { policy, tier, namespaces, users, accounts, memory, processes, cores, landlock, names };
        means.try_out()
    }

    /// Gives itself back if it reads CPU time as it should.
    fn try_out(self) -> Result<Means, String> {
        const BURN: Duration = Duration::from_millis(3);
        let means = Arc::new(self);
        let Trial { used, read } = Trial::of(&means, BURN).map_err(|error| error.to_string())?;
        if read + Duration::from_millis(1) < used || read > used * 3 {
            return Err(format!("{read:?} was read where {used:?} was used"));
        }
        Arc::into_inner(means).ok_or_else(|| "a trial did not end".to_owned())
    }

    /// A name that no other group of this master has.
    pub(super) fn next_name(&self) -> String {
        format!("agent-{}", self.names.fetch_add(1, Ordering::Relaxed))
    }

    /// Which users launchers know. An ordinary user may change its root directory only where it is alone.
    pub(super) fn users_of_jobs(&self) -> order::Users {
        let alone = self.processes == Processes::Namespace || self.users.is_none() && self.namespaces.mounts();
        if alone { order::Users::Own } else { order::Users::All }
    }

    pub(super) fn survey(&self) -> Survey {
        let root = nix::unistd::geteuid().is_root();
        let own_user = self.users.is_some();
        let spaces = self.namespaces;
        let landlock = self.landlock.is_some();
        let remedies = [
            (landlock || own_user && spaces.mounts(), LANDLOCK),
            (spaces.processes() || self.landlock.is_some_and(|version| version >= 6), SIGNALS),
            (spaces.processes(), if root { NAMESPACES_ROOT } else { NAMESPACES }),
            (self.tier >= Tier::CpuAcct, if root { ACCOUNTS_ROOT } else { ACCOUNTS }),
            (!matches!(self.memory, Memory::Limit), MEMORY),
            (spaces.mounts(), MOUNTS),
            (own_user, USERS),
        ];
        let gaps = remedies.into_iter().filter(|(there, _)| !there).map(|(_, gap)| gap).collect();
        Survey {
            tier: self.tier,
            memory: match self.memory {
                Memory::Account => "by cgroup v2",
                Memory::Group(_) => "by cgroup v1",
                Memory::Limit => "process by process",
            },
            processes: match self.processes {
                Processes::Account => "by cgroup v2",
                Processes::User => "by their user",
                Processes::Namespace => "by their user namespace",
                Processes::Shared(_) => "together with the other processes of this user",
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
const NAMESPACES: Gap = Gap {
    what: "descendants of an agent may go on after its turn, until they are found and ended",
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
const MOUNTS: Gap = Gap {
    what: "an agent's files are counted from time to time, not limited by a file system of their own",
    remedy: "user namespaces or root, as above",
};
const USERS: Gap = Gap {
    what: "agents run as this user; only Landlock and seccomp keep them from its files and processes",
    remedy: "run as root",
};

/// How CPU time of a known amount was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// What was used.
    #[serde(with = "micros")]
    pub used: Duration,
    /// What was read.
    #[serde(with = "micros")]
    pub read: Duration,
}

impl Trial {
    /// Runs an agent that uses this much CPU time and says how much it was.
    pub(super) fn of(means: &Arc<Means>, time: Duration) -> Result<Trial, SandboxError> {
        let means = Arc::clone(means);
        // Not in the calling thread, which keeps its namespaces.
        let thread = thread::spawn(move || {
            let folder = tempfile::tempdir().map_err(|error| SandboxError::system("cannot make a folder", error))?;
            let place = Place::new(&means, folder.path(), "trial", DiskLimit::default())?;
            Watch::start(Rc::new(place), &trial_job(), Task::Burn(time))?.finish()
        });
        let failed = |why: String| SandboxError::system("a trial run", io::Error::other(why));
        let run = thread.join().unwrap_or_else(|_| Err(failed("panicked".to_owned())))?;
        let text = String::from_utf8_lossy(&run.stdout);
        match (&run.end, text.trim().parse()) {
            (End::Exited(0), Ok(used)) => Ok(Trial { used: Duration::from_nanos(used), read: run.cpu }),
            _ => Err(failed(format!("{}, {}", run.end, String::from_utf8_lossy(&run.stderr)))),
        }
    }
}

fn trial_job() -> Job {
    let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
    Job {
        program: PathBuf::new(),
        arguments: Vec::new(),
        readable: Vec::new(),
        input: Vec::new(),
        output: Output::Keep { bytes: 100 },
        limits,
    }
}

/// Whether a launcher can do as it is told.
fn works(policy: &Policy, trial: &Order) -> bool {
    let child = trial
        .command(&policy.launcher, Path::new(""))
        .and_then(|mut command| command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status());
    child.is_ok_and(|status| status.success())
}
