//! Store file.
//!
//! A file begins with a line of text, `kingline solve 1 loa6`. Batches follow, each written at once:
//!
//! | bytes | contents, little-endian |
//! | --- | --- |
//! | 8 | `n`, the number of facts |
//! | 8 | checksum of the facts |
//! | 20 n | for each fact: the form (16), its kind (2: 0 lost, 1 score, 2 tried, 3 not won), its value (2: plies or score) |
//!
//! A batch is synced to the disk before the next one. A killed run or a power failure leaves at most one broken batch at
//! the end, which the next run removes. A file that is damaged elsewhere is refused.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kingline::knowledge::checksum;
use kingline_players::files::NewFile;
use kingline_players::terminal::stderr_line;

use super::fact::Fact;

const HEAD: usize = 16;
const RECORD: usize = 20;
/// Largest number of facts in a batch of a merged store.
const BATCH: usize = 1 << 20;

/// File of facts, open for appending.
pub(super) struct StoreFile {
    path: PathBuf,
    file: File,
    /// Length of the file without a broken batch at its end.
    length: u64,
}

/// Contents of a store file.
struct Contents {
    facts: Vec<(u128, Fact)>,
    /// Number of bytes up to the end of the last good batch.
    length: usize,
    /// The next batch, if it is not good.
    broken: Option<Broken>,
}

/// Batch that is not good.
enum Broken {
    /// It ends with the file.
    Incomplete,
    /// It has all its bytes, and this is wrong. `is_last`: no byte follows.
    Damaged { what: String, is_last: bool },
}

impl StoreFile {
    /// Opens or creates the store file of a game. Returns all facts in it.
    ///
    /// # Errors
    /// Fails if it cannot be read or written, is damaged before its last batch, or is not a store of this game.
    pub(super) fn open(path: &Path, game: &str) -> Result<(StoreFile, Vec<(u128, Fact)>)> {
        let cannot = |what: &str| format!("cannot {what} {}", path.display());
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = opened.with_context(|| cannot("open"))?;
        // Two runs that write to one file would destroy it.
        file.try_lock().with_context(|| format!("{} is in use by another run", path.display()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| cannot("read"))?;
        let title = title(game);
        if title.as_bytes().starts_with(&bytes) && bytes.len() < title.len() {
            // A new file, or one whose first write was interrupted.
            let written = file.rewind().and_then(|()| file.write_all(title.as_bytes())).and_then(|()| file.sync_all());
            written.with_context(|| cannot("write"))?;
            return Ok((StoreFile { path: path.to_owned(), file, length: title.len() as u64 }, Vec::new()));
        }
        let Contents { facts, length, broken } = contents(path, &bytes, game)?;
        if let Some(Broken::Damaged { what, is_last: false }) = &broken {
            bail!(damaged(path, length, what));
        }
        if broken.is_some() {
            let broken = bytes.len() - length;
            stderr_line(format_args!("{}: removed the last {broken} bytes, an incomplete batch", path.display()));
            file.set_len(length as u64).with_context(|| cannot("write"))?;
        }
        Ok((StoreFile { path: path.to_owned(), file, length: length as u64 }, facts))
    }

    /// Appends a batch, completely or not at all, and waits until it is on the disk.
    ///
    /// # Errors
    /// Fails if it cannot be written; the file is then unchanged.
    pub(super) fn append(&mut self, facts: &[(u128, Fact)]) -> Result<()> {
        if facts.is_empty() {
            return Ok(());
        }
        let bytes = batch(facts);
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(&bytes));
        let written = written.and_then(|()| self.file.sync_data());
        if written.is_err() {
            // The first error is the one to report.
            let _ = self.file.set_len(self.length);
        }
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Replaces the file by one with these facts, completely or not at all.
    ///
    /// # Errors
    /// Fails if it cannot be written; the file is then unchanged.
    pub(super) fn replace(self, game: &str, facts: &[(u128, Fact)]) -> Result<()> {
        let mut file = NewFile::create(&self.path)?;
        file.write(title(game).as_bytes())?;
        for facts in facts.chunks(BATCH) {
            file.write(&batch(facts))?;
        }
        file.finish()
    }
}

/// Returns all facts in the store file of a game, which another run may be writing to: an incomplete batch at its end
/// is left out, with a line on standard error.
///
/// # Errors
/// Fails if it cannot be read, is damaged, or is not a store of this game.
pub(super) fn read(path: &Path, game: &str) -> Result<Vec<(u128, Fact)>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let Contents { facts, length, broken } = contents(path, &bytes, game)?;
    match broken {
        Some(Broken::Damaged { what, .. }) => bail!(damaged(path, length, &what)),
        Some(Broken::Incomplete) => {
            let broken = bytes.len() - length;
            stderr_line(format_args!("{}: left out the last {broken} bytes, an incomplete batch", path.display()));
        }
        None => {}
    }
    Ok(facts)
}

