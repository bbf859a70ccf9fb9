//! What does an agent bring into its cell?

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::master::agent::Agent;
use crate::master::sandbox::{Cell, Job, JobLimits, Output};
use crate::protocol::turn_files::{CALIBRATION, INPUT, OUTPUT, PLAYDATA};

/// The protocol's own files (§2), which an agent must not bring.
const PROTOCOL: [&str; 4] = [INPUT, OUTPUT, PLAYDATA, CALIBRATION];

/// An agent that was prepared for games: the second of [`Agent`], contestant and
/// [`Player`](crate::master::referee::Player).
#[derive(Clone, Debug)]
pub struct Contestant {
    agent: Agent,
    /// What it answered to `identify`, where it was asked.
    title: Option<String>,
    /// What its `calibrate` wrote, if it has one.
    calibration: Option<Vec<u8>>,
    /// Its files, to be linked into its working directory: names and targets.
    files: Vec<(String, PathBuf)>,
    /// What went wrong when it was made ready, but does not keep it from playing.
    notes: Vec<String>,
}

impl Contestant {
    /// An agent that has not been run yet.
    ///
    /// # Errors
    /// Its folder cannot be read.
    pub fn new(agent: Agent) -> anyhow::Result<Contestant> {
        let list = || -> std::io::Result<Vec<(String, PathBuf)>> {
            if agent.folder.is_file() {
                let name = agent.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                return Ok(vec![(name, fs::canonicalize(&agent.folder)?)]);
            }
            let folder = fs::canonicalize(&agent.folder)?;
            let mut entries = Vec::new();
            for entry in fs::read_dir(&folder)? {
                let name = entry?.file_name();
                entries.push((name.to_string_lossy().into_owned(), folder.join(name)));
            }
            entries.sort();
            Ok(entries)
        };
        let mut files = list().with_context(|| format!("cannot read the folder {}", agent.folder.display()))?;
        files.retain(|(name, _)| !PROTOCOL.contains(&name.as_str()));
        Ok(Contestant { agent, title: None, calibration: None, files, notes: Vec::new() })
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

    /// What went wrong when it was made ready, but does not keep it from playing.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Its files, to be linked into its working directory: names and targets.
    pub(in crate::master) fn files(&self) -> &[(String, PathBuf)] {
        &self.files
    }

    /// Puts links to the agent's files, and its calibration, into an empty cell. Links, since an agent must not change
    /// its own files between games.
    pub(in crate::master) fn link_files(&self, cell: &Cell) -> anyhow::Result<()> {
        for (name, target) in &self.files {
            cell.link(name, target)?;
        }
        if let Some(bytes) = &self.calibration {
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
        let (program, arguments) = match program {
            AgentProgram::Player => (&self.agent.program, self.agent.arguments.clone()),
            AgentProgram::Calibrate(path) => (path, Vec::new()),
        };
        // By its path in the cell: scripts look for their files beside themselves. A shell that runs a script is
        // elsewhere.
        let in_cell = |path: &Path| cell.dir().join(path.file_name().unwrap_or_default());
        let program = if program.starts_with(&self.agent.folder) { in_cell(program) } else { program.clone() };
        Job { program, arguments, readable: vec![self.agent.folder.clone()], input, output, limits }
    }
}

/// The programs of an agent.
#[derive(Clone, Copy, Debug)]
pub(in crate::master) enum AgentProgram<'a> {
    /// The one that plays.
    Player,
    /// The one that is run once before the first game.
    Calibrate(&'a PathBuf),
}
