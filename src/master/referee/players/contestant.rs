//! An agent prepared for games: its files, name and calibration.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use tempfile::TempDir;

use crate::intake::agent::{Agent, Invocation, copy};
use crate::league::agent_limits::AgentLimits;
use crate::sandbox::{Cell, Job, JobLimits, KeptFile, Output, Workspace};
use kingline::game::Color;
use kingline_players::protocol::turn_files::{CALIBRATION, INPUT, OUTPUT, PLAYDATA};

/// Files of the protocol (§2), which an agent cannot supply itself.
const PROTOCOL: [&str; 4] = [INPUT, OUTPUT, PLAYDATA, CALIBRATION];

/// An agent prepared for games. Made from an [`Agent`]; a [`Player`](crate::referee::Player) plays with it.
#[derive(Clone, Debug)]
pub struct Contestant {
    agent: Agent,
    /// A copy of its files, which each game copies again.
    copy: Arc<TempDir>,
    files: Vec<String>,
    /// Its answer to `identify`, if the protocol has that request.
    pub(super) title: Option<String>,
    /// True if there is a calibration.txt among them.
    is_calibrated: bool,
    /// Problems during preparation that do not keep it from playing.
    pub(super) notes: Vec<String>,
}

/// Folder of the copies, inside the folder for files kept between games.
pub(crate) const COPIES: &str = "agents";

impl Contestant {
    /// Makes a contestant from an agent that has not run yet. Copies its files to a folder in `kept`, which is removed
    /// when the last clone of the contestant is dropped.
    ///
    /// # Errors
    /// Its folder cannot be read, or the copy cannot be written.
    pub fn new(agent: Agent, kept: &Path) -> anyhow::Result<Contestant> {
        let copies = kept.join(COPIES);
        let make = |copies: &Path| -> std::io::Result<(TempDir, Vec<String>)> {
            fs::create_dir_all(copies)?;
            fs::set_permissions(copies, Permissions::from_mode(0o700))?;
            let made = tempfile::Builder::new().prefix("").rand_bytes(12).tempdir_in(copies.canonicalize()?)?;
            copy(&agent.folder, made.path())?;
            let mut files = Vec::new();
            for entry in fs::read_dir(made.path())? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if !PROTOCOL.contains(&name.as_str()) {
                    files.push(name);
                } else if entry.file_type()?.is_dir() {
                    fs::remove_dir_all(entry.path())?;
                } else {
                    fs::remove_file(entry.path())?;
                }
            }
            files.sort();
            Ok((made, files))
        };
        let made =
            make(&copies).with_context(|| format!("cannot copy {} to {}", agent.folder.display(), copies.display()));
        let (made, files) = made?;
        Ok(Contestant { agent, copy: Arc::new(made), files, title: None, is_calibrated: false, notes: Vec::new() })
    }

    /// Replaces the arguments of its player.
    pub fn with_arguments(mut self, arguments: Vec<OsString>) -> Contestant {
        self.agent.player.arguments = arguments;
        self
    }

    /// Gives it a copy of this file as its calibration.txt. No clone of the contestant may be playing.
    pub(crate) fn calibrate(&mut self, from: &mut File) -> io::Result<()> {
        let path = self.copy.path().join(CALIBRATION);
        io::copy(from, &mut File::create(&path)?)?;
        self.is_calibrated = true;
        fs::set_permissions(path, Permissions::from_mode(0o644))
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Its answer to `identify`, if the protocol has that request.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns true if it has a calibration.txt, handed in or written by its `calibrate`.
    pub fn is_calibrated(&self) -> bool {
        self.is_calibrated
    }

    /// Problems during preparation that do not keep it from playing.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Notes on how it was found, and problems during preparation.
    pub fn remarks(&self) -> impl Iterator<Item = &String> {
        self.agent.found.iter().chain(&self.notes)
    }

    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Resets a cell to the agent's files and its calibration, with this file from its last turn.
    pub(crate) fn settle(&self, cell: &mut Cell, kept: Option<(&str, &KeptFile)>) -> anyhow::Result<()> {
        cell.renew()?;
        if let Some((name, kept)) = kept
            // A file that fills the working directory or the agent's memory is the agent's own doing.
            && cell.write_kept(name, kept).is_err()
        {
            cell.remove(name)?;
        }
        Ok(())
    }

    /// A job that runs one of the agent's programs in a cell with its files.
    pub(crate) fn job(
        &self,
        cell: &Cell,
        program: &Invocation,
        input: Vec<u8>,
        output: Output,
        limits: JobLimits,
    ) -> Job {
        let Invocation { program, arguments } = program;
        // Scripts look for files in their own folder, so a program is run by its path in the cell. The shell that runs
        // a script is elsewhere.
        let in_cell = |path: &Path| match path.file_name() {
            Some(name) if path.starts_with(&self.agent.folder) => cell.dir().join(name),
            _ => path.to_path_buf(),
        };
        let arguments = arguments.iter().map(|argument| in_cell(Path::new(argument)).into_os_string()).collect();
        Job { program: in_cell(program), arguments, readable: Vec::new(), input, output, limits }
    }
}

impl Workspace<'_> {
    /// Makes the working directory for one side of a game, with the agent's files and its calibration.
    pub(crate) fn cell(&self, side: Color, limits: &AgentLimits, contestant: &Contestant) -> anyhow::Result<Cell> {
        let name = if side == Color::Black { "black" } else { "white" };
        let mut cell = self.sandbox.cell(self.folder, name, limits.of_disk())?;
        cell.furnish(contestant.copy.path(), limits.memory)?;
        Ok(cell)
    }
}
