//! Results of an incomplete shard, saved to disk game by game.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::TournamentError;
use super::lines::{Reach, Sheet, SheetGame};
use super::play::is_failed;
use crate::record::GameRecord;
use crate::tournament::schedule::PlannedGame;
use kingline_players::files::Lock;

/// Results of a shard while it is incomplete: a locked file beside the results file. It gets a line for each finished
/// game, and replaces the results file when the shard is complete.
pub(super) struct PartialResults {
    results: PathBuf,
    path: PathBuf,
    file: File,
    /// Tournament, shard and agents.
    sheet: Sheet,
    /// Number of lines written so far.
    lines: usize,
    /// Games that need not be played again.
    done: HashSet<PlannedGame>,
    /// Games in `done` that are in an earlier results file but not yet in the partial file.
    earlier: Vec<SheetGame>,
    _lock: Lock,
}

impl PartialResults {
    /// Opens the existing results of a shard, if any, and checks that they belong to `sheet`.
    pub(super) fn open(results: &Path, sheet: Sheet) -> Result<PartialResults, TournamentError> {
        let mut part = PartialResults::lock(results, sheet)?;
        if part.file.metadata().map_err(TournamentError::file("read", &part.path))?.len() > 0 {
            let (found, reach) = Sheet::read_part(&part.path)?;
            part.check(&part.path, &found)?;
            match reach {
                // The last run ended just before it renamed the file.
                Reach::End => {
                    part.rename()?;
                    part = PartialResults::lock(results, part.sheet)?;
                }
                Reach::Cut(lines) => {
                    part.lines = lines;
                    part.done.extend(found.entries.iter().filter(|entry| is_done(entry)).map(|entry| entry.game));
                }
            }
        }
        if results.exists() {
            let found = Sheet::read(results)?;
            part.check(results, &found)?;
            let is_new = |entry: &SheetGame| is_done(entry) && part.done.insert(entry.game);
            part.earlier = found.entries.into_iter().filter(is_new).collect();
        }
        Ok(part)
    }

    fn lock(results: &Path, sheet: Sheet) -> Result<PartialResults, TournamentError> {
        let mut name = results.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        let path = results.with_file_name(name);
        let lock = Lock::take(&path).map_err(TournamentError::file("write", &path))?;
        let lock = lock.ok_or_else(|| TournamentError::Busy(results.to_owned()))?;
        let bytes = fs::read(&path).map_err(TournamentError::file("read", &path))?;
        // Checked before it is truncated, since it may be another kind of file.
        Sheet::check_start(&path, &bytes)?;
        // The last line is incomplete if the write of a game was interrupted.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last as u64 + 1);
        let open = || {
            let mut file = File::options().write(true).open(&path)?;
            file.set_len(whole)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(TournamentError::file("write", &path))?;
        let (done, earlier) = (HashSet::new(), Vec::new());
        Ok(PartialResults { results: results.to_owned(), path, file, sheet, lines: 0, done, earlier, _lock: lock })
    }

    /// Checks that a file belongs to the same shard of the same plan.
    fn check(&self, path: &Path, found: &Sheet) -> Result<(), TournamentError> {
        let [games, planned] = [found, &self.sheet].map(|sheet| sheet.rules.games);
        let fewer = (games != planned).then(|| format!("its number of games is {games}, not {planned}"));
        let difference = self.sheet.difference(found).or(fewer);
        match difference.or_else(|| (found.shard != self.sheet.shard).then(|| "its shard differs".to_owned())) {
            None => Ok(()),
            Some(what) => {
                let what =
                    format!("found results of another plan: {what}\nhelp: name another file, or move this one away");
                Err(TournamentError::Content(path.to_owned(), what))
            }
        }
    }

    /// Returns true if a game need not be played again.
    pub(super) fn has(&self, game: &PlannedGame) -> bool {
        self.done.contains(game)
    }

    /// Returns true if the results file already has every known game.
    pub(super) fn adds_nothing(&self) -> bool {
        self.lines == 0 && self.results.exists()
    }

    /// Sets the name that an agent gives itself. Must be called before the first game is added.
    pub(super) fn set_title(&mut self, name: &str, title: &str) {
        for agent in self.sheet.agents.iter_mut().filter(|agent| agent.name == name) {
            agent.title = Some(title.to_owned());
        }
    }

    /// Prepares the file for the first game.
    pub(super) fn begin(&mut self) -> Result<(), TournamentError> {
        if self.lines == 0 {
            let top = self.sheet.top().map_err(TournamentError::file("write", &self.path))?;
            self.write(&top, 1 + self.sheet.agents.len())?;
        }
        for SheetGame { game, record, .. } in std::mem::take(&mut self.earlier) {
            if let Some(record) = record {
                self.add(&game, &record)?;
            }
        }
        Ok(())
    }

    /// Adds a finished game.
    pub(super) fn add(&mut self, game: &PlannedGame, record: &GameRecord) -> Result<(), TournamentError> {
        let line = self.sheet.game(game, Some(record)).map_err(TournamentError::file("write", &self.path))?;
        self.write(&line, 1)
    }

    /// Replaces the results file once all games are played.
    pub(super) fn finish(mut self) -> Result<(), TournamentError> {
        let line = Sheet::end(self.lines).map_err(TournamentError::file("write", &self.path))?;
        self.write(&line, 1)?;
        self.rename()
    }

    /// Removes the partial file and leaves the results file unchanged. For shards with nothing to play.
    pub(super) fn leave(self) -> Result<(), TournamentError> {
        fs::remove_file(&self.path).map_err(TournamentError::file("delete", &self.path))
    }

    fn rename(&self) -> Result<(), TournamentError> {
        fs::rename(&self.path, &self.results).map_err(TournamentError::file("write", &self.results))
    }

    /// Writes complete lines and waits until they are on disk.
    fn write(&mut self, bytes: &[u8], lines: usize) -> Result<(), TournamentError> {
        let write = |file: &mut File| -> io::Result<()> {
            file.write_all(bytes)?;
            file.sync_data()
        };
        write(&mut self.file).map_err(TournamentError::file("write", &self.path))?;
        self.lines += lines;
        Ok(())
    }
}

fn is_done(entry: &SheetGame) -> bool {
    entry.record.as_ref().is_some_and(|record| !is_failed(record))
}
