//! Reasons why a submission cannot play, with advice.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{NoProgram, TreeError};
use crate::intake::archive::{self, ArchiveError};
use kingline_players::terminal::{escaped, escaped_lines, escaped_path};

/// A submission that cannot play.
#[derive(Debug, Error)]
#[error("{}: {why}", escaped_path(path))]
pub struct Refused {
    /// Name in tables, which it would have as an agent.
    pub(crate) name: OsString,
    /// Its path.
    pub(crate) path: PathBuf,
    /// The reason.
    pub(crate) why: Trouble,
}

impl Refused {
    /// Refuses the submission at a path.
    pub(crate) fn new(path: impl Into<PathBuf>, why: Trouble) -> Refused {
        let path = path.into();
        let name = match why {
            // Two submissions must not share a line of a table.
            Trouble::SameName(_) | Trouble::SameFolder(_) => path.file_name().unwrap_or_default().to_owned(),
            _ => name_of(&path),
        };
        Refused { name, path, why }
    }
}

/// Returns the name of a submission in tables: that of its folder or program, or of its archive without the extension.
pub(crate) fn name_of(path: &Path) -> OsString {
    // The name as given, not the name of a link's target.
    let named = std::path::absolute(path).ok().filter(|path| path.file_name().is_some());
    let named = named.or_else(|| path.canonicalize().ok()).unwrap_or_else(|| path.to_owned());
    let without_ending = archive::name_without_ending(&named).filter(|_| !named.is_dir());
    without_ending.map_or_else(|| named.file_name().unwrap_or_default().to_owned(), OsString::from)
}

/// Reason why an agent cannot play. Safe for a terminal: whatever comes from the submission is escaped.
#[derive(Debug, Error)]
pub(crate) enum Trouble {
    #[error("{0}")]
    NoProgram(Box<NoProgram>),
    #[error("an empty folder, expected a program")]
    Empty,
    #[error("{} are all programs, but only one can be run; help: hand in only one", escaped(&.0.join(", ")))]
    TwoPrograms(Vec<String>),
    /// The file is in a language that requires a program missing from this machine; not the agent's fault.
    #[error(
        "{} needs {program}, which this machine lacks (not the agent's fault); help: install it; `master doctor` lists \
         missing programs",
        escaped(file)
    )]
    NoLanguage { file: String, program: String },
    #[error(
        "{} has no class with the method `main`; expected `public static void main(String[] args)` in one of its classes",
        escaped(.0)
    )]
    NoMainClass(String),
    #[error("archives in archives, expected at most {0}; help: hand in one archive with the agent's files")]
    Nested(usize),
    #[error("{0}")]
    Archive(ArchiveError),
    /// Its files exceed the limits, or cannot be read.
    #[error("{0}")]
    Files(TreeError),
    /// Its build failed: the reason on one line, and the command, how it ended, and the start of its output.
    // Tables show only the first line.
    #[error(
        "it cannot be built: {}{}{}",
        escaped(telling),
        if details.is_empty() { "" } else { "\n" },
        escaped_lines(details)
    )]
    NotBuilt { telling: String, details: String },
    /// The referee failed to build it.
    #[error("it could not be built (not the agent's fault): {0}")]
    Machine(String),
    /// The build commands did not produce a program: the commands and what was expected.
    #[error("{} built no program, expected {}", escaped(.0), escaped(.1))]
    NothingBuilt(String, String),
    #[error("{} is not executable; help: chmod +x {}", escaped_path(.0), escaped_path(.0))]
    NotExecutable(PathBuf),
    #[error(
        "{} has CRLF line endings, expected LF; help: sed -i 's/\\r$//' {}",
        escaped_path(.0),
        escaped_path(.0)
    )]
    CrlfLines(PathBuf),
    /// This script does not begin with its first line: what it begins with.
    #[error("{} {}; help: save it as UTF-8 without a byte order mark, with `#!` first", escaped_path(.0), .1)]
    ScriptStart(PathBuf, &'static str),
    /// The first line of this script names an interpreter that does not exist.
    #[error(
        "the first line of {} names {}, which does not exist; help: `#!/usr/bin/env NAME`, where NAME is a program in \
         /usr/bin",
        escaped_path(.0),
        escaped_path(.1)
    )]
    NoInterpreter(PathBuf, PathBuf),
    #[error("not a regular file in the agent's own folder, expected a program: {}", escaped_path(.0))]
    NotAProgram(PathBuf),
    #[error("cannot read {}: {}", escaped_path(.0), .1)]
    Unreadable(PathBuf, io::Error),
    #[error("its name is not printable text")]
    Name,
    #[error("has the same name as {}, ignoring case", escaped_path(.0))]
    SameName(PathBuf),
    #[error("is the same as {}", escaped_path(.0))]
    SameFolder(PathBuf),
}

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoProgram { expected, found, languages, help } = self;
        write!(f, "no program, expected {expected}")?;
        if !found.is_empty() {
            write!(f, "; found {}", escaped(&found.join(", ")))?;
        }
        if !languages.is_empty() {
            write!(f, " ({})", languages.join(", "))?;
        }
        help.iter().try_for_each(|help| write!(f, "; help: {}", escaped(help)))
    }
}

impl Trouble {
    pub(crate) fn is_machines(&self) -> bool {
        match self {
            Trouble::NoLanguage { .. } | Trouble::Machine(_) => true,
            Trouble::Archive(error) => error.is_machine_fault(),
            Trouble::Files(error) => error.is_machines(),
            _ => false,
        }
    }

    /// Returns true unless there is nothing that could be a program.
    pub(crate) fn is_of_program(&self) -> bool {
        !matches!(self, Trouble::Empty) && !matches!(self, Trouble::NoProgram(none) if none.languages.is_empty())
    }

    /// Shortens paths to those inside a folder, since where the staff keep it is nobody else's business.
    #[must_use]
    pub(crate) fn inside(self, folder: &Path) -> Trouble {
        let short = |path: PathBuf| match path.strip_prefix(folder) {
            Ok(inside) if inside != Path::new("") => inside.to_owned(),
            _ => path,
        };
        match self {
            Trouble::NotExecutable(path) => Trouble::NotExecutable(short(path)),
            Trouble::CrlfLines(path) => Trouble::CrlfLines(short(path)),
            Trouble::ScriptStart(path, found) => Trouble::ScriptStart(short(path), found),
            Trouble::NoInterpreter(path, interpreter) => Trouble::NoInterpreter(short(path), interpreter),
            Trouble::NotAProgram(path) => Trouble::NotAProgram(short(path)),
            Trouble::Unreadable(path, error) => Trouble::Unreadable(short(path), error),
            other => other,
        }
    }

    /// Converts a reason why a `calibrate` cannot run to a note, on one line.
    pub(crate) fn of_calibrate(&self) -> String {
        let text = self.to_string();
        format!("calibrate: {}; the agent plays without it", text.lines().next().unwrap_or_default())
    }
}
