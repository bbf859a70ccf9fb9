//! Limits on what happens before an agent's first game: on its files, its build and its `calibrate`.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::sandbox::DiskLimit;

/// Limits on an agent's files, its build and its `calibrate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PreparationLimits {
    /// The files of a submission, both as handed in and as built.
    pub files: TreeLimits,
    /// Its build.
    pub build: BuildLimits,
    /// Its `calibrate`.
    pub calibrate: CalibrateLimits,
}

/// Limits on a folder or an archive. Entries of an archive that are left out count as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TreeLimits {
    /// Total length of its files, unpacked, in bytes; holes in a file count. An archive may be only slightly larger.
    pub bytes: u64,
    /// Total number of files and folders.
    pub entries: u64,
    /// Maximum depth of nested folders, including the outermost.
    pub depth: usize,
    /// Maximum length of a file or folder name in bytes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1, max = 255)))]
    pub name: usize,
    /// Maximum length of a path inside the folder, in bytes.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1, max = 2048)))]
    pub path: usize,
}

/// Limits on the build of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct BuildLimits {
    /// CPU time of all commands together in seconds; their wall time has the same limit.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1, max = MOST_SECONDS)))]
    pub seconds: u64,
    /// Memory in bytes, which includes the files that the commands write.
    #[cfg_attr(feature = "schemas", schemars(range(min = LEAST_MEMORY)))]
    pub memory: u64,
}

/// Limits on a run of `calibrate`. It has as much memory and disk space as in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct CalibrateLimits {
    /// Wall time in seconds.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1, max = MOST_SECONDS)))]
    pub seconds: u64,
}

/// Minimum memory of a build: less than the smallest compilers need.
const LEAST_MEMORY: u64 = 64 << 20;
const MOST_SECONDS: u64 = 7 * 24 * 3600;
/// Before the first game, a program may wait for cores for twice its time and this: it delays all others.
const WAITING: Duration = Duration::from_secs(60);
/// Number of files and folders that a build may have at any time. Far more than it may leave behind, since compilers
/// remove most of what they write.
const FILES_OF_A_BUILD: u64 = 1 << 17;

impl Default for TreeLimits {
    /// Far more than a submission needs.
    fn default() -> TreeLimits {
        TreeLimits { bytes: 512 << 20, entries: 10_000, depth: 32, name: 255, path: 1024 }
    }
}

impl Default for BuildLimits {
    fn default() -> BuildLimits {
        BuildLimits { seconds: 120, memory: 2 << 30 }
    }
}

impl Default for CalibrateLimits {
    fn default() -> CalibrateLimits {
        CalibrateLimits { seconds: 300 }
    }
}

impl PreparationLimits {
    pub(crate) fn is_default(&self) -> bool {
        *self == PreparationLimits::default()
    }

    /// Returns an error with the name of the first field with which nothing could be prepared.
    ///
    /// # Errors
    /// A limit is too low or too high.
    pub fn check(&self) -> Result<()> {
        let PreparationLimits { files, build, calibrate } = self;
        let TreeLimits { bytes, entries, depth, name, path } = *files;
        let counts = [("bytes", bytes), ("entries", entries), ("depth", depth as u64), ("name", name as u64)];
        for (field, most) in counts.into_iter().chain([("path", path as u64)]) {
            ensure!(most > 0, "preparation.files.{field} is 0, expected at least 1");
        }
        // Longer names and paths do not exist, or cannot be opened inside the folders of the referee.
        ensure!(name <= 255, "preparation.files.name is {name}, expected at most 255");
        ensure!(path <= 2048, "preparation.files.path is {path}, expected at most 2048");
        for (field, seconds) in [("build", build.seconds), ("calibrate", calibrate.seconds)] {
            ensure!(
                (1..=MOST_SECONDS).contains(&seconds),
                "preparation.{field}.seconds is {seconds}, expected 1 to {MOST_SECONDS}"
            );
        }
        let memory = build.memory;
        ensure!(
            memory >= LEAST_MEMORY,
            "preparation.build.memory is {memory} bytes, expected at least {LEAST_MEMORY}, which a compiler needs"
        );
        Ok(())
    }
}

/// Time that a program may wait for cores, in addition to this time.
pub(crate) fn waiting(time: Duration) -> Duration {
    time.saturating_mul(2).saturating_add(WAITING)
}

impl BuildLimits {
    /// CPU and wall time of all commands together.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Limits on the folder in which the commands run.
    pub(crate) fn of_disk(&self) -> DiskLimit {
        DiskLimit { bytes: self.memory, files: FILES_OF_A_BUILD }
    }
}

impl CalibrateLimits {
    /// Wall time.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PreparationLimits> {
        let limits: PreparationLimits = serde_json::from_str(text)?;
        limits.check().map(|()| limits)
    }

    #[test]
    fn some_limits_may_be_given() {
        assert!(read("{}").unwrap().is_default());
        let limits =
            read(r#"{"files": {"entries": 7}, "build": {"seconds": 5}, "calibrate": {"seconds": 9}}"#).unwrap();
        assert_eq!((limits.files.entries, limits.files.depth), (7, 32));
        assert_eq!((limits.build.time(), limits.build.memory), (Duration::from_secs(5), 2 << 30));
        assert_eq!(limits.calibrate.time(), Duration::from_secs(9));
    }

    #[test]
    fn limits_with_which_nothing_works_are_refused_by_name() {
        for (text, expected) in [
            (r#"{"files": {"entries": 0}}"#, "preparation.files.entries is 0"),
            (r#"{"files": {"bytes": 0}}"#, "preparation.files.bytes is 0"),
            (r#"{"files": {"depth": 0}}"#, "preparation.files.depth is 0"),
            (r#"{"files": {"name": 300}}"#, "preparation.files.name is 300, expected at most 255"),
            (r#"{"files": {"path": 5000}}"#, "preparation.files.path is 5000"),
            (r#"{"build": {"seconds": 0}}"#, "preparation.build.seconds is 0, expected 1 to"),
            (r#"{"build": {"memory": 1000000}}"#, "preparation.build.memory is 1000000 bytes, expected at least"),
            (r#"{"calibrate": {"seconds": 0}}"#, "preparation.calibrate.seconds is 0"),
            (r#"{"calibrate": {"seconds": 99999999999}}"#, "preparation.calibrate.seconds is 99999999999"),
            (r#"{"calibrate": {"minutes": 1}}"#, "unknown field `minutes`"),
            (r#"{"build": {"seconds": -1}}"#, "invalid value"),
        ] {
            let error = format!("{:#}", read(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
