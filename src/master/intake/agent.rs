//! Agents: folders with a program to run.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `find` | which folders are agents? |
//! | `flat`, `name_pattern` | whose is each file, if the files of a class are in one folder? |
//! | `layout` | which folder of a submission has the agent's files? |
//! | `program` | which program in a folder is run? |
//! | `language` | which source files are programs, and how are they built and run? |
//! | `java` | which sources and which main class does a Java program have? |
//! | `class_path` | how do Java agents get the jars of a course? |
//! | `tree` | which files are at any depth, and which of them is the program? |
//! | `walk` | how are untrusted files visited, within limits? |
//! | `copy` | how are an agent's files copied? |
//! | `script` | can a script be run? |
//! | `imports` | which modules does a Python program import? |
//! | `python` | which promised Python modules does this machine lack? |
//! | `syntax` | how is a program that needs no compiler checked before it runs? |
//! | `trouble` | why can a submission not play, and what would help? |
//! | `lookalike` | which file was meant to be the program, though it has another name? |
//! | `hash` | has an agent changed? |

pub(crate) mod class_path;
mod copy;
mod find;
mod flat;
mod hash;
mod imports;
mod java;
mod language;
mod layout;
mod lookalike;
mod name_pattern;
mod program;
mod python;
mod script;
mod syntax;
mod tree;
mod trouble;
mod walk;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub(crate) use copy::{copy, copy_within};
pub(crate) use find::name_of;
pub use find::{Intake, agent_at, agent_within, agents_in, class_at, opponent_at};
pub use flat::{FlatExport, FlatStudent};
pub use language::Language;
pub use lookalike::NoProgram;
pub use name_pattern::NamePattern;
pub use program::Depth;
pub(crate) use program::{built, calibrate_built};
pub use python::MissingModule;
pub(crate) use script::named_interpreter;
pub use trouble::{Refused, Trouble};
pub use walk::TreeError;
pub(crate) use walk::{Origin, Walk};

/// An agent as found, not yet prepared for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Name in stores and tables: the name of its folder.
    pub name: String,
    /// Its files: a folder or a single program, given as an absolute path without symbolic links.
    pub folder: PathBuf,
    /// Commands that build its player, and all else that a recipe builds, before anything runs; empty if it needs no
    /// build.
    pub build: Vec<BuildCommand>,
    /// Commands that then build its `calibrate`; empty if that needs no build of its own. If they fail, it plays without.
    pub build_calibrate: Vec<BuildCommand>,
    /// Command that plays.
    pub player: Invocation,
    /// Command that is run once before the first game, if any.
    pub calibrate: Option<Invocation>,
    /// Notes on how it was found: files left out, and a program with an unexpected name.
    pub found: Vec<String>,
    /// Problems with its `calibrate`, which do not keep it from playing.
    pub notes: Vec<String>,
    /// SHA-256 of the paths, modes and contents of its files, in hexadecimal.
    pub hash: String,
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Absolute path; a program that is yet to be built does not exist.
    pub program: PathBuf,
    /// Arguments; paths of the agent's own files are absolute.
    pub arguments: Vec<OsString>,
}

/// A command that builds a program, run in a copy of the agent's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCommand {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// The command as written in the language table: the program's name and its arguments.
    pub words: Vec<String>,
}

impl Agent {
    /// Returns true if it has programs that are yet to be built.
    pub fn is_source(&self) -> bool {
        !self.build.is_empty() || !self.build_calibrate.is_empty()
    }

    /// All commands that build its programs.
    pub fn build_commands(&self) -> impl Iterator<Item = &BuildCommand> {
        self.build.iter().chain(&self.build_calibrate)
    }

    /// Returns the same agent with its files in another folder.
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

/// Agents found in folders.
#[derive(Debug, Default)]
pub struct FoundAgents {
    /// The agents, sorted by name.
    pub agents: Vec<Agent>,
    /// Submissions that cannot play, sorted by path.
    pub refused: Vec<Refused>,
    /// Files that belong to no agent.
    pub ignored: Vec<PathBuf>,
    /// Folders with files of many students.
    pub exports: Vec<FlatExport>,
    /// Paths of two submissions whose names differ in letter case at most, whether they can play or not.
    pub namesakes: Option<[PathBuf; 2]>,
}