fn title(game: &str) -> String {
    format!("kingline solve 1 {game}\n")
}

fn damaged(path: &Path, offset: usize, what: &str) -> String {
    format!("{} is damaged: the batch at byte {offset}: {what}", path.display())
}

/// Reads batches up to the end or the first that is not good.
fn contents(path: &Path, bytes: &[u8], game: &str) -> Result<Contents> {
    let title = title(game);
    let Some(mut rest) = bytes.strip_prefix(title.as_bytes()) else {
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let found = String::from_utf8_lossy(&line[..line.len().min(60)]).escape_debug().to_string();
        bail!("{}: found \"{found}\", expected \"{}\"", path.display(), title.trim_end());
    };
    let (mut facts, mut broken) = (Vec::new(), None);
    while !rest.is_empty() {
        match next_batch(rest, &mut facts) {
            Ok(after) => rest = after,
            Err(why) => {
                broken = Some(why);
                break;
            }
        }
    }
    Ok(Contents { facts, length: bytes.len() - rest.len(), broken })
}

/// Reads a batch. Returns the bytes after it.
fn next_batch<'a>(bytes: &'a [u8], facts: &mut Vec<(u128, Fact)>) -> std::result::Result<&'a [u8], Broken> {
    let parts = || {
        let (count, rest) = bytes.split_first_chunk()?;
        let (sum, rest) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(RECORD)?;
        Some((u64::from_le_bytes(*sum), rest.split_at_checked(length)?))
    };
    let (written, (records, rest)) = parts().ok_or(Broken::Incomplete)?;
    let is_last = rest.is_empty();
    let sum = checksum(records);
    if sum != written {
        let what = format!("found the checksum {sum:016x}, expected {written:016x}, the recorded one");
        return Err(Broken::Damaged { what, is_last });
    }
    let read: Option<Vec<_>> = records.chunks_exact(RECORD).map(fact).collect();
    let unknown = || Broken::Damaged { what: "found a fact of unknown kind, expected 0 to 3".into(), is_last: false };
    facts.extend(read.ok_or_else(unknown)?);
    Ok(rest)
}

fn batch(facts: &[(u128, Fact)]) -> Vec<u8> {
    let records: Vec<u8> = facts.iter().flat_map(record).collect();
    let mut bytes = Vec::with_capacity(HEAD + records.len());
    bytes.extend_from_slice(&(facts.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&checksum(&records).to_le_bytes());
    bytes.extend_from_slice(&records);
    bytes
}

fn record(&(form, fact): &(u128, Fact)) -> [u8; RECORD] {
    let (kind, value) = match fact {
        Fact::Lost(plies) => (0u16, plies.to_le_bytes()),
        Fact::Score(score) => (1, score.to_le_bytes()),
        Fact::Tried => (2, [0; 2]),
        Fact::NotWon => (3, [0; 2]),
    };
    let mut bytes = [0; RECORD];
    bytes[..16].copy_from_slice(&form.to_le_bytes());
    bytes[16..18].copy_from_slice(&kind.to_le_bytes());
    bytes[18..].copy_from_slice(&value);
    bytes
}

fn fact(bytes: &[u8]) -> Option<(u128, Fact)> {
    let (form, rest) = bytes.split_first_chunk()?;
    let &[kind, 0, low, high] = rest else { return None };
    let fact = match kind {
        0 => Fact::Lost(u16::from_le_bytes([low, high])),
        1 => Fact::Score(i16::from_le_bytes([low, high])),
        2 => Fact::Tried,
        3 => Fact::NotWon,
        _ => return None,
    };
    Some((u128::from_le_bytes(*form), fact))
}

#[cfg(test)]
mod tests;
