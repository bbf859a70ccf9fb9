//! How are the chosen records written?

use std::path::{Path, PathBuf};

use anyhow::Result;
use kingline::files::NewFile;
use serde::Serialize;

use crate::learn::file::Header;
use crate::learn::record::Record;

/// The files that are written: none of them is there before [`Outputs::finish`].
pub(super) struct Outputs {
    merged: Output,
    /// Those held out, and how many of a hundred games that is.
    held_out: Option<(Output, u8)>,
}

struct Output {
    file: NewFile,
    written: Written,
}

/// What was written into a file.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) games: u64,
    pub(super) positions: u64,
}

impl Outputs {
    /// # Errors
    /// A file cannot be made.
    pub(super) fn new(merged: &Path, held_out: Option<(&Path, u8)>, header: &Header) -> Result<Outputs> {
        let held_out = held_out.map(|(path, percent)| Ok::<_, anyhow::Error>((Output::new(path, header)?, percent)));
        Ok(Outputs { merged: Output::new(merged, header)?, held_out: held_out.transpose()? })
    }

    /// Adds the chosen records of the game with this id.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
    pub(super) fn add(&mut self, id: u32, game: Vec<Record>) -> Result<()> {
        match &mut self.held_out {
            Some((output, percent)) if is_held_out(id, *percent) => output.add(id, game),
            _ => self.merged.add(id, game),
        }
    }

    /// Puts the files in their places, once all of them are whole: games that are held out are missing in the other file.
    ///
    /// # Errors
    /// Says which file cannot be written, and why.
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

/// Whether a game is held out: its id, taken as a fraction of all ids, is in the first `percent` hundredths.
fn is_held_out(id: u32, percent: u8) -> bool {
    (u64::from(id) * 100) >> 32 < percent.into()
}
