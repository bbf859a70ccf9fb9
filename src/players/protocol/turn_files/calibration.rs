//! calibration.txt: the speed of this machine, and how the agent plays on it.

mod read;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::read_if_there;

/// Measurements of the machine and settings of the agent, in calibration.txt. Every field is optional.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(default))]
pub struct Calibration {
    /// Version of the format: 1.
    pub version: u32,
    /// Costs of a turn outside its search.
    pub costs: Costs,
    /// Search speed by game, in nodes per CPU second.
    pub nodes_per_second: NodesPerSecond,
    /// Value of unused time in a game, from 0 (none: the agent uses the whole clock) to 1 (the default: a move takes
    /// the least time). calibration.txt allows at most 1; players in `calibrate` matches may have more.
    pub frugality: f64,
    /// Most CPU time that a game may cost, however much the clock shows; `None` if only the clock limits it. At least
    /// 0.1 s in calibration.txt.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_seconds")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<f64>"))]
    pub game_seconds: Option<Duration>,
    /// Endgame table file, written by `calibrate tables --pieces 6`. A relative path starts at the agent's directory.
    /// With `None`, the agent uses only the embedded tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<PathBuf>,
    /// Weight file, written by `calibrate fit checkers`, that replaces the embedded weights. A relative path starts at
    /// the agent's directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<PathBuf>,
}

/// CPU time of a turn outside its search, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(default))]
pub struct Costs {
    /// Process start, up to the first line of `main`.
    pub start_up_ms: f64,
    /// Process exit, from the last line of `main`.
    pub exit_ms: f64,
    /// Process exit, for each MiB of memory in use.
    pub exit_ms_per_mib: f64,
    /// Reading and writing the files of a turn.
    pub files_ms: f64,
    /// One call to the CPU clock.
    pub clock_ms: f64,
    /// Smallest step of the CPU clock.
    pub clock_step_ms: f64,
}

/// Search speed by game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(default))]
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
            game_seconds: None,
            tables: None,
            evaluation: None,
        }
    }
}

impl Default for Costs {
    /// Costs on a slow machine: two to four times the usual ones.
    fn default() -> Costs {
        Costs {
            start_up_ms: 2.0,
            exit_ms: 0.5,
            exit_ms_per_mib: 0.15,
            files_ms: 0.7,
            clock_ms: 0.001,
            // Windows counts CPU time by the ticks of its timer, 64 a second.
            clock_step_ms: if cfg!(windows) { 1000.0 / 64.0 } else { 0.001 },
        }
    }
}

impl Default for NodesPerSecond {
    fn default() -> NodesPerSecond {
        NodesPerSecond { checkers: 5e6 }
    }
}

impl Calibration {
    /// Loads calibration.txt, or the defaults if it is missing. Adds its errors to `warnings`.
    pub fn load(path: &Path, warnings: &mut Vec<String>) -> Calibration {
        let Some(text) = read_if_there(path, warnings) else { return Calibration::default() };
        let mut faults = Vec::new();
        let calibration = Calibration::parse(&text, &mut faults).unwrap_or_else(|error| {
            warnings.push(format!("{} is ignored: {error:#}", path.display()));
            Calibration::default()
        });
        warnings.extend(faults.iter().map(|fault| format!("{}: {fault}", path.display())));
        calibration
    }
}

fn as_seconds<S: serde::Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

impl Costs {
    /// CPU time for the files of a turn.
    pub fn files(&self) -> Duration {
        Duration::from_secs_f64(self.files_ms / 1000.0)
    }

