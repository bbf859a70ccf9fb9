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
//! | `trouble` | why something cannot play, and the way out |
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
mod trouble;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub(super) use copy::copy;
pub use find::{Intake, agent_at, agents_in};
pub use language::Language;
pub use lookalike::Lookalike;
pub(super) use program::built;
pub(super) use script::named_interpreter;
pub use trouble::{Refused, Trouble};

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
