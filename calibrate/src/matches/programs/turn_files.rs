//! A program that plays checkers by turn files, as `homework` does.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use kingline::checkers::{Move, Position};
use kingline_players::protocol::turn_files::CALIBRATION;

use super::process::Process;
use super::{ProgramFile, patience};
use crate::agent_dir::AgentDir;

/// Kind of the requests to a program.
#[derive(Clone, Copy, Debug)]
pub(in crate::matches) enum TurnRules {
    /// Single turns, each with this much CPU time. The program knows nothing of the game.
    Single(Duration),
    /// Turns of a game with this much CPU time, in one folder with its playdata.txt.
    Game(Duration),
}

/// Program that plays one game by turn files, in a temporary folder.
pub(in crate::matches) struct TurnFilesPlayer {
    program: ProgramFile,
    rules: TurnRules,
    folder: AgentDir,
    used: Duration,
}

/// Turn of a program.
pub(in crate::matches) struct ProgramTurn {
    /// Legal turn; `None` if it was killed for taking too long.
    pub(in crate::matches) mv: Option<Move>,
    /// CPU time from the start of the program to its end.
    pub(in crate::matches) used: Duration,
}

impl TurnFilesPlayer {
    /// Makes a folder for one game. A `frugality` goes into its calibration.txt.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub(in crate::matches) fn new(
        program: ProgramFile,
        rules: TurnRules,
        frugality: Option<f64>,
    ) -> Result<TurnFilesPlayer> {
        let folder = AgentDir::new("match")?;
        if let Some(frugality) = frugality {
            let path = folder.path().join(CALIBRATION);
            let text = serde_json::json!({ "frugality": frugality }).to_string();
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(TurnFilesPlayer { program, rules, folder, used: Duration::ZERO })
    }

    /// Runs the program for one turn.
    ///
    /// # Errors
    /// Fails if it cannot be run, exits with an error, or does not answer with a legal turn.
    pub(in crate::matches) fn turn(&mut self, position: &Position) -> Result<ProgramTurn> {
        let (mode, left) = match self.rules {
            TurnRules::Single(limit) => ("SINGLE", limit),
            TurnRules::Game(limit) => ("GAME", limit.saturating_sub(self.used)),
        };
        self.folder.ask(mode, position, left.as_secs_f64())?;
        let mut process = Process::start(&self.program, &[], self.folder.path())?;
        let Some((used, status)) = process.end(Instant::now() + patience(left))? else {
            return Ok(ProgramTurn { mv: None, used: process.cpu()? });
        };
        self.used += used;
        if !status.success() {
            bail!("the program failed with {status}: {}", process.name_and_last_words());
        }
        let answer = self.folder.answer(position);
        let mv = answer.with_context(|| format!("no legal turn by {}", process.name_and_last_words()))?;
        Ok(ProgramTurn { mv: Some(mv), used })
    }
}
