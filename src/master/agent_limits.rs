//! What may an agent use besides time?

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::sandbox::{DiskLimit, JobLimits};

/// What an agent may use besides time, all its processes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentLimits {
    /// Bytes of memory; of a small machine at most three quarters of what it has.
    pub memory: u64,
    /// Processes and threads at the same time.
    pub processes: u32,
    /// Files that one process has open at the same time.
    pub open_files: u64,
    /// Bytes in its working directory.
    pub disk: u64,
    /// Files and directories in its working directory, without its own.
    pub files: u64,
    /// Bytes of one line in a game by commands. Other output, and standard error, are read and thrown away, however much
    /// it is.
    pub output: usize,
}

impl Default for AgentLimits {
    /// Enough for agents in any language: one of a course's best needs 1.2 GB of memory, a runtime starts dozens of
    /// threads.
    fn default() -> AgentLimits {
        let JobLimits { memory, processes, open_files, .. } = JobLimits::default();
        let DiskLimit { bytes: disk, files } = DiskLimit::default();
        AgentLimits { memory, processes, open_files, disk, files, output: 1 << 20 }
    }
}

impl AgentLimits {
    /// Those of its working directory, into which this many files of its own are put.
    pub fn of_disk(&self, own_files: usize) -> DiskLimit {
        DiskLimit { bytes: self.disk, files: self.files.saturating_add(own_files as u64) }
    }

    /// Those of a run of its program, with these of CPU and wall time.
    pub fn of_job(&self, cpu: Option<Duration>, wall: Duration) -> JobLimits {
        let AgentLimits { memory, processes, open_files, disk: file_size, .. } = *self;
        JobLimits { cpu, wall, memory, processes, open_files, file_size }
    }
}

impl fmt::Display for AgentLimits {
    /// `4 GiB of memory, 512 processes and threads, ...`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentLimits { memory, processes, open_files, disk, files, output } = *self;
        let [memory, disk, output] = [memory, disk, output as u64].map(Bytes);
        write!(
            f,
            "{memory} of memory, {processes} processes and threads, {open_files} open files a process, {disk} in {files} \
             files in its working directory, {output} in a line of output"
        )
    }
}

/// A number of bytes, shown in the largest unit that makes it at least 1.
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
    fn limits_are_shown_in_round_units() {
        let text = AgentLimits::default().to_string();
        assert!(text.starts_with("4 GiB of memory, 512 processes and threads,"), "{text}");
        let shown = [0, 1023, 1 << 10, (1 << 20) + (1 << 19), 1 << 30].map(|count| Bytes(count).to_string());
        assert_eq!(shown, ["0 bytes", "1023 bytes", "1 KiB", "1.5 MiB", "1 GiB"]);
    }
}
