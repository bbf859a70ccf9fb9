//! Agents: folders with a program to run.

pub(crate) mod class_path;
mod copy;
mod export;
mod find;
mod java;
mod language;
mod layout;
mod lookalike;
mod program;
mod python;
mod script;
mod trouble;
mod walk;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub(crate) use copy::{copy, copy_within};
pub(crate) use export::{FlatExport, NamePattern};
pub use find::{Intake, agents_in};
pub(crate) use find::{agent_at, agent_within, class_at, opponent_at};
pub use language::Language;
pub(crate) use lookalike::{NoProgram, shortened};
pub(crate) use program::{Depth, built, calibrate_built};
pub use python::MissingModule;
pub(crate) use script::named_interpreter;
pub use trouble::Refused;
pub(crate) use trouble::{Trouble, name_of};
pub(crate) use walk::{Origin, TreeError, Walk};

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
    pub(crate) ignored: Vec<PathBuf>,
    /// Folders with files of many students.
    pub(crate) exports: Vec<FlatExport>,
    /// Paths of two submissions whose names differ in letter case at most, whether they can play or not.
    pub(crate) namesakes: Option<[PathBuf; 2]>,
}
