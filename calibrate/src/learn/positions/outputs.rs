//! Files with the chosen records.

use std::path::{Path, PathBuf};

use anyhow::Result;
use kingline_players::files::NewFile;
use serde::Serialize;

use crate::learn::file::Header;
use crate::learn::record::Record;

/// Files to write. None of them exists before [`Outputs::finish`].
pub(super) struct Outputs {
    merged: Output,
    /// File for the held-out games, and their percentage.
    held_out: Option<(Output, u8)>,
}

struct Output {
    file: NewFile,
    written: Written,
}

/// Summary of a written file.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) games: u64,
    pub(super) positions: u64,
}

impl Outputs {
    /// # Errors
    /// Fails if a file cannot be created.
    pub(super) fn new(merged: &Path, held_out: Option<(&Path, u8)>, header: &Header) -> Result<Outputs> {
        let held_out = held_out.map(|(path, percent)| Ok::<_, anyhow::Error>((Output::new(path, header)?, percent)));
        Ok(Outputs { merged: Output::new(merged, header)?, held_out: held_out.transpose()? })
    }

    /// Adds the chosen records of the game with this id.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub(super) fn add(&mut self, id: u32, game: Vec<Record>) -> Result<()> {
        match &mut self.held_out {
            Some((output, percent)) if is_held_out(id, *percent) => output.add(id, game),
            _ => self.merged.add(id, game),
        }
    }

    /// Moves the files into place once all of them are complete, since the games in one are missing from the other.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub(super) fn finish(self) -> Result<Vec<Written>> {
        let held_out = self.held_out.map(|(output, _)| output);
        let mut outputs: Vec<Output> = [self.merged].into_iter().chain(held_out).collect();
        outputs.iter_mut().try_for_each(|output| output.file.sync())?;
        outputs.into_iter().map(|Output { file, written }| file.finish().map(|()| written)).collect()
    }
}

impl Output {
    fn new(path: &Path, header: &Header) -> Result<Output> {
        let mut file = NewFile::create(path)?;
        file.write(header.to_text().as_bytes())?;
        Ok(Output { file, written: Written { path: path.to_owned(), games: 0, positions: 0 } })
    }

    fn add(&mut self, id: u32, game: Vec<Record>) -> Result<()> {
        self.written.games += u64::from(!game.is_empty());
        self.written.positions += game.len() as u64;
        game.into_iter().try_for_each(|record| self.file.write(&Record { game: id, ..record }.to_bytes()))
    }
}

/// True if a game is held out: its id is in the lowest `percent` hundredths of all ids.
fn is_held_out(id: u32, percent: u8) -> bool {
    (u64::from(id) * 100) >> 32 < percent.into()
}
