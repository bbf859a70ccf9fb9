//! The sandbox: hostile programs, run by the real master in every tier of this machine.

mod breakouts;
mod burning;
mod cells;
mod channels;
mod doctor;
mod ends;
mod groups;
pub(crate) mod leftovers;
mod memory;
mod processes;
mod renewals;

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use kingline_master::sandbox::{Cell, DiskLimit, Job, JobLimits, Output, Policy, Sandbox, Tier};
use nix::unistd::geteuid;
use serde::Deserialize;

use self::groups::Group;

use crate::support::referee::*;

fn hostile() -> PathBuf {
    let path = example("hostile");
    assert!(path.exists(), "{} is missing: cargo build -p kingline-master --example hostile", path.display());
    path
}

/// A sandbox of this process, with the best tier.
fn sandbox() -> Sandbox {
    let launcher = Program::Master.path().to_path_buf();
    Sandbox::open(&Policy { launcher, ..Policy::default() }).expect("means to confine agents")
}

/// Limits that no test here reaches by accident.
fn limits() -> JobLimits {
    JobLimits { cpu: Some(Duration::from_secs(10)), wall: Duration::from_secs(30), ..JobLimits::default() }
}

/// A cell in a directory.
fn cell(dir: &Dir) -> Cell {
    sandbox().cell(&dir.path(""), "cell", DiskLimit::default()).expect("a cell")
}

/// A job with these limits, whose output is kept.
fn job(program: impl Into<PathBuf>, arguments: &[&str]) -> Job {
    let program = program.into();
    Job {
        arguments: arguments.iter().map(Into::into).collect(),
        readable: vec![program.clone()],
        program,
        input: Vec::new(),
        output: Output::Keep { bytes: 1 << 20 },
        limits: limits(),
    }
}

/// The user that the master runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum As {
    /// The user who runs the tests.
    This,
    /// An ordinary user.
    Nobody,
    /// An ordinary user who may make control groups.
    Delegate,
    /// An agent, which has almost no rights.
    Agent,
}

/// A combination of tier and user that works here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    who: As,
    tier: Tier,
}

/// Result of running a program.
#[derive(Debug, Deserialize)]
struct Tried {
    end: String,
    /// CPU time in microseconds.
    cpu: u64,
    stdout: String,
    stderr: String,
}

/// All combinations that work here; reports the others once.
fn ways() -> &'static [Way] {
    static WAYS: OnceLock<Vec<Way>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let all = [As::This, As::Nobody, As::Delegate, As::Agent].map(|who| Tier::ALL.map(|tier| Way { who, tier }));
        let works = |way: &Way| match way.attempt(&[], &["true"]) {
            Ok(_) => true,
            Err(why) => {
                skipped(&format!("sandbox, as {:?} by {}", way.who, way.tier.name()), &why);
                false
            }
        };
        // A delegated group is used only in this tier.
        let of_use = |way: &Way| way.who != As::Delegate || way.tier == Tier::CgroupV2;
        let ways: Vec<Way> = all.into_iter().flatten().filter(|way| of_use(way) && works(way)).collect();
        assert!(ways.iter().any(|way| way.who == As::This), "agents cannot be confined here");
        ways
    })
}

impl Way {
    /// Runs a command as an agent, through `master doctor` with these options.
    #[track_caller]
    fn run(self, options: &[&str], command: &[&str]) -> Tried {
        self.attempt(options, command).unwrap_or_else(|why| panic!("{self:?} {command:?}: {why}"))
    }

    /// Runs the hostile program.
    #[track_caller]
    fn behave(self, options: &[&str], arguments: &[&str]) -> Tried {
        let program = hostile();
        let command = [&[program.to_str().expect("a name")], arguments].concat();
        self.run(options, &command)
    }

    fn attempt(self, options: &[&str], command: &[&str]) -> Result<Tried, String> {
        self.attempt_in(None, options, command)
    }

