//! The file beside a store that keeps the reviews of its games.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::game::fits;
use super::lines::{GameLine, Header, line};
use crate::record::GameRecord;
use crate::tournament::store::{GameId, Store};
use kingline_players::files::Lock;
use kingline_players::review::Review;

/// Reviews of the games of a store, locked against other writers: `spring.review-0.02.jsonl` beside `spring.db`.
///
/// The file only grows, in the order of the games' numbers, so a run that was killed and taken up gives the same bytes
/// as an undisturbed one. An incomplete last line is cut off. A file with another header or a damaged line is refused,
/// not replaced: it may have taken hours.
#[derive(Debug)]
pub struct ReviewFile {
    path: PathBuf,
    file: File,
    /// Offset and length of each game's line.
    places: HashMap<GameId, (u64, usize)>,
    /// Games that could not be reviewed, with the reason.
    skipped: Vec<(GameId, String)>,
    length: u64,
    _lock: Lock,
}

/// A file that is not one of reviews of this store.
#[derive(Debug)]
pub struct NotReviews(String);

impl fmt::Display for NotReviews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReviews {}

impl ReviewFile {
    /// Path of the reviews of a store with these seconds for each position.
    pub fn path_of(store: &Path, seconds: f64) -> PathBuf {
        store.with_extension(format!("review-{seconds}.jsonl"))
    }

    /// Opens the file beside a store, or begins it.
    ///
    /// # Errors
    /// Another process has it open, it cannot be read or written, or it is [not a file of reviews](NotReviews) of this
    /// store.
    pub fn open(store: &Store, seconds: f64) -> Result<ReviewFile> {
        let path = ReviewFile::path_of(store.path(), seconds);
        let cannot_write = || format!("cannot write {}", path.display());
        let Some(lock) = Lock::take(&path).with_context(cannot_write)? else {
            bail!("{}: another process is writing these reviews", path.display());
        };
        let file = File::options().read(true).write(true).open(&path).with_context(cannot_write)?;
        let (places, skipped) = (HashMap::new(), Vec::new());
        let mut reviews = ReviewFile { path: path.clone(), file, places, skipped, length: 0, _lock: lock };
        let header = Header::of(store, seconds);
        reviews.read_lines(&header)?;
        let cut = |file: &mut File| -> io::Result<()> {
            file.set_len(reviews.length)?;
            file.seek(SeekFrom::End(0)).map(drop)
        };
        cut(&mut reviews.file).with_context(cannot_write)?;
        if reviews.length == 0 {
            reviews.write(&line(&header)?)?;
        }
        Ok(reviews)
    }

    /// Reads all complete lines.
    fn read_lines(&mut self, header: &Header) -> Result<()> {
        let cannot_read = || format!("cannot read {}", self.path.display());
        let (mut reader, mut bytes) = (BufReader::new(self.file.try_clone().with_context(cannot_read)?), Vec::new());
        for number in 1.. {
            bytes.clear();
            let read = reader.read_until(b'\n', &mut bytes).with_context(cannot_read)?;
            if bytes.last() != Some(&b'\n') {
                // Nothing, or a line whose writing was interrupted. Only the start of our own header may be cut off.
                let is_ours = number > 1 || line(header)?.starts_with(&bytes);
                return if is_ours {
                    Ok(())
                } else {
                    Err(self.refused("found another kind of file, expected reviews"))
                };
            }
            if number == 1 {
                self.check(header, &bytes)?;
            } else {
                let found: GameLine = match serde_json::from_slice(&bytes) {
                    Ok(found) => found,
                    Err(error) => return Err(self.refused(&format!("line {number} is damaged: {error}"))),
                };
                if self.places.insert(found.id(), (self.length, read)).is_some() {
                    return Err(self.refused(&format!("line {number} is damaged: game {} is there twice", found.game)));
                }
                self.skipped.extend(found.skipped.map(|why| (GameId(found.game), why)));
            }
            self.length += read as u64;
        }
        Ok(())
    }

    fn check(&self, header: &Header, bytes: &[u8]) -> Result<()> {
        match serde_json::from_slice::<Header>(bytes) {
            Ok(found) if found == *header => Ok(()),
            Ok(found) => Err(self.refused(&header.differences(&found))),
            Err(_) => Err(self.refused("found another kind of file, expected reviews")),
        }
    }

    fn refused(&self, why: &str) -> anyhow::Error {
        let path = self.path.display();
        NotReviews(format!("{path}: {why}\nhelp: delete it or move it away, and all games are reviewed anew")).into()
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if a game need not be reviewed again.
    pub fn has(&self, game: GameId) -> bool {
        self.places.contains_key(&game)
    }

    /// Games that could not be reviewed, with the reason.
    pub fn skipped(&self) -> &[(GameId, String)] {
        &self.skipped
    }

    /// Returns the review of a game, if it has one.
    ///
    /// # Errors
    /// The file cannot be read, or the review is of another game than this record.
    pub fn review(&self, game: GameId, record: &GameRecord) -> Result<Option<Review>> {
        let Some(&(offset, length)) = self.places.get(&game) else { return Ok(None) };
        let mut bytes = vec![0; length];
        let read = self.file.read_exact_at(&mut bytes, offset);
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        let GameLine { review, .. } = serde_json::from_slice(&bytes)?;
        if review.as_ref().is_some_and(|review| !fits(review, record)) {
            return Err(self.refused(&format!("the moves of game {} differ from the store's", game.0)));
        }
        Ok(review)
    }

    /// Appends a game.
    pub(super) fn add(&mut self, game: &GameLine) -> Result<()> {
        let (bytes, offset) = (line(game)?, self.length);
        self.write(&bytes)?;
        self.places.insert(game.id(), (offset, bytes.len()));
        self.skipped.extend(game.skipped.clone().map(|why| (game.id(), why)));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all(bytes);
        written.with_context(|| format!("cannot write {}; the reviews so far are safe", self.path.display()))?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}
