//! Figures measured by commands and tests, each stored as a line of JSON in a file.
//!
//! Each line is appended with a single write, so several programs may record to one file at the same time. The last
//! line for a figure counts. `calibrate figures` turns the file into a page.

use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::{Deserialize, Serialize};

use kingline::search::SIGNATURE;

/// Options that set where figures are stored. They are not part of the command that measures them.
const OPTIONS: [&str; 2] = ["--figures", "--figure"];

/// A measurement, in the words printed by its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Measured quantity. Contains no number that another measurement would change.
    pub name: String,
    /// Result with its units.
    pub measured: String,
    /// Target, if there is one.
    pub target: Option<Target>,
}

/// Target of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The target in words: `at most 2 ms`.
    pub text: String,
    /// True if the figure meets it.
    pub met: bool,
}

impl Figure {
    /// A figure without a target.
    pub fn new(name: impl Into<String>, measured: impl Into<String>) -> Figure {
        Figure { name: name.into(), measured: measured.into(), target: None }
    }

    /// Adds a target, and whether the figure meets it.
    #[must_use]
    pub fn against(self, target: impl Into<String>, met: bool) -> Figure {
        Figure { target: Some(Target { text: target.into(), met }), ..self }
    }
}

/// Section of the page. The variants are in page order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Topic {
    /// Speed of move generation and search.
    Search,
    /// Time and memory of a turn.
    Budgets,
    /// Results of games.
    Strength,
    /// The solved game.
    #[serde(rename = "6x6 Lines of Action")]
    SmallLoa,
    /// Endgame tables of checkers.
    #[serde(rename = "Endgame tables")]
    EndgameTables,
    /// Learned evaluations.
    Evaluation,
    /// The referee and its sandbox.
    #[serde(rename = "The referee")]
    Referee,
    /// The page of `loa --display`.
    #[serde(rename = "The board in a browser")]
    Display,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "FiguresRow"))]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Section of the page.
    pub topic: Topic,
    /// Measured quantity.
    pub figure: String,
    /// Result with its units.
    pub measured: String,
    /// Target in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// True if the target is met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// Words of the command line that measures the figure, run from the root of a checkout.
    pub command: Vec<String>,
    /// Cores and processor.
    pub machine: String,
    /// Time of the measurement, in seconds since 1970.
    pub time: u64,
    /// Version of the program that measured.
    pub version: String,
    /// Node signature of its engine, `SIGNATURE`, in one line.
    pub signature: String,
}

impl Row {
    /// Creates a row for a figure measured now, on this machine, with this engine.
    pub fn now(topic: Topic, figure: Figure, command: &[String]) -> Row {
        let (target, met) = figure.target.map(|Target { text, met }| (text, met)).unzip();
        Row {
            topic,
            figure: figure.name,
            measured: figure.measured,
            target,
            met,
            command: command.to_vec(),
            machine: machine(),
            time: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature(),
        }
    }

    /// Appends the row to a file. Creates the file if it does not exist.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&self, path: &Path) -> Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        let write = || File::options().create(true).append(true).open(path)?.write_all(&line);
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Option that sets the file in which a command records its figures.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct FiguresOption {
    /// Append each figure to FILE, as a line of JSON.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(checked))]
    figures: Option<PathBuf>,
}

impl FiguresOption {
    /// Records figures of the command that this process runs.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(&self, topic: Topic, figures: impl IntoIterator<Item = Figure>) -> Result<()> {
        let mut words = env::args_os().map(|word| word.to_string_lossy().into_owned());
        let program = words.next().unwrap_or_default();
        let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.record_by(&command(&name, without_options(words)), topic, figures)
    }

    /// Records figures of another command.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record_by(&self, command: &[String], topic: Topic, figures: impl IntoIterator<Item = Figure>) -> Result<()> {
        let Some(path) = &self.figures else { return Ok(()) };
        figures.into_iter().try_for_each(|figure| Row::now(topic, figure, command).append(path))
    }
}

/// Refuses a file with other content before anything is measured.
fn checked(path: PathBuf) -> Result<PathBuf, String> {
    let mut line = String::new();
    match File::open(&path).and_then(|file| BufReader::new(file).read_line(&mut line)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path),
        Err(error) => Err(error.to_string()),
        Ok(0) => Ok(path),
        Ok(_) => match serde_json::from_str::<Row>(&line) {
            Ok(_) => Ok(path),
            Err(error) => Err(format!("its first line is not a row of figures: {error}")),
        },
    }
}

/// The command line for a program of this build, as typed in the root of a checkout.
pub fn command(program: &str, arguments: impl IntoIterator<Item = String>) -> Vec<String> {
    // A figure from an unoptimized build must not pass for one from a release build.
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    [format!("target/{build}/{program}")].into_iter().chain(arguments).collect()
}

fn without_options(words: impl Iterator<Item = String>) -> Vec<String> {
    let (mut kept, mut words) = (Vec::new(), words);
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((&*word, None), |(name, value)| (name, Some(value)));
        if word == "--" {
            // The rest belongs to another program.
            kept.push(word);
            kept.extend(words);
            break;
        }
        if !OPTIONS.contains(&name) {
            kept.push(word);
        } else if value.is_none() {
            words.next();
        }
    }
    kept
}

/// The node signature of this engine, in one line: `checkers 1, loa 2, loa6 3`.
pub fn signature() -> String {
    SIGNATURE.trim_end().replace('\n', ", ")
}

/// The usable cores and the processor's name: `2 cores, AMD EPYC 7B13`.
fn machine() -> String {
    let cores = available_parallelism().map_or(1, usize::from);
    let processor = processor().unwrap_or_else(|_| format!("{} with {}", env::consts::ARCH, env::consts::OS));
    format!("{cores} core{}, {processor}", if cores == 1 { "" } else { "s" })
}

/// The first processor name in /proc/cpuinfo, which only Linux has.
fn processor() -> io::Result<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo")?;
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map(|(_, name)| name.split_whitespace().collect::<Vec<_>>().join(" "));
    name.filter(|name| !name.is_empty()).ok_or_else(|| ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recording_options_are_left_out_of_the_command() {
        for (line, expected) in [
            ("bench perft --figures rows.jsonl", "bench perft"),
            ("bench --figures=rows.jsonl perft", "bench perft"),
            ("match --figures a --figure b --openings 3", "match --openings 3"),
            ("doctor --figures a -- program --figures b", "doctor -- program --figures b"),
            ("depth 9 --figures", "depth 9"),
        ] {
            assert_eq!(without_options(line.split(' ').map(str::to_owned)).join(" "), expected);
        }
    }

    #[test]
    fn rows_of_many_threads_are_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("figures.jsonl");
        let row = |name: u32| {
            let figure = Figure::new(name.to_string(), "1").against("2", false);
            Row::now(Topic::Search, figure, &[])
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (path, row) = (&path, &row);
                scope.spawn(move || (0..25).for_each(|name| row(4 * name + thread).append(path).unwrap()));
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 100);
        assert!(rows.iter().all(|row| row.met == Some(false) && row.signature == signature()));
    }

    #[test]
    fn every_machine_has_cores_and_a_name() {
        let machine = machine();
        let (cores, name) = machine.split_once(", ").unwrap();
        assert!(cores.starts_with(|digit: char| digit.is_ascii_digit()) && !name.is_empty(), "{machine}");
    }
}
