//! Who plays? Agents: a folder each, with a program to run.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `find` | which folders are agents |
//! | `program` | what in a folder is run |
//! | `language` | which files are programs as source, and how they are built and run |
//! | `java` | which class of a Java source is started |
//! | `copy` | how its files are kept apart from what was handed in |
//! | `script` | whether a script can be run |
//! | `lookalike` | which file was probably meant as the program, where there is none |
//! | `hash` | whether an agent has changed |

mod copy;
mod find;
mod hash;
mod java;
mod language;
mod lookalike;
mod program;
mod script;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub(super) use copy::copy;
pub use find::{Intake, agent_at, agents_in};
pub use language::Language;
pub use lookalike::Lookalike;
pub(super) use program::built;
pub(super) use script::named_interpreter;

use super::archive::ArchiveError;

/// An agent as it is found: not yet prepared for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name in stores and tables: that of its folder.
    pub name: String,
    /// Its files: a folder, or a single program; absolute, without links.
    pub folder: PathBuf,
    /// What is built of its files before anything is run; nothing, where they are run as they are.
    pub build: Vec<BuildCommand>,
    /// What is run for its moves.
    pub player: Invocation,
    /// What is run once before the first game, where there is such a program.
    pub calibrate: Option<Invocation>,
    /// SHA-256 over the paths, modes and contents of its files, in hexadecimal.
    pub hash: String,
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Absolute; where it is built, it is not there before.
    pub program: PathBuf,
    /// Those that are files of the agent are absolute.
    pub arguments: Vec<OsString>,
}

/// A command that builds a program, run in a copy of the agent's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCommand {
    /// The program; absolute.
    pub program: PathBuf,
    /// The command as it is written in the table: the program's name and its arguments.
    pub words: Vec<String>,
}

impl Agent {
    /// The same agent, whose files are in another folder.
    #[must_use]
    pub fn in_folder(&self, folder: &Path) -> Agent {
        let moved = |path: &Path| path.strip_prefix(&self.folder).map_or(path.to_owned(), |inside| folder.join(inside));
        let invocation = |invocation: &Invocation| Invocation {
            program: moved(&invocation.program),
            arguments: invocation.arguments.iter().map(|argument| moved(Path::new(argument)).into()).collect(),
        };
        Agent {
            player: invocation(&self.player),
            calibrate: self.calibrate.as_ref().map(invocation),
            folder: folder.to_owned(),
            ..self.clone()
        }
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", argument.to_string_lossy()))
    }
}

impl fmt::Display for BuildCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

/// What was found in folders of agents.
#[derive(Debug, Default)]
pub struct FoundAgents {
    /// The agents, by name.
    pub agents: Vec<Agent>,
    /// Those that cannot play.
    pub refused: Vec<Refused>,
    /// Files that belong to no agent.
    pub ignored: Vec<PathBuf>,
}

/// A folder that should be an agent, but cannot play.
#[derive(Debug)]
pub struct Refused {
    /// Where it is.
    pub path: PathBuf,
    /// Why not.
    pub why: Trouble,
}

/// Why an agent cannot play.
#[derive(Debug)]
pub enum Trouble {
    /// Its folder has no program with one of these names; what it has is perhaps one by another name.
    NoProgram(Vec<&'static str>, Option<Lookalike>),
    /// Its folder is empty.
    Empty,
    /// Its program is in a folder of its folder: where.
    TooDeep(PathBuf),
    /// More than one file is a program.
    TwoPrograms(Vec<String>),
    /// The file is a program in a language for which this machine lacks a program: no agent's fault.
    NoLanguage {
        /// The file.
        file: String,
        /// The program that is missing.
        program: String,
    },
    /// A Java source without a class that has the method `main`.
    NoMainClass(String),
    /// It is an archive that cannot be unpacked.
    Archive(ArchiveError),
    /// A command that should have built it failed, and said this.
    NotBuilt {
        /// The command, and how it ended.
        command: String,
        /// The beginning of its messages.
        log: String,
    },
    /// What the commands that should have built it have not made: the commands, and what was expected.
    NothingBuilt(String, String),
    /// A file that must be executable is not.
    NotExecutable(PathBuf),
    /// The lines of a script end in CR LF.
    CrlfLines(PathBuf),
    /// The first line of a script names an interpreter that is not there: the script, and the interpreter.
    NoInterpreter(PathBuf, PathBuf),
    /// What has the name of a program is not a regular file, or lies outside the folder.
    NotAProgram(PathBuf),
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Its name is not printable text.
    Name,
    /// Another agent has this name, ignoring case.
    SameName(PathBuf),
    /// Another agent has this folder.
    SameFolder(PathBuf),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::NoProgram(names, lookalike) => {
                write!(f, "no program, expected {}", names.join(" or "))?;
                lookalike
                    .iter()
                    .try_for_each(|Lookalike { file, way_out }| write!(f, "; there is {file}, the way out: {way_out}"))
            }
            Trouble::Empty => f.write_str("an empty folder, expected a program"),
            Trouble::TooDeep(path) => write!(
                f,
                "no program, but there is {}, one folder too deep; the way out: hand in what is in that folder, without \
                 the folder itself",
                path.display()
            ),
            Trouble::TwoPrograms(files) => write!(
                f,
                "{} are all programs, and only one is run; the way out: hand in the one that is meant, without the others",
                files.join(", ")
            ),
            Trouble::NoLanguage { file, program } => write!(
                f,
                "{file} needs {program}, and this machine has none, which is not the agent's fault; the way out: install \
                 it; `master doctor` lists what is missing"
            ),
            Trouble::NoMainClass(file) => write!(
                f,
                "{file} has no class with the method `main`; expected `public static void main(String[] args)` in one of \
                 its classes"
            ),
            Trouble::Archive(error) => error.fmt(f),
            Trouble::NotBuilt { command, log } => {
                // The first line is all that a table shows.
                let error = log.lines().find(|line| line.to_lowercase().contains("error"));
                let telling = error.or_else(|| log.lines().last()).unwrap_or_default().trim();
                write!(f, "it cannot be built: {telling}\n{command}; it said:\n{log}")
            }
            Trouble::NothingBuilt(commands, expected) => {
                write!(f, "no program was made by {commands}, expected {expected}")
            }
            Trouble::NotExecutable(path) => {
                let path = path.display();
                write!(f, "{path} is not executable; the way out: chmod +x {path}")
            }
            Trouble::CrlfLines(path) => {
                let path = path.display();
                write!(f, "{path} has CRLF line ends, expected LF; the way out: sed -i 's/\\r$//' {path}")
            }
            Trouble::NoInterpreter(path, interpreter) => write!(
                f,
                "the first line of {} names {}, and there is no such program; the way out: `#!/usr/bin/env NAME`, with a \
                 name that is found in /usr/bin",
                path.display(),
                interpreter.display()
            ),
            Trouble::NotAProgram(path) => {
                write!(f, "not a regular file in the agent's own folder, expected a program: {}", path.display())
            }
            Trouble::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Trouble::Name => f.write_str("its name is not printable text"),
            Trouble::SameName(other) => write!(f, "has the same name as {}, ignoring case", other.display()),
            Trouble::SameFolder(other) => write!(f, "is the same as {}", other.display()),
        }
    }
}

impl std::error::Error for Refused {}

impl std::error::Error for Trouble {}

impl Trouble {
    /// Whether the machine is to blame, and not who handed it in.
    pub fn is_machines(&self) -> bool {
        match self {
            Trouble::NoLanguage { .. } => true,
            Trouble::Archive(error) => error.is_machine_fault(),
            _ => false,
        }
    }
}
