//! Game files.
//!
//! A file begins with 256 bytes of text that describe its contents, one field per line, padded with blanks and an LF.
//! The records follow, game by game. A killed run leaves at most one broken game at the end, which the next run
//! removes.
//!
//! ```text
//! kingline games 1
//! game checkers
//! seed 1                   or: several
//! shard 3/8                or: merged
//! nodes 3000               or: several
//! evaluation 0123456789abcdef   the checksum of its weights, or: several; in older files: hand-written
//! ```
//!
//! In a shard, games are in the order of their numbers, which start at 0. In a merged file, each game has the number
//! that [`Header::id`] gives it, since games with different seeds share their original numbers.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kingline_players::files::lock;

use super::game::game_seed;
use super::record::{RECORD_BYTES, Record};

pub(super) const HEADER_BYTES: usize = 256;
/// First line of a header.
pub(super) const FORMAT: &str = "kingline games 1";
/// Size in bytes that no game reaches.
pub(super) const LONGEST_GAME: u64 = (RECORD_BYTES as u64) << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) game: String,
    /// Seed; `None` if the games have different ones.
    pub(super) seed: Option<u64>,
    /// Shard `shard.0` of `shard.1`, 1-based; `None` for a merged file.
    pub(super) shard: Option<(u32, u32)>,
    /// Nodes per search; `None` if the games have different numbers.
    pub(super) nodes: Option<u64>,
    /// Evaluation that played: a name, a checksum, or `several`.
    pub(super) evaluation: String,
}

const SEVERAL: &str = "several";
const MERGED: &str = "merged";

impl Header {
    /// Returns the header of a merged file with games from both files, which must be of the same game.
    pub(super) fn merged_with(&self, other: &Header) -> Header {
        let same = self.evaluation == other.evaluation;
        Header {
            game: self.game.clone(),
            seed: self.seed.filter(|_| self.seed == other.seed),
            shard: None,
            nodes: self.nodes.filter(|_| self.nodes == other.nodes),
            evaluation: if same { self.evaluation.clone() } else { SEVERAL.to_owned() },
        }
    }

    /// Returns a number that distinguishes a game from those of other seeds, given its number in a file with this
    /// header. It has 32 bits, so two games may share it by chance.
    pub(super) fn id(&self, game: u32) -> u32 {
        match (self.shard, self.seed) {
            (Some(_), Some(seed)) => (game_seed(seed, game) >> 32) as u32,
            // The merge has already assigned this number.
            _ => game,
        }
    }

    pub(super) fn to_text(&self) -> String {
        let text = format!("{FORMAT}\n{}", self.lines().map(|(name, value)| format!("{name} {value}\n")).concat());
        let blanks = HEADER_BYTES.saturating_sub(text.len() + 1);
        text + &" ".repeat(blanks) + "\n"
    }

    pub(super) fn lines(&self) -> [(&'static str, String); 5] {
        let Header { game, seed, shard, nodes, evaluation } = self;
        let number = |number: &Option<u64>| number.map_or(SEVERAL.to_owned(), |number| number.to_string());
        let shard = shard.map_or(MERGED.to_owned(), |(number, of)| format!("{number}/{of}"));
        [
            ("game", game.clone()),
            ("seed", number(seed)),
            ("shard", shard),
            ("nodes", number(nodes)),
            ("evaluation", evaluation.clone()),
        ]
    }

    /// Parses the text at the beginning of a file; `None` if it is not a header.
    pub(super) fn parse(text: &str) -> Option<Header> {
        let number = |text: &str| if text == SEVERAL { Some(None) } else { text.parse().ok().map(Some) };
        let shard = |text: &str| {
            let (number, of) = text.split_once('/')?;
            Some((number.parse().ok()?, of.parse().ok()?))
        };
        let mut lines = text.lines();
        (lines.next()? == FORMAT).then_some(())?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        Some(Header {
            game: field("game")?.to_owned(),
            seed: number(field("seed")?)?,
            shard: match field("shard")? {
                MERGED => None,
                text => Some(shard(text)?),
            },
            nodes: number(field("nodes")?)?,
            evaluation: field("evaluation")?.to_owned(),
        })
    }
}

impl fmt::Display for Header {
    /// Writes `game checkers, seed 1, shard 1/1, nodes 3000, evaluation hand-written`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().map(|(name, value)| format!("{name} {value}")).join(", "))
    }
}

