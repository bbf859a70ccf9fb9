//! Agents: a folder each, with a program to run.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `find` | what in a folder is run, and which folders are agents |
//! | `hash` | whether an agent has changed |

mod find;
mod hash;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;

pub use find::{agent_at, agents_in};

/// An agent, ready to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What it is called in stores and tables: its folder's name.
    pub name: String,
    /// Its files: a folder, or where it has none the one program; absolute, without links.
    pub folder: PathBuf,
    /// What is run; absolute.
    pub program: PathBuf,
    /// With these arguments.
    pub arguments: Vec<OsString>,
    /// The program to run once before the first game, where there is one; absolute.
    pub calibrate: Option<PathBuf>,
    /// Of its files: SHA-256 over their paths, modes and contents, as hexadecimal digits.
    pub hash: String,
}

/// What was found in folders of agents.
#[derive(Debug, Default)]
pub struct FoundAgents {
    /// The agents, by name.
    pub agents: Vec<Agent>,
    /// Those that cannot play.
    pub refused: Vec<Refused>,
    /// What is there besides: files that belong to no agent.
    pub ignored: Vec<PathBuf>,
}

/// What ought to be an agent, but cannot play.
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
    /// There is no program of these names in its folder.
    NoProgram(Vec<&'static str>),
    /// Its folder is empty.
    Empty,
    /// A file that has to be executable is not.
    NotExecutable(PathBuf),
    /// Something else than a regular file, or outside the folder, is in the place of a program.
    NotAProgram(PathBuf),
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Its name is no printable text.
    Name,
    /// Another one has this name, but for upper and lower case.
    SameName(PathBuf),
    /// It is another one's folder.
    SameFolder(PathBuf),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.why {
            Trouble::NoProgram(names) => write!(f, "no program, expected {}", names.join(" or ")),
            Trouble::Empty => f.write_str("an empty folder, expected a program"),
            Trouble::NotExecutable(path) => write!(f, "not executable, see chmod +x: {}", path.display()),
            Trouble::NotAProgram(path) => {
                write!(f, "no regular file in the agent's own folder, expected a program: {}", path.display())
            }
            Trouble::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Trouble::Name => f.write_str("its name is no printable text, and cannot stand in a table"),
            Trouble::SameName(other) => write!(f, "has the name of {}, upper and lower case apart", other.display()),
            Trouble::SameFolder(other) => write!(f, "is the same as {}", other.display()),
        }
    }
}

impl std::error::Error for Refused {}
