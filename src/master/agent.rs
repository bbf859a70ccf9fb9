//! Agents: a folder each, with a program to run.

use std::ffi::OsString;
use std::path::PathBuf;

/// An agent, ready to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// What it is called in stores and tables: its folder's name.
    pub name: String,
    /// Where its files are; absolute.
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