    /// Runs a command as an agent of a master in this group.
    fn attempt_in(self, memory: Option<&Group>, options: &[&str], command: &[&str]) -> Result<Tried, String> {
        let dir = Dir::new();
        dir.make_dir("bin");
        dir.make_dir("tmp");
        // Other users must be able to enter it and to make directories.
        for (name, mode) in [("", 0o755), ("bin", 0o755), ("tmp", 0o1777)] {
            dir.set_mode(name, mode);
        }
        let [master, program] = [Program::Master.path(), Path::new(command[0])].map(|path| self.reachable(&dir, path));
        let doctor = |tier: &str| -> Vec<String> {
            let doctor = [master.as_str(), "doctor", "--json", "--tier", tier];
            doctor.iter().chain(options).chain(&["--"]).map(ToString::to_string).collect()
        };
        let agent = std::iter::once(program).chain(command[1..].iter().map(ToString::to_string));
        let mut words = doctor(self.tier.name());
        words.extend(agent);
        let delegated = match self.who {
            As::Delegate if geteuid().is_root() => Some(Group::delegated()?),
            _ => None,
        };
        match self.who {
            As::This => {}
            As::Agent => words.splice(0..0, outer(&master)).for_each(drop),
            As::Nobody | As::Delegate if !geteuid().is_root() => {
                return Err("only root can change its user".to_owned());
            }
            As::Nobody | As::Delegate => words.splice(0..0, as_nobody()).for_each(drop),
        }
        let mut outer = match delegated.as_ref().or(memory) {
            Some(group) => group.command(&words[0]),
            None => Command::new(&words[0]),
        };
        let ran = dir.run_command(outer.args(&words[1..]).env("TMPDIR", dir.path("tmp")));
        drop(delegated);
        let read = |text: &str| serde_json::from_str::<Tried>(text).map_err(|error| format!("{error}: {ran:?}"));
        if ran.code != Some(0) {
            return Err(ran.stderr);
        }
        let tried = read(&ran.stdout)?;
        if self.who != As::Agent {
            return Ok(tried);
        }
        if tried.end == "exit code 0" { read(&tried.stdout) } else { Err(format!("{}: {}", tried.end, tried.stderr)) }
    }

    /// Path at which the master's user can access a test program.
    fn reachable(self, dir: &Dir, program: &Path) -> String {
        let ours = program.starts_with(Program::Master.path().parent().expect("a folder"));
        let path = match program.file_name() {
            Some(name) if ours && self.who != As::This => {
                let copy = dir.path("bin").join(name);
                fs::hard_link(program, &copy).or_else(|_| fs::copy(program, &copy).map(drop)).expect("a copy");
                copy
            }
            _ => program.to_path_buf(),
        };
        path.to_str().expect("a name").to_owned()
    }
}

/// Command of a master that runs another command as an agent.
fn outer(master: &str) -> Vec<String> {
    [master, "doctor", "--json", "--"].map(str::to_owned).into()
}

/// Command that runs another command as an ordinary user.
fn as_nobody() -> Vec<String> {
    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"].map(str::to_owned).into()
}

/// Maximum number of tries per measurement.
const TRIES: usize = 10;

/// Asserts that a measurement is right in at least one of several tries. Other programs or the host of a virtual
/// machine may disturb single tries, while a real error shows in every one. If the host stole time in every try, the
/// measurement is reported as skipped, since some of the kernel's clocks count stolen time and others do not.
#[track_caller]
fn is_right_once(what: impl Display, mut attempt: impl FnMut() -> Result<(), String>) {
    let mut wrong = Vec::new();
    let mut undisturbed = 0;
    while wrong.len() < TRIES {
        let before = stolen();
        let Err(how) = attempt() else { return };
        undisturbed += usize::from(stolen() == before);
        wrong.push(how);
    }
    let list = wrong.join("\n");
    assert!(undisturbed == 0, "{what}: wrong in {TRIES} tries, of which {undisturbed} had no stolen time:\n{list}");
    skipped(&what.to_string(), &format!("the host steals time from this machine; read: {list}"));
}

/// Time that the host has stolen so far from all cores, in kernel ticks: the eighth number of `/proc/stat`.
fn stolen() -> u64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    stat.split_whitespace().nth(8).and_then(|ticks| ticks.parse().ok()).unwrap_or_default()
}
