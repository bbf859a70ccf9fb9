//! Working directory of an agent that plays through files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game};
use kingline_players::files::read_text;
use kingline_players::protocol::turn_files::{INPUT, OUTPUT, PLAYDATA, read_answer};

/// Working directory of an agent, removed when dropped.
pub(crate) struct AgentDir(PathBuf);

impl AgentDir {
    pub(crate) fn new(name: &str) -> Result<AgentDir> {
        /// Largest number to try, more than killed runs leave behind.
        const MOST: u32 = 1000;
        let mut number = 0;
        loop {
            let path = std::env::temp_dir().join(format!("kingline-{name}-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                // Leaves other users' directories alone: dropping this value deletes its directory.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST => number += 1,
                made => {
                    made.with_context(|| format!("cannot create {}", path.display()))?;
                    return Ok(AgentDir(path));
                }
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes input.txt and deletes an old output.txt.
    pub(crate) fn ask(&self, mode: &str, position: &Position, left: f64) -> Result<()> {
        let side = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        let _ = fs::remove_file(self.0.join(OUTPUT));
        fs::write(self.0.join(INPUT), format!("{mode}\n{side}\n{left}\n{}", Diagram(position)))
            .with_context(|| format!("cannot write {}", self.0.join(INPUT).display()))
    }

    /// Reads output.txt strictly. Returns the turn if it is legal.
    pub(crate) fn answer(&self, position: &Position) -> Result<<Position as Game>::Move> {
        let text = read_text(&self.0.join(OUTPUT)).context("no answer")?;
        Ok(read_answer(&text, position)?)
    }

    pub(crate) fn forget_game(&self) {
        let _ = fs::remove_file(self.0.join(PLAYDATA));
    }
}

impl Drop for AgentDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
