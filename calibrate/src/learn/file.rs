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
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::game::game_seed;
use super::record::{RECORD_BYTES, Record};
use crate::batch_file::AppendedFile;

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
pub(super) struct GameWriter(AppendedFile);

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
        let (mut file, text) = AppendedFile::open(path, header.to_text().as_bytes())?;
        let is = Header::parse(&String::from_utf8_lossy(&text)).filter(|_| text.len() == HEADER_BYTES);
        let is = is.with_context(|| not_ours(path))?;
        ensure!(
            is == *header,
            "{}: found {is}, expected {header}; help: use another folder for other games",
            path.display()
        );
        let (mut whole, mut records, mut last_game) = (0, 0, None);
        let mut reader = BufReader::with_capacity(1 << 20, file.rest());
        let mut bytes = [0; RECORD_BYTES];
        while reader.read_exact(&mut bytes).is_ok() {
            let Some(record) = Record::from_bytes(&bytes) else { break };
            records += 1;
            if record.last {
                (whole, last_game) = (records, Some(record.game));
            }
        }
        let kept = HEADER_BYTES as u64 + whole * RECORD_BYTES as u64;
        // A killed run leaves at most one game's worth of broken bytes.
        ensure!(
            file.length()? - kept <= LONGEST_GAME,
            "{}: found a damaged record, number {}, expected one only at the end; help: save the other games with `calibrate positions`",
            path.display(),
            records + 1
        );
        let removed = file.keep(kept)?;
        Ok((GameWriter(file), Found { last_game, records: whole, removed }))
    }

    /// Adds all of `records` or none.
    ///
    /// # Errors
    /// Fails if the file cannot be written. The file is then unchanged.
    pub(super) fn add(&mut self, records: &[Record]) -> Result<()> {
        self.0.append(&records.iter().flat_map(|record| record.to_bytes()).collect::<Vec<u8>>())
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
