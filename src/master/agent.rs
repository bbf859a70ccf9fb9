//! Who plays? Agents: a folder each, with a program to run.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `find` | what in a folder is run, and which folders are agents |
//! | `copy` | how its files are kept apart from what was handed in |
//! | `script` | whether a script can be run |
//! | `lookalike` | which file was probably meant as the program, where there is none |
//! | `hash` | whether an agent has changed |

mod copy;
mod find;
mod hash;
mod lookalike;
mod script;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

pub(super) use copy::copy;
pub use find::{agent_at, agents_in};
pub use lookalike::Lookalike;
pub(super) use script::named_interpreter;

/// An agent as it is found: not yet prepared for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name in stores and tables: that of its folder.
    pub name: String,
    /// Its files: a folder, or a single program; absolute, without links.
    pub folder: PathBuf,
    /// The program to run; absolute.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The program to run once before the first game, where there is one; absolute.
    pub calibrate: Option<PathBuf>,
    /// SHA-256 over the paths, modes and contents of its files, in hexadecimal.
    pub hash: String,
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
