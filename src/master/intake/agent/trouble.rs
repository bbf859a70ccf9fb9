//! Reasons why a submission cannot play, with advice.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::{NoProgram, TreeError, name_of};
use crate::intake::archive::ArchiveError;
use kingline_players::terminal::{escaped, escaped_lines, escaped_path};

/// A submission that cannot play.
#[derive(Debug)]
pub struct Refused {
    /// Name in tables, which it would have as an agent.
    pub name: OsString,
    /// Its path.
    pub path: PathBuf,
    /// The reason.
    pub why: Trouble,
}

impl Refused {
    /// Refuses the submission at a path.
    pub fn new(path: impl Into<PathBuf>, why: Trouble) -> Refused {
        let path = path.into();
        let name = match why {
            // Two submissions must not share a line of a table.
            Trouble::SameName(_) | Trouble::SameFolder(_) => path.file_name().unwrap_or_default().to_owned(),
            _ => name_of(&path),
        };
        Refused { name, path, why }
    }
}

/// Reason why an agent cannot play.
#[derive(Debug)]
pub enum Trouble {
    /// Its folder has no program.
    NoProgram(Box<NoProgram>),
    /// Its folder is empty.
    Empty,
    /// Several files qualify as the program.
    TwoPrograms(Vec<String>),
    /// The file is in a language that requires a program missing from this machine; not the agent's fault.
    NoLanguage {
        /// The file.
        file: String,
        /// The missing program.
        program: String,
    },
    /// A Java source has no class with the method `main`.
    NoMainClass(String),
    /// More archives than this are in each other.
    Nested(usize),
    /// Its archive cannot be unpacked.
    Archive(ArchiveError),
    /// Its files exceed the limits, or cannot be read.
    Files(TreeError),
    /// Its build failed.
    NotBuilt {
        /// The reason, on one line.
        telling: String,
        /// The command, how it ended, and the start of its output; may be empty.
        details: String,
    },
    /// The referee failed to build it, for this reason; not the agent's fault.
    Machine(String),
    /// The build commands did not produce a program: the commands and what was expected.
    NothingBuilt(String, String),
    /// A program is not executable.
    NotExecutable(PathBuf),
    /// A script has CR LF line endings.
    CrlfLines(PathBuf),
    /// The first line of this script names an interpreter that does not exist.
    NoInterpreter(PathBuf, PathBuf),
    /// A file with the name of a program is not a regular file or is outside the folder.
    NotAProgram(PathBuf),
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Its name is not printable text.
    Name,
    /// The agent at this path has the same name, ignoring case.
    SameName(PathBuf),
    /// The agent at this path has the same folder.
    SameFolder(PathBuf),
}

/// Safe for a terminal: whatever comes from the submission is escaped.
impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", escaped_path(&self.path), self.why)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoProgram(none) => {
                let NoProgram { expected, found, languages, help } = &**none;
                write!(f, "no program, expected {expected}")?;
                if !found.is_empty() {
                    write!(f, "; found {}", escaped(&found.join(", ")))?;
                }
                if !languages.is_empty() {
                    write!(f, " ({})", languages.join(", "))?;
                }
                help.iter().try_for_each(|help| write!(f, "; help: {}", escaped(help)))
            }
            Trouble::Empty => f.write_str("an empty folder, expected a program"),
            Trouble::TwoPrograms(files) => {
                let files = escaped(&files.join(", "));
                write!(f, "{files} are all programs, but only one can be run; help: hand in only one")
            }
            Trouble::NoLanguage { file, program } => write!(
                f,
                "{} needs {program}, which this machine lacks (not the agent's fault); help: install it; \
                 `master doctor` lists missing programs",
                escaped(file)
            ),
            Trouble::NoMainClass(file) => write!(
                f,
                "{} has no class with the method `main`; expected `public static void main(String[] args)` in one \
                 of its classes",
                escaped(file)
            ),
            Trouble::Nested(most) => write!(
                f,
                "archives in archives, expected at most {most}; help: hand in one archive with the agent's files"
            ),
            Trouble::Archive(error) => error.fmt(f),
            Trouble::Files(error) => error.fmt(f),
            Trouble::NotBuilt { telling, details } => {
                let (telling, details) = (escaped(telling), escaped_lines(details));
                // Tables show only the first line.
                let gap = if details.is_empty() { "" } else { "\n" };
                write!(f, "it cannot be built: {telling}{gap}{details}")
            }
            Trouble::Machine(error) => write!(f, "it could not be built (not the agent's fault): {error}"),
            Trouble::NothingBuilt(commands, expected) => {
                write!(f, "{} built no program, expected {}", escaped(commands), escaped(expected))
            }
            Trouble::NotExecutable(path) => {
                let path = escaped_path(path);
                write!(f, "{path} is not executable; help: chmod +x {path}")
            }
            Trouble::CrlfLines(path) => {
                let path = escaped_path(path);
                write!(f, "{path} has CRLF line endings, expected LF; help: sed -i 's/\\r$//' {path}")
            }
            Trouble::NoInterpreter(path, interpreter) => write!(
                f,
                "the first line of {} names {}, which does not exist; help: `#!/usr/bin/env NAME`, where NAME is a \
                 program in /usr/bin",
                escaped_path(path),
                escaped_path(interpreter)
            ),
            Trouble::NotAProgram(path) => {
                let path = escaped_path(path);
                write!(f, "not a regular file in the agent's own folder, expected a program: {path}")
            }
            Trouble::Unreadable(path, error) => write!(f, "cannot read {}: {error}", escaped_path(path)),
            Trouble::Name => f.write_str("its name is not printable text"),
            Trouble::SameName(other) => write!(f, "has the same name as {}, ignoring case", escaped_path(other)),
            Trouble::SameFolder(other) => write!(f, "is the same as {}", escaped_path(other)),
        }
    }
}

impl std::error::Error for Refused {}

impl std::error::Error for Trouble {}

impl Trouble {
    /// Returns true if the machine is to blame rather than the author of the submission.
    pub fn is_machines(&self) -> bool {
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
