//! Reads plans and results line by line, so that a file of any length takes little memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::error::TournamentError;
use super::lines::{NamedGame, PlanLine, Reach, Sheet, SheetGame, expected, parse};
use crate::record::GameRecord;
use crate::tournament::schedule::PlannedGame;

/// A file whose games are read one at a time.
pub(super) struct SheetReader<'a> {
    path: &'a Path,
    file: BufReader<File>,
    /// Number of complete lines so far, the end not counted.
    number: usize,
    /// The last line that was read.
    bytes: Vec<u8>,
    /// The line after the agents, until it is returned.
    ahead: Option<PlanLine>,
    /// Indexes of the agents by name.
    indexes: HashMap<String, usize>,
    is_at_end: bool,
}

impl SheetReader<'_> {
    /// Opens a file. Returns it with its first lines: the tournament and its agents.
    pub(super) fn open(path: &Path) -> Result<(SheetReader<'_>, Sheet), TournamentError> {
        let file = BufReader::new(File::open(path).map_err(TournamentError::file("read", path))?);
        let (bytes, indexes) = (Vec::new(), HashMap::new());
        let mut reader = SheetReader { path, file, number: 1, bytes, ahead: None, indexes, is_at_end: false };
        reader.read_bytes()?;
        let mut sheet = Sheet::of_head(path, &reader.bytes)?;
        loop {
            match reader.line()? {
                Some(PlanLine::Agent(agent)) => {
                    if reader.indexes.insert(agent.name.clone(), sheet.agents.len()).is_some() {
                        return Err(reader.expected("an agent that is not listed yet"));
                    }
                    sheet.agents.push(agent);
                }
                ahead => {
                    reader.ahead = ahead;
                    return Ok((reader, sheet));
                }
            }
        }
    }

    /// Returns the next game; `None` if the file ends here, or is cut off.
    pub(super) fn game(&mut self) -> Result<Option<SheetGame>, TournamentError> {
        let line = match self.ahead.take() {
            None => self.line()?,
            ahead => ahead,
        };
        match line {
            None => Ok(None),
            Some(PlanLine::Game(place)) => self.entry(&place, None).map(Some),
            Some(PlanLine::Played(place, record)) => self.entry(&place, Some(*record)).map(Some),
            Some(PlanLine::End(lines)) if lines + 1 == self.number => {
                if self.read_bytes()? > 0 {
                    self.number += 1;
                    return Err(self.expected("the end of the file"));
                }
                self.is_at_end = true;
                Ok(None)
            }
            Some(PlanLine::End(_)) => Err(self.expected(&format!("the end after {} lines", self.number - 1))),
            Some(PlanLine::Tournament(_) | PlanLine::Agent(_)) => Err(self.expected("a game or the end")),
        }
    }

    /// Returns the point up to which the file is complete, once there are no more games.
    pub(super) fn reach(&self) -> Reach {
        if self.is_at_end { Reach::End } else { Reach::Cut(self.number) }
    }

    /// Checks that the file is complete, once there are no more games.
    pub(super) fn is_complete(&self) -> Result<(), TournamentError> {
        match self.reach() {
            Reach::End => Ok(()),
            Reach::Cut(line) => {
                let what = "found the end of the file, expected its last line: the file is incomplete";
                Err(TournamentError::Line(self.path.to_owned(), line + 1, what.to_owned()))
            }
        }
    }

    /// Reads the next complete line, if there is one.
    fn line(&mut self) -> Result<Option<PlanLine>, TournamentError> {
        self.read_bytes()?;
        if !self.bytes.ends_with(b"\n") {
            return Ok(None);
        }
        self.number += 1;
        parse(self.path, self.number, &self.bytes).map(Some)
    }

    /// Reads the bytes up to the end of a line or of the file. Returns their number.
    fn read_bytes(&mut self) -> Result<usize, TournamentError> {
        self.bytes.clear();
        self.file.read_until(b'\n', &mut self.bytes).map_err(TournamentError::file("read", self.path))
    }

    fn entry(&self, place: &NamedGame, record: Option<GameRecord>) -> Result<SheetGame, TournamentError> {
        let known = |name: &str| self.indexes.get(name).copied();
        let (Some(black), Some(white)) = (known(&place.black), known(&place.white)) else {
            return Err(self.expected("a game between agents listed on earlier lines"));
        };
        let &NamedGame { round, pairing, opening, seed, .. } = place;
        let game = PlannedGame { round, pairing, opening, agents: [black, white], seed };
        Ok(SheetGame { line: self.number, game, record })
    }

    /// Returns the error about the last line that was read.
    fn expected(&self, what: &str) -> TournamentError {
        expected(self.path, self.number, what, &self.bytes)
    }
}
