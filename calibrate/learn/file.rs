//! How are the records of games kept in a file, and read back?
//!
//! A file begins with 256 bytes of text, which say what is in it, a line each, padded with blanks and an LF; then come
//! the records, whole games in the order of their numbers. A killed run leaves at most one broken game at the end, which
//! the next run removes.

use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::game::Learned;
use super::record::{RECORD_BYTES, Record};

const HEADER_BYTES: usize = 256;
/// The first line.
const FORMAT: &str = "kingline games 1";

/// What a file says of the games in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) game: String,
    pub(crate) seed: u64,
    /// Shard `shard.0` of `shard.1`, from 1.
    pub(crate) shard: (u32, u32),
    pub(crate) nodes: u64,
    /// What played them: a name or a checksum.
    pub(crate) evaluation: String,
}

impl Header {
    fn to_text(&self) -> String {
        let Header { game, seed, shard: (shard, shards), nodes, evaluation } = self;
        let mut text = format!("{FORMAT}\ngame {game}\nseed {seed}\nshard {shard}/{shards}\n");
        // Writing to a String cannot fail.
        let _ = write!(text, "nodes {nodes}\nevaluation {evaluation}\n");
        let blanks = HEADER_BYTES.saturating_sub(text.len() + 1);
        text + &" ".repeat(blanks) + "\n"
    }

    fn parse(text: &str) -> Option<Header> {
        let mut lines = text.lines();
        (lines.next()? == FORMAT).then_some(())?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let game = field("game")?.to_owned();
        let seed = field("seed")?.parse().ok()?;
        let (shard, shards) = field("shard")?.split_once('/')?;
        let shard = (shard.parse().ok()?, shards.parse().ok()?);
        let nodes = field("nodes")?.parse().ok()?;
        Some(Header { game, seed, shard, nodes, evaluation: field("evaluation")?.to_owned() })
    }
}

/// A file that games are added to, locked against other runs.
pub(crate) struct GameWriter {
    path: PathBuf,
    file: File,
    /// Bytes of whole games.
    length: u64,
}

/// What a file held when it was opened to go on.
pub(crate) struct Found {
    /// The number of its last game.
    pub(crate) last_game: Option<u32>,
    pub(crate) records: u64,
    /// Bytes of a broken game that were removed.
    pub(crate) removed: u64,
}

impl GameWriter {
    /// A new file with this header, or one of a run with the same that goes on.
    ///
    /// # Errors
    /// The file cannot be written, is written by another run, is of other games, or is damaged other than at its end.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<(GameWriter, Found)> {
        let failed = || format!("cannot write {}", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{} is written by another run", path.display()),
            Err(TryLockError::Error(error)) => return Err(error).with_context(failed),
        }
        let mut text = [0; HEADER_BYTES];
        let length = file.metadata().with_context(failed)?.len();
        if length < HEADER_BYTES as u64 {
            // New, or killed before its header was whole; anything else of that size is not ours.
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
            "{}: found {}, expected {}: another file for other games",
            path.display(),
            one_line(&is),
            one_line(header)
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
        // More than a game's worth of broken bytes is not what a killed run leaves.
        ensure!(
            length - kept <= LONGEST_GAME,
            "{}: found a damaged record, number {}, expected one only at the end: `calibrate positions` can save the others",
            path.display(),
            records + 1
        );
        writer.file.set_len(kept).with_context(failed)?;
        Ok((writer, Found { last_game, records: whole, removed: length - kept }))
    }

    /// Adds whole games, or nothing.
    ///
    /// # Errors
    /// Says which file could not be written, and why; it is then as it was before.
    pub(crate) fn add(&mut self, records: &[Record]) -> Result<()> {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes()).collect();
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(&bytes));
        if let Err(error) = written {
            // The next run removes what cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Bytes of the longest game, and more.
const LONGEST_GAME: u64 = (RECORD_BYTES as u64) << 10;

fn not_ours(path: &Path) -> String {
    format!("{}: found something else, expected a file of games that begins with \"{FORMAT}\"", path.display())
}

fn one_line(header: &Header) -> String {
    header.to_text().lines().skip(1).take(5).collect::<Vec<_>>().join(", ")
}

/// What reading a file found.
pub(crate) struct Games {
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
    /// What follows the last whole game, in bytes.
    pub(crate) broken: u64,
    /// The first damaged record, from 1, if there is one.
    pub(crate) damaged: Option<u64>,
}

/// Reads all whole games of a file.
///
/// # Errors
/// The file cannot be read, or holds no games of this game.
pub(crate) fn read<G: Learned>(path: &Path) -> Result<Games> {
    let failed = || format!("cannot read {}", path.display());
    let file = File::open(path).with_context(failed)?;
    let length = file.metadata().with_context(failed)?.len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut text = [0; HEADER_BYTES];
    match reader.read_exact(&mut text) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => bail!(not_ours(path)),
        read => read.with_context(failed)?,
    }
    let header = Header::parse(&String::from_utf8_lossy(&text)).with_context(|| not_ours(path))?;
    ensure!(header.game == G::NAME, "{}: found games of {}, expected {}", path.display(), header.game, G::NAME);
    let mut records = Vec::with_capacity((length as usize).saturating_sub(HEADER_BYTES) / RECORD_BYTES);
    let (mut whole, mut damaged) = (0, None);
    let mut bytes = [0; RECORD_BYTES];
    while reader.read_exact(&mut bytes).is_ok() {
        let Some(record) = Record::from_bytes(&bytes) else {
            damaged = Some(records.len() as u64 + 1);
            break;
        };
        ensure!(
            G::unpack(record.turn, record.pieces).is_some(),
            "{}: found an illegal position in record {}",
            path.display(),
            records.len() + 1
        );
        records.push(record);
        if record.last {
            whole = records.len();
        }
    }
    records.truncate(whole);
    let broken = length - HEADER_BYTES as u64 - (whole * RECORD_BYTES) as u64;
    Ok(Games { header, records, broken, damaged })
}