pub(super) fn not_ours(path: &Path) -> String {
    format!("{}: found something else, expected a game file, which begins with \"{FORMAT}\"", path.display())
}

/// File that games are added to, locked against other runs.
pub(super) struct GameWriter {
    path: PathBuf,
    file: File,
    /// Number of bytes in the header and the complete games.
    length: u64,
}

pub(super) struct Found {
    pub(super) last_game: Option<u32>,
    pub(super) records: u64,
    /// Number of removed bytes of a broken game.
    pub(super) removed: u64,
}

impl GameWriter {
    /// Opens a new file with this header, or continues one with the same header.
    ///
    /// # Errors
    /// Fails if the file cannot be written, is in use by another run, contains other games, or is damaged before its
    /// end.
    pub(super) fn open(path: &Path, header: &Header) -> Result<(GameWriter, Found)> {
        let failed = || format!("cannot write {}", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(failed)?;
        ensure!(lock(&file).with_context(failed)?, "{} is in use by another run", path.display());
        let mut text = [0; HEADER_BYTES];
        let length = file.metadata().with_context(failed)?.len();
        if length < HEADER_BYTES as u64 {
            // The file is new, or its run was killed before the header was complete. Anything else of that size is not
            // ours.
            file.read_exact(&mut text[..length as usize]).with_context(failed)?;
            let wanted = header.to_text();
            ensure!(wanted.as_bytes().starts_with(&text[..length as usize]), not_ours(path));
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(wanted.as_bytes())).with_context(failed)?;
            let found = Found { last_game: None, records: 0, removed: 0 };
            return Ok((GameWriter { path: path.to_owned(), file, length: HEADER_BYTES as u64 }, found));
        }
        file.read_exact(&mut text).with_context(failed)?;
        let is = Header::parse(&String::from_utf8_lossy(&text)).with_context(|| not_ours(path))?;
        ensure!(
            is == *header,
            "{}: found {is}, expected {header}; help: use another folder for other games",
            path.display()
        );
        let (mut whole, mut records, mut last_game) = (0, 0, None);
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut bytes = [0; RECORD_BYTES];
        while reader.read_exact(&mut bytes).is_ok() {
            let Some(record) = Record::from_bytes(&bytes) else { break };
            records += 1;
            if record.last {
                (whole, last_game) = (records, Some(record.game));
            }
        }
        let kept = HEADER_BYTES as u64 + whole * RECORD_BYTES as u64;
        let writer = GameWriter { path: path.to_owned(), file, length: kept };
        // A killed run leaves at most one game's worth of broken bytes.
        ensure!(
            length - kept <= LONGEST_GAME,
            "{}: found a damaged record, number {}, expected one only at the end; help: save the other games with `calibrate positions`",
            path.display(),
            records + 1
        );
        writer.file.set_len(kept).with_context(failed)?;
        Ok((writer, Found { last_game, records: whole, removed: length - kept }))
    }

    /// Adds all of `records` or none.
    ///
    /// # Errors
    /// Fails if the file cannot be written. The file is then unchanged.
    pub(super) fn add(&mut self, records: &[Record]) -> Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(&bytes));
        if let Err(error) = written {
            // The next run removes anything that cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_round_trip() {
        let shard = Header {
            game: "checkers".to_owned(),
            seed: Some(u64::MAX),
            shard: Some((3, 8)),
            nodes: Some(3000),
            evaluation: "hand-written".to_owned(),
        };
        let merged = shard.merged_with(&Header { seed: Some(2), evaluation: "other".to_owned(), ..shard.clone() });
        assert_eq!(merged.to_string(), "game checkers, seed several, shard merged, nodes 3000, evaluation several");
        for header in [shard, merged] {
            assert_eq!(header.to_text().len(), HEADER_BYTES);
            assert_eq!(Header::parse(&header.to_text()), Some(header));
        }
    }
}
