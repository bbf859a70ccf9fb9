//! The result of a job: how it ended and what it used.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde::{Deserialize, Serialize};

/// The result of a job.
#[derive(Clone, Debug)]
pub struct Run {
    /// The way in which the job ended.
    pub end: JobEnd,
    /// The working directory, as the job saw it.
    pub folder: PathBuf,
    /// CPU time of all its threads and descendants, as far as it counts.
    pub cpu: Duration,
    /// Wall time from the start of the agent's program to its end, less `waited` and `unseen`.
    pub wall: Duration,
    /// Wall time that it spent waiting for a core.
    pub waited: Duration,
    /// Wall time in which the referee could not tell whether it was waiting or asleep.
    pub unseen: Duration,
    /// Peak use of each resource.
    pub peak: Peak,
    /// Its standard output, if it was kept.
    pub stdout: Vec<u8>,
    /// Its standard error: all of it up to 16 KiB, otherwise the first and last 8 KiB with a line between them.
    pub stderr: Vec<u8>,
}

impl Run {
    /// Text that the job printed, with paths as its author knows them: relative to the working directory.
    pub(crate) fn text(&self, printed: &[u8]) -> String {
        let folder = self.folder.to_string_lossy();
        String::from_utf8_lossy(printed).replace(&format!("{folder}/"), "").replace(&*folder, ".")
    }
}

/// The way in which a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It exited with this code.
    Exited(i32),
    /// It was killed by this signal. In the first process of a namespace, which an agent may be, `abort` ends in
    /// SIGSEGV.
    Signalled(i32),
    /// It used up its CPU time.
    OverCpu,
    /// It used up its wall time by sleeping, or by waiting forever.
    OverWall,
    /// It waited for a core for so long that the referee gave up, which is not the agent's fault.
    Starved,
    /// It used up its memory.
    OverMemory,
    /// The kernel ended it because the machine had no more memory, although the job was within its limit. This is not
    /// the agent's fault.
    MachineOutOfMemory,
    /// It filled its working directory.
    OverDisk,
    /// It printed a line that was too long.
    OverOutput,
    /// Its program could not be started, for this reason.
    NotStarted(String),
}

/// A job's peak use of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Peak {
    /// Memory in bytes, including files in memory; `None` if this machine does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Number of processes and threads, sampled every 20 ms.
    pub processes: u32,
    /// Bytes in its working directory.
    pub disk: u64,
}

impl Peak {
    /// Returns the larger value for each resource.
    pub fn max_of(self, other: Peak) -> Peak {
        Peak {
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
            disk: self.disk.max(other.disk),
        }
    }
}

impl JobEnd {
    /// Returns true if the machine is to blame.
    pub fn is_machines(&self) -> bool {
        matches!(self, JobEnd::Starved | JobEnd::MachineOutOfMemory)
    }
}

impl fmt::Display for JobEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JobEnd::Exited(code) => write!(f, "exit code {code}"),
            JobEnd::Signalled(number) => match Signal::try_from(*number) {
                Ok(signal) => write!(f, "ended by {signal}"),
                Err(_) => write!(f, "ended by signal {number}"),
            },
            JobEnd::OverCpu => f.write_str("CPU time used up"),
            JobEnd::OverWall => f.write_str("hung"),
            JobEnd::Starved => f.write_str("the machine was too busy to run it"),
            JobEnd::OverMemory => f.write_str("out of memory"),
            JobEnd::MachineOutOfMemory => f.write_str("the machine ran out of memory"),
            JobEnd::OverDisk => f.write_str("working directory full"),
            JobEnd::OverOutput => f.write_str("printed a line that is too long"),
            JobEnd::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}
