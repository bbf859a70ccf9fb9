//! How are games read back, also from a damaged file?
//!
//! Records have one size, so what follows a damaged one can be read: the game that it belongs to is passed over, and
//! reading goes on with the next.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{HEADER_BYTES, Header, LONGEST_GAME, not_ours};
use crate::learn::packing::Packing;
use crate::learn::record::{RECORD_BYTES, Record};

/// Reads the whole games of a file, one after the other.
pub(crate) struct GameReader {
    path: PathBuf,
    packing: &'static Packing,
    pub(crate) header: Header,
    file: BufReader<File>,
    /// Bytes after the header that were read.
    bytes: u64,
    /// The records of the game that is read.
    game: Vec<Record>,
    /// What to leave out after a damaged record.
    rest: Rest,
    /// Records up to the end of the last whole game, ...
    whole: u64,
    /// ... and those of them that were handed out.
    taken: u64,
    faults: Vec<Fault>,
}

/// What is left of a game that lost records.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    Nothing,
    /// Of the game with this number, if anything.
    Of(u32),
    /// Of whatever game comes next.
    OfNext,
}

/// Records of a file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Fault {
    /// The first of them, from 1.
    pub(crate) record: u64,
    /// The last one.
    pub(crate) to: u64,
    /// What was found.
    pub(crate) found: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { record, to, found } = self;
        if record == to {
            write!(f, "record {record}: {found}")
        } else {
            write!(f, "records {record} to {to}: {found}")
        }
    }
}

/// What of a file was passed over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    /// Damaged records, but for those in the tail.
    pub(crate) faults: Vec<Fault>,
    /// All records before the tail that were passed over, since a record of their game is damaged.
    pub(crate) records: u64,
    /// Bytes after the last whole game: what a killed run leaves.
    pub(crate) tail: u64,
}

impl GameReader {
    /// Reads the header.
    ///
    /// # Errors
    /// The file cannot be read, or holds no games of this game.
    pub(crate) fn open(path: &Path, packing: &'static Packing) -> Result<GameReader> {
        let failed = || format!("cannot read {}", path.display());
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(failed)?);
        let mut text = [0; HEADER_BYTES];
        let length = read_up_to(&mut file, &mut text).with_context(failed)?;
        let header = Header::parse(&String::from_utf8_lossy(&text)).filter(|_| length == HEADER_BYTES);
        let header = header.with_context(|| not_ours(path))?;
        let (found, expected) = (&header.game, packing.name);
        ensure!(found == expected, "{}: found games of {found}, expected {expected}", path.display());
        Ok(GameReader {
            path: path.to_owned(),
            packing,
            header,
            file,
            bytes: 0,
            game: Vec::new(),
            rest: Rest::Nothing,
            whole: 0,
            taken: 0,
            faults: Vec::new(),
        })
    }

    /// The records of the next whole game; none at the end of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<&[Record]>> {
        self.game.clear();
        let mut bytes = [0; RECORD_BYTES];
        loop {
            let length = read_up_to(&mut self.file, &mut bytes);
            let length = length.with_context(|| format!("cannot read {}", self.path.display()))?;
            self.bytes += length as u64;
            if length < RECORD_BYTES {
                return Ok(None);
            }
            let Some(record) = Record::from_bytes(&bytes) else {
                self.pass_over("its checksum is wrong");
                continue;
            };
            if !(self.packing.is_legal)(record.turn, record.pieces) {
                self.pass_over("an illegal position");
            } else if self.add(record) {
                (self.whole, self.taken) = (self.count(), self.taken + self.game.len() as u64);
                return Ok(Some(&self.game));
            }
        }
    }

    /// Records read.
    pub(crate) fn count(&self) -> u64 {
        self.bytes / RECORD_BYTES as u64
    }

    /// What was passed over, once all games are read.
    pub(crate) fn passed(&self) -> Passed {
        let tail = self.bytes - self.whole * RECORD_BYTES as u64;
        if tail <= LONGEST_GAME {
            let faults = self.faults.iter().filter(|fault| fault.record <= self.whole).cloned().collect();
            return Passed { faults, records: self.whole - self.taken, tail };
        }
        // More than a killed run leaves.
        let mut faults = self.faults.clone();
        if faults.is_empty() {
            faults.push(Fault { record: self.whole + 1, to: self.count(), found: "a game without an end".to_owned() });
        }
        Passed { faults, records: self.count() - self.taken, tail: self.bytes % RECORD_BYTES as u64 }
    }

    /// Adds a record to its game, if that is to be read; whether the game is whole now.
    fn add(&mut self, record: Record) -> bool {
        let is_rest = match self.rest {
            Rest::Nothing => false,
            Rest::Of(game) => record.game == game,
            Rest::OfNext => true,
        };
        if is_rest {
            self.rest = if record.last { Rest::Nothing } else { Rest::Of(record.game) };
            return false;
        }
        self.rest = Rest::Nothing;
        if let Some(first) = self.game.first()
            && first.game != record.game
        {
            let found = format!("the next game, {}, before the end of game {}", record.game, first.game);
            self.note(&found);
            self.game.clear();
        }
        self.game.push(record);
        record.last
    }

    /// The record read last is damaged. Alone it costs its own game: after a whole game it was the first of the next
    /// one, otherwise the game's own, be it its last.
    fn pass_over(&mut self, found: &str) {
        let follows_another = self.faults.last().is_some_and(|fault| fault.to + 1 == self.count());
        self.rest = match (self.game.first(), self.rest) {
            (Some(record), _) => Rest::Of(record.game),
            (None, Rest::Of(game)) if !follows_another => Rest::Of(game),
            _ => Rest::OfNext,
        };
        self.game.clear();
        self.note(found);
    }

    fn note(&mut self, found: &str) {
        let record = self.count();
        match self.faults.last_mut() {
            Some(fault) if fault.to + 1 == record && fault.found == found => fault.to = record,
            _ => self.faults.push(Fault { record, to: record, found: found.to_owned() }),
        }
    }
}

/// Fills `bytes` as far as the file goes; how far that is.
fn read_up_to(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < bytes.len() {
        match file.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// All games of a file.
pub(crate) struct Games {
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
}

/// Reads all games of a file. One that a killed run left unfinished at its end is left out.
///
/// # Errors
/// The file cannot be read, holds no games of this game, or is damaged before its end: says where.
pub(crate) fn read(path: &Path, packing: &'static Packing) -> Result<Games> {
    let mut reader = GameReader::open(path, packing)?;
    let mut records = Vec::new();
    while let Some(game) = reader.next()? {
        records.extend_from_slice(game);
    }
    if let Some(fault) = reader.passed().faults.first() {
        let name = path.display();
        bail!("{name}: {fault}; `calibrate positions {} {name} --out FILE` saves the other games", packing.name);
    }
    Ok(Games { header: reader.header, records })
}
