//! Why can something that was handed in not play, and what is the way out?

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::Lookalike;
use crate::master::archive::ArchiveError;

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
