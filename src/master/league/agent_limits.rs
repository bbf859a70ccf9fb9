//! Limits on an agent's resources other than time.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::clock_rules::Allowance;
use super::{League, Protocol};
use crate::sandbox::{DiskLimit, JobLimits, MemoryDemand, Sandbox};

/// Limits on resources other than time, shared by all processes of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AgentLimits {
    /// Memory in bytes; agents have less on a machine that has less for them.
    #[cfg_attr(feature = "schemas", schemars(range(min = 16777216)))]
    pub memory: u64,
    /// Number of processes and threads at any time.
    pub processes: u32,
    /// Number of open files per process.
    #[cfg_attr(feature = "schemas", schemars(range(min = 16)))]
    pub open_files: u64,
    /// Bytes in the working directory.
    #[cfg_attr(feature = "schemas", schemars(range(min = 65536)))]
    pub disk: u64,
    /// Files and directories in the working directory, not counting the agent's own files.
    #[cfg_attr(feature = "schemas", schemars(range(min = 8)))]
    pub files: u64,
    /// Bytes of the playdata.txt that an agent keeps from turn to turn; a larger one is dropped.
    pub playdata: u64,
    /// Length of a line, in bytes, in a game that uses text commands. Other output and standard error are read and
    /// discarded, whatever their size.
    #[cfg_attr(feature = "schemas", schemars(range(min = 16)))]
    pub output: usize,
}

impl Default for AgentLimits {
    /// Enough for agents in any language: one of a course's best agents needs 1.2 GB of memory, and a runtime starts
    /// dozens of threads.
    fn default() -> AgentLimits {
        let JobLimits { memory, processes, open_files, .. } = JobLimits::default();
        let DiskLimit { bytes: disk, files } = DiskLimit::default();
        AgentLimits { memory, processes, open_files, disk, files, playdata: 16 << 20, output: 1 << 20 }
    }
}

impl AgentLimits {
    /// Returns an error with the name of the first limit with which no agent could play a turn.
    ///
    /// # Errors
    /// A limit is too low.
    pub fn check(&self) -> Result<()> {
        let AgentLimits { memory, processes, open_files, disk, files, playdata: _, output } = *self;
        for (field, found, least) in [
            // The referee's own program, which becomes the agent, needs several MiB.
            ("memory", memory, 16 << 20),
            ("processes", u64::from(processes), 1),
            // The standard streams, and those that a runtime opens to load the program.
            ("open_files", open_files, 16),
            // The files of the protocol.
            ("disk", disk, 64 << 10),
            ("files", files, 8),
            ("output", output as u64, 16),
        ] {
            ensure!(found >= least, "limits.{field} is {found}, expected at least {least}");
        }
        Ok(())
    }

    /// Limits for a working directory.
    pub fn of_disk(&self) -> DiskLimit {
        DiskLimit { bytes: self.disk, files: self.files }
    }

    /// Limits for a run of the agent's program, with these limits on CPU and wall time.
    pub fn of_job(&self, cpu: Option<Duration>, wall: Duration) -> JobLimits {
        let AgentLimits { memory, processes, open_files, disk: file_size, .. } = *self;
        JobLimits { cpu, wall, memory, processes, open_files, file_size, ..JobLimits::default() }
    }
}

impl fmt::Display for AgentLimits {
    /// `4 GiB of memory, 512 processes and threads, ...`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentLimits { memory, processes, open_files, disk, files, playdata, output } = *self;
        let [memory, disk, playdata, output] = [memory, disk, playdata, output as u64].map(Bytes);
        write!(
            f,
            "{memory} of memory, {processes} processes and threads, {open_files} open files per process, {disk} \
             in {files} files in its working directory, {playdata} of playdata.txt, {output} per line of output"
        )
    }
}

/// A number of bytes, displayed in the largest unit that makes it at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u32, &str); 3] = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        match UNITS.iter().find(|(shift, _)| self.0 >> shift > 0) {
            Some((shift, unit)) if self.0.trailing_zeros() >= *shift => write!(f, "{} {unit}", self.0 >> shift),
            Some((shift, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / f64::from(1_u32 << shift)),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

impl Protocol {
    /// Number of agents of a game that run at once. Where each turn is a process, only one side runs at a time.
    fn agents_at_once(self) -> u32 {
        match self {
            Protocol::TurnFiles | Protocol::Request => 1,
            Protocol::Console2020 | Protocol::Console2015 => 2,
        }
    }
}

impl League {
    /// Memory needed to play this many games at once.
    pub fn memory_of(&self, games: usize) -> MemoryDemand {
        MemoryDemand { tasks: games, agents: self.protocol.agents_at_once(), each: self.limits.memory }
    }

    /// Returns this league with the memory limit that holds on this machine: agents have less if not even one game fits.
    pub fn here(&self, sandbox: &Sandbox) -> Cow<'_, League> {
        let memory = sandbox.share_memory(self.memory_of(1)).each;
        if memory == self.limits.memory {
            return Cow::Borrowed(self);
        }
        Cow::Owned(League { limits: AgentLimits { memory, ..self.limits }, ..self.clone() })
    }

    /// Describes how CPU time is read, for records, and marks unofficial results: those of a weak sandbox, with less
    /// memory than the league allows, or by user time that is not counted exactly.
    pub fn measurement(&self, sandbox: &Sandbox) -> String {
        let here = sandbox.share_memory(self.memory_of(1)).each;
        let memory = (here != self.limits.memory)
            .then(|| format!("{} of memory instead of {}", Bytes(here), Bytes(self.limits.memory)));
        let is_inexact = self.clock.counts == Allowance::User && !sandbox.counts_user_time();
        let user_time = is_inexact.then(|| "user time not counted exactly".to_owned());
        let why: Vec<String> = memory.into_iter().chain(user_time).collect();
        if why.is_empty() {
            return sandbox.measurement();
        }
        format!("{}, {}, unofficial", sandbox.tier(), why.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_may_name_some_limits() {
        let limits: AgentLimits = serde_json::from_str(r#"{"memory": 1073741824, "processes": 1}"#).unwrap();
        assert_eq!(limits, AgentLimits { memory: 1 << 30, processes: 1, ..AgentLimits::default() });
        assert!(serde_json::from_str::<AgentLimits>(r#"{"memroy": 1}"#).is_err());
    }

    #[test]
    fn limits_with_which_no_agent_can_start_are_refused_by_name() {
        AgentLimits::default().check().unwrap();
        for field in ["memory", "processes", "open_files", "disk", "files", "output"] {
            let limits: AgentLimits = serde_json::from_str(&format!("{{\"{field}\": 0}}")).unwrap();
            let error = limits.check().unwrap_err().to_string();
            assert!(error.starts_with(&format!("limits.{field} is 0, expected at least ")), "{error}");
        }
    }

    #[test]
    fn limits_are_shown_in_round_units() {
        let text = AgentLimits::default().to_string();
        assert!(text.starts_with("4 GiB of memory, 512 processes and threads,"), "{text}");
        let shown = [0, 1023, 1 << 10, (1 << 20) + (1 << 19), 1 << 30].map(|count| Bytes(count).to_string());
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1 KiB", "1.5 MiB", "1 GiB"]);
    }
}
