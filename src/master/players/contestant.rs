//! What does an agent bring into its cell?

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use tempfile::TempDir;

use crate::master::agent::{Agent, Invocation, copy};
use crate::master::sandbox::{Cell, Job, JobLimits, Output};
use crate::protocol::turn_files::{CALIBRATION, INPUT, OUTPUT, PLAYDATA};

/// The protocol's own files (§2), which an agent must not bring.
const PROTOCOL: [&str; 4] = [INPUT, OUTPUT, PLAYDATA, CALIBRATION];

/// An agent that was prepared for games: the second of [`Agent`], contestant and
/// [`Player`](crate::master::referee::Player).
#[derive(Clone, Debug)]
pub struct Contestant {
    agent: Agent,
    /// Its files as it plays with them: a copy, in which no game can leave anything for the next.
    copy: Arc<TempDir>,
    /// What is linked into its working directory: names and targets in the copy.
    files: Vec<(String, PathBuf)>,
    /// What it answered to `identify`, where it was asked.
    title: Option<String>,
    /// What its `calibrate` wrote, if it has one.
    calibration: Option<Vec<u8>>,
    /// What went wrong when it was made ready, but does not keep it from playing.
    notes: Vec<String>,
}

/// Where the copies are, under the folder for what is kept between games.
pub(in crate::master) const COPIES: &str = "agents";

impl Contestant {
    /// An agent that has not been run yet. Its files are copied to a folder in `kept`, which is removed with the last clone
    /// of the contestant.
    ///
    /// # Errors
    /// Its folder cannot be read, or the copy cannot be written.
    pub fn new(agent: Agent, kept: &Path) -> anyhow::Result<Contestant> {
        let copies = kept.join(COPIES);
        let make = |copies: &Path| -> std::io::Result<(TempDir, Vec<(String, PathBuf)>)> {
            fs::create_dir_all(copies)?;
            // Who knows the name of a copy may read it; nobody can look for names.
            fs::set_permissions(copies, Permissions::from_mode(0o711))?;
            let made = tempfile::Builder::new().prefix("").rand_bytes(12).tempdir_in(copies.canonicalize()?)?;
            copy(&agent.folder, made.path())?;
            let mut files = Vec::new();
            for entry in fs::read_dir(made.path())? {
                let entry = entry?;
                files.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
            }
            files.sort();
            fs::set_permissions(made.path(), Permissions::from_mode(0o755))?;
            Ok((made, files))
        };
        let made =
            make(&copies).with_context(|| format!("cannot copy {} to {}", agent.folder.display(), copies.display()));
        let (made, mut files) = made?;
        files.retain(|(name, _)| !PROTOCOL.contains(&name.as_str()));
        Ok(Contestant { agent, copy: Arc::new(made), files, title: None, calibration: None, notes: Vec::new() })
    }

    /// The same with other arguments.
    pub fn with_arguments(mut self, arguments: Vec<OsString>) -> Contestant {
        self.agent.player.arguments = arguments;
        self
    }

    /// With its answer to `identify`.
    pub fn with_title(self, title: Option<String>) -> Contestant {
        Contestant { title, ..self }
    }

    /// With what its `calibrate` wrote.
    pub fn with_calibration(self, calibration: Option<Vec<u8>>) -> Contestant {
        Contestant { calibration, ..self }
    }

    /// With what went wrong when it was made ready.
    pub fn with_notes(self, notes: Vec<String>) -> Contestant {
        Contestant { notes, ..self }
    }

    /// Who it is.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Its answer to `identify`, if it was asked.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Whether it has a calibration.txt, handed in or written by its `calibrate`.
    pub fn is_calibrated(&self) -> bool {
        self.calibration.is_some()
    }

    /// What went wrong when it was made ready, but does not keep it from playing.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Its files, to be linked into its working directory: names and targets.
    pub(in crate::master) fn files(&self) -> &[(String, PathBuf)] {
        &self.files
    }

    /// Makes a cell hold the agent's files and its calibration as they should be, besides these files, which it may have
    /// from its last turn, and nothing else. Its files are links: it must not change them between games.
    pub(in crate::master) fn settle(&self, cell: &Cell, keep: &[&str]) -> anyhow::Result<()> {
        let mut known: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        known.extend(keep);
        known.extend(self.calibration.is_some().then_some(CALIBRATION));
        cell.sweep(&known)?;
        for (name, target) in &self.files {
            if fs::read_link(cell.dir().join(name)).ok().as_ref() != Some(target) {
                cell.link(name, target)?;
            }
        }
        if let Some(bytes) = &self.calibration
            && cell.read(CALIBRATION, bytes.len()).ok().as_ref() != Some(bytes)
        {
            cell.write(CALIBRATION, bytes)?;
        }
        Ok(())
    }

    /// A run of one of the agent's programs in a cell with its files.
    pub(in crate::master) fn job(
        &self,
        cell: &Cell,
        program: AgentProgram,
        input: Vec<u8>,
        output: Output,
        limits: JobLimits,
    ) -> Job {
        let Invocation { program, arguments } = match program {
            AgentProgram::Player => &self.agent.player,
            AgentProgram::Calibrate(invocation) => invocation,
        };
        // By its path in the cell: scripts look for their files beside themselves. A shell that runs a script is
        // elsewhere.
        let in_cell = |path: &Path| match path.file_name() {
            Some(name) if path.starts_with(&self.agent.folder) => cell.dir().join(name),
            _ => path.to_path_buf(),
        };
        let arguments = arguments.iter().map(|argument| in_cell(Path::new(argument)).into_os_string()).collect();
        let readable = vec![self.copy.path().to_path_buf()];
        Job { program: in_cell(program), arguments, readable, input, output, limits }
    }
}

/// The programs of an agent.
#[derive(Clone, Copy, Debug)]
pub(in crate::master) enum AgentProgram<'a> {
    /// The one that plays.
    Player,
    /// The one that is run once before the first game.
    Calibrate(&'a Invocation),
}
