//! What is kept of a shard that is not complete?

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TournamentError;
use super::lines::{Reach, Sheet, SheetGame};
use super::play::is_failed;
use crate::master::record::GameRecord;
use crate::master::schedule::PlannedGame;
use crate::master::store::Lock;

/// A shard's results while they are incomplete: a file beside the results file, which gets a line for each game that
/// ends, and replaces the results file in the end. It is locked meanwhile.
pub(super) struct PartialResults {
    results: PathBuf,
    path: PathBuf,
    file: File,
    /// The tournament, shard and agents.
    sheet: Sheet,
    /// Lines written so far.
    lines: usize,
    /// Games that need not be played again.
    done: HashSet<PlannedGame>,
    /// Those of them that are in an earlier results file, and not yet in this one.
    earlier: Vec<SheetGame>,
    _lock: Lock,
}

impl PartialResults {
    /// Opens the results of a shard, as far as they exist, and checks that they belong to `sheet`.
    pub(super) fn open(results: &Path, sheet: Sheet) -> Result<PartialResults, TournamentError> {
        let mut part = PartialResults::lock(results, sheet)?;
        if part.file.metadata().map_err(TournamentError::file("read", &part.path))?.len() > 0 {
            let (found, reach) = Sheet::read_part(&part.path)?;
            part.check(&part.path, &found)?;
            match reach {
                // The last run was ended just before it renamed the file.
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
        // Before it is cut: it may be something else's.
        Sheet::check_start(&path, &bytes)?;
        // An incomplete line is that of a game in flight.
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

    /// Checks that a file has the same shard of the same plan.
    fn check(&self, path: &Path, found: &Sheet) -> Result<(), TournamentError> {
        let [games, planned] = [found, &self.sheet].map(|sheet| sheet.rules.games);
        let fewer = (games != planned).then(|| format!("its number of games is {games}, not {planned}"));
        let difference = self.sheet.difference(found).or(fewer);
        match difference.or_else(|| (found.shard != self.sheet.shard).then(|| "it is another shard".to_owned())) {
            None => Ok(()),
            Some(what) => {
                let what = format!("found results of another plan: {what}; name another file, or move this one away");
                Err(TournamentError::Content(path.to_owned(), what))
            }
        }
    }

    /// Whether a game need not be played again.
    pub(super) fn has(&self, game: &PlannedGame) -> bool {
        self.done.contains(game)
    }

    /// Whether the results file already has everything that is known.
    pub(super) fn adds_nothing(&self) -> bool {
        self.lines == 0 && self.results.exists()
    }

    /// Sets an agent's own name for itself; to be called before the first game is added.
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

    /// Adds a game that ended.
    pub(super) fn add(&mut self, game: &PlannedGame, record: &GameRecord) -> Result<(), TournamentError> {
        let line = self.sheet.game(game, Some(record)).map_err(TournamentError::file("write", &self.path))?;
        self.write(&line, 1)
    }

    /// All games were played: replaces the results file.
    pub(super) fn finish(mut self) -> Result<(), TournamentError> {
        let line = Sheet::end(self.lines).map_err(TournamentError::file("write", &self.path))?;
        self.write(&line, 1)?;
        self.rename()
    }

    /// Nothing was to be played: leaves the results file as it is.
    pub(super) fn leave(self) -> Result<(), TournamentError> {
        fs::remove_file(&self.path).map_err(TournamentError::file("delete", &self.path))
    }

    fn rename(&self) -> Result<(), TournamentError> {
        fs::rename(&self.path, &self.results).map_err(TournamentError::file("write", &self.results))
    }

    /// Writes whole lines, and waits for the disk.
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
