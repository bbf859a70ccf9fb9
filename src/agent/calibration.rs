use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::files::{read_text, write_whole};

/// What is known of the machine, and how the agent is to play on it; every field may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Calibration {
    /// Of this format: 1.
    pub version: u32,
    /// What a turn costs besides its search.
    pub costs: Costs,
    /// Search speed by game, nodes a CPU second.
    pub nodes_per_second: NodesPerSecond,
    /// What a drawn game's clock is worth: 0 spends the whole clock wisely; the larger, the less
    /// time goes into a move in a game. See [`Plan`](super::Plan).
    pub frugality: f64,
    /// A file of endgame tables, as `calibrate tables --pieces 6` writes it, seen from the agent's directory; none:
    /// those in the program are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<PathBuf>,
}

/// CPU time that a turn costs besides its search, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// From the start of the process to the first line of the program.
    pub start_up_ms: f64,
    /// From the last line of the program to the end of the process.
    pub exit_ms: f64,
    /// More of that for each MiB of memory in use.
    pub exit_ms_per_mib: f64,
    /// To read and write the files of a turn.
    pub files_ms: f64,
    /// One look at the CPU clock.
    pub clock_ms: f64,
    /// The smallest step of the CPU clock.
    pub clock_step_ms: f64,
}

/// Search speed by game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NodesPerSecond {
    /// American checkers.
    pub checkers: f64,
}

const VERSION: u32 = 1;

impl Default for Calibration {
    fn default() -> Calibration {
        Calibration {
            version: VERSION,
            costs: Costs::default(),
            nodes_per_second: NodesPerSecond::default(),
            frugality: 1.0,
            tables: None,
        }
    }
}

impl Default for Costs {
    /// Of a slow machine: twice to four times those of a usual one.
    fn default() -> Costs {
        Costs {
            start_up_ms: 2.0,
            exit_ms: 0.5,
            exit_ms_per_mib: 0.15,
            files_ms: 0.7,
            clock_ms: 0.001,
            clock_step_ms: 0.001,
        }
    }
}

impl Default for NodesPerSecond {
    fn default() -> NodesPerSecond {
        NodesPerSecond { checkers: 5e6 }
    }
}

impl Calibration {
    /// What calibration.txt says; the defaults if it is missing, damaged or of another version,
    /// which is told in `warnings`.
    pub fn load(path: &Path, warnings: &mut Vec<String>) -> Calibration {
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    warnings.push(format!("cannot read {}: {error}; played without it", path.display()));
                }
                return Calibration::default();
            }
        };
        Calibration::parse(&text).unwrap_or_else(|error| {
            warnings.push(format!("{} is of no use: {error:#}; played without it", path.display()));
            Calibration::default()
        })
    }

    /// Reads the text of a calibration file.
    ///
    /// # Errors
    /// It is no JSON, of another version, or has a number that no machine has.
    pub fn parse(text: &str) -> Result<Calibration> {
        let read: Calibration = serde_json::from_str(text).context("not the JSON that calibrate writes")?;
        ensure!(read.version == VERSION, "version {}, expected {VERSION}", read.version);
        let costs = &read.costs;
        for (name, value, most) in [
            ("start_up_ms", costs.start_up_ms, 1e4),
            ("exit_ms", costs.exit_ms, 1e4),
            ("exit_ms_per_mib", costs.exit_ms_per_mib, 1e2),
            ("files_ms", costs.files_ms, 1e4),
            ("clock_ms", costs.clock_ms, 1e3),
            ("clock_step_ms", costs.clock_step_ms, 1e3),
            ("checkers", read.nodes_per_second.checkers, 1e12),
            ("frugality", read.frugality, 1e6),
        ] {
            ensure!((0.0..=most).contains(&value), "{name} is {value}, expected 0 to {most}");
        }
        Ok(read)
    }

    /// Writes calibration.txt.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        write_whole(path, (serde_json::to_string_pretty(self)? + "\n").as_bytes())
    }
}

impl Costs {
    /// CPU time to keep for what comes after a search that used `mib` MiB of memory.
    pub fn after_search(&self, mib: f64) -> Duration {
        let ms = self.exit_ms + self.exit_ms_per_mib * mib + self.files_ms + 2.0 * self.clock_step_ms + self.clock_ms;
        Duration::from_secs_f64(ms / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let written = Calibration { frugality: 0.25, ..Calibration::default() };
        assert_eq!(Calibration::parse(&serde_json::to_string(&written).unwrap()).unwrap(), written);
    }

    #[test]
    fn a_file_may_say_only_what_it_wants_to_change() {
        let read = Calibration::parse("{\"frugality\": 0}").unwrap();
        assert_eq!(read, Calibration { frugality: 0.0, ..Calibration::default() });
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "{",
            "{\"version\": 9}",
            "{\"frugality\": -1}",
            "{\"costs\": {\"exit_ms\": 1e99}}",
            "{\"frugality\": \"much\"}",
        ] {
            assert!(Calibration::parse(text).is_err(), "{text}");
        }
    }
}
