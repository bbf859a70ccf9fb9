//! The sandbox and folders in which agents are built and play.

use std::path::Path;

use super::open::Sandbox;

/// The sandbox, and folders for what agents write.
#[derive(Clone, Copy, Debug)]
pub struct Workspace<'a> {
    /// Runs the agents.
    pub sandbox: &'a Sandbox,
    /// Folder for working directories; no other build or game uses it simultaneously.
    pub folder: &'a Path,
    /// Folder for files kept between games: builds, copies of agents, calibrations.
    pub kept: &'a Path,
}