    /// CPU time after a search that used `mib` MiB of memory: files, clock and process exit.
    pub fn after_search(&self, mib: f64) -> Duration {
        let ms = self.exit_ms + self.exit_ms_per_mib * mib + self.files_ms + 2.0 * self.clock_step_ms + self.clock_ms;
        Duration::from_secs_f64(ms / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parsed calibration, and the warnings about its text.
    fn read(text: &str) -> (Calibration, Vec<String>) {
        let mut warnings = Vec::new();
        let calibration = Calibration::parse(text, &mut warnings).unwrap();
        (calibration, warnings)
    }

    #[test]
    fn calibration_round_trips() {
        let written = Calibration {
            frugality: 0.25,
            game_seconds: Some(Duration::from_millis(1500)),
            tables: Some("../six.tables".into()),
            evaluation: Some("my.weights".into()),
            ..Calibration::default()
        };
        assert_eq!(read(&serde_json::to_string(&written).unwrap()), (written, vec![]));
    }

    #[test]
    fn fields_left_out_keep_their_defaults() {
        for (text, frugality) in
            [("{\"frugality\": 0}", 0.0), ("{\"frugality\": 1, \"tables\": null}", 1.0), ("{}", 1.0)]
        {
            assert_eq!(read(text), (Calibration { frugality, ..Calibration::default() }, vec![]), "{text}");
        }
    }

    #[test]
    fn a_bad_field_is_ignored_with_a_warning() {
        let fields = "the fields \"start_up_ms\", \"exit_ms\", \"exit_ms_per_mib\", \"files_ms\", \"clock_ms\", \
                      \"clock_step_ms\"";
        for (field, warning) in [
            (r#""frugality": 7"#, "frugality is 7, expected 0 to 1; ignored"),
            (r#""frugality": -0.5"#, "frugality is -0.5, expected 0 to 1; ignored"),
            (r#""frugality": "much""#, "frugality is \"much\", expected 0 to 1; ignored"),
            (r#""frugality": null"#, "frugality is null, expected 0 to 1; ignored"),
            (r#""game_seconds": 0"#, "game_seconds is 0, expected 0.1 to 1000000000; ignored"),
            (r#""game_seconds": "1""#, "game_seconds is \"1\", expected 0.1 to 1000000000; ignored"),
            (r#""tables": ["t"]"#, "tables is a list, expected a file path in quotes; ignored"),
            (r#""evaluation": 7"#, "evaluation is 7, expected a file path in quotes; ignored"),
            (r#""costs": 7"#, &format!("costs is 7, expected an object with {fields}; ignored")),
            (r#""costs": {"exit_ms": 20000}"#, "costs.exit_ms is 20000, expected 0 to 10000; ignored"),
            (r#""costs": {"exit_ms": {}}"#, "costs.exit_ms is an object, expected 0 to 10000; ignored"),
            (
                r#""nodes_per_second": {"checkers": -5}"#,
                "nodes_per_second.checkers is -5, expected 0 to 1000000000000; ignored",
            ),
            (
                r#""nodes_per_second": {"chess": 1}"#,
                "unknown field \"chess\" in nodes_per_second, expected checkers; ignored",
            ),
            (
                r#""frugalty": 0.5"#,
                "unknown field \"frugalty\" (did you mean frugality?), expected one of frugality, tables, costs, \
                 version, evaluation, game_seconds, nodes_per_second; ignored",
            ),
            (
                r#""costs": {"exit_sm": 1}"#,
                "unknown field \"exit_sm\" in costs (did you mean exit_ms?), expected one of exit_ms, files_ms, \
                 clock_ms, start_up_ms, exit_ms_per_mib, clock_step_ms; ignored",
            ),
        ] {
            let text = format!("{{\"version\": 1, {field}, \"tables\": \"t\"}}");
            let text = if field.contains("tables") { format!("{{{field}}}") } else { text };
            let tables = (!field.contains("tables")).then(|| "t".into());
            assert_eq!(
                read(&text),
                (Calibration { tables, ..Calibration::default() }, vec![warning.to_owned()]),
                "{text}"
            );
        }
    }

    #[test]
    fn fields_beside_a_bad_one_count() {
        let (calibration, warnings) = read(
            r#"{"costs": {"exit_ms": "x", "files_ms": 3}, "nodes_per_second": {"checkers": 1e6}, "frugality": 0.1}"#,
        );
        assert_eq!((calibration.costs.exit_ms, calibration.costs.files_ms), (0.5, 3.0));
        assert_eq!((calibration.nodes_per_second.checkers, calibration.frugality), (1e6, 0.1));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }

    #[test]
    fn the_last_of_repeated_fields_counts() {
        let (calibration, warnings) = read(r#"{"frugality": 0.1, "frugality": 0.5}"#);
        assert_eq!(calibration.frugality, 0.5);
        assert_eq!(warnings, ["\"frugality\" occurs more than once, expected once; the last one counts"]);
    }

    #[test]
    fn long_names_and_long_lists_are_truncated_in_warnings() {
        let (_, warnings) =
            read(&format!("{{\"{}\": 1, \"frugality\": \"{}\"}}", "x".repeat(99), "\u{9b}y".repeat(99)));
        assert!(warnings.iter().all(|warning| warning.len() < 250 && warning.is_ascii()), "{warnings:?}");
        let many: Vec<String> = (0..50).map(|number| format!("\"{number}\": 0")).collect();
        let (_, warnings) = read(&format!("{{{}}}", many.join(",")));
        assert_eq!(warnings.len(), 9);
        assert_eq!(warnings[8], "42 more bad fields; ignored");
    }

    #[test]
    fn text_that_is_no_calibration_is_refused_as_a_whole() {
        let json = "not the JSON that calibrate writes: ";
        for (text, message) in [
            ("", json),
            ("{", json),
            ("null", json),
            ("7", json),
            ("[]", json),
            ("{}{}", json),
            ("{\"frugality\": 1e400}", json),
            ("{\"version\": 9}", "version is 9, expected 1"),
            ("{\"version\": \"1\"}", "version is \"1\", expected 1"),
        ] {
            let error = format!("{:#}", Calibration::parse(text, &mut Vec::new()).unwrap_err());
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
