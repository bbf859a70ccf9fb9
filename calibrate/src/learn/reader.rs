//! Reads games, even from damaged files.
//!
//! All records have the same size, so the ones after a damaged record can be read. The game of a damaged record is
//! skipped, and reading continues with the next game.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kingline_players::exit::BadInput;
use kingline_players::terminal::stderr_line;

use super::file::{HEADER_BYTES, Header, LONGEST_GAME, not_ours};
use super::game::View;
use super::record::{RECORD_BYTES, Record};

/// Reader of the complete games in a file, one at a time.
pub(super) struct GameReader {
    path: PathBuf,
    view: &'static View,
    pub(super) header: Header,
    file: BufReader<File>,
    /// Number of bytes read after the header.
    bytes: u64,
    game: Vec<Record>,
    /// Records to skip after a damaged one.
    rest: Rest,
    /// Number of records up to the end of the last complete game.
    whole: u64,
    /// Number of those records that were handed out.
    taken: u64,
    faults: Vec<Fault>,
}

/// Records of a damaged game to skip.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    Nothing,
    /// Records of the game with this number.
    Of(u32),
    /// Records of the next game, whatever its number.
    OfNext,
}

/// Unusable records of a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Fault {
    /// First damaged record, from 1.
    pub(super) record: u64,
    /// Last damaged record.
    pub(super) to: u64,
    /// The damage.
    pub(super) found: String,
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

/// Skipped parts of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Skipped {
    /// Damaged records before the tail.
    pub(super) faults: Vec<Fault>,
    /// Number of records before the tail that were skipped because their game has a damaged record.
    pub(super) records: u64,
    /// Number of bytes after the last complete game, which a killed run leaves.
    pub(super) tail: u64,
}

impl GameReader {
    pub(super) fn open(path: &Path, view: &'static View) -> Result<GameReader> {
        let failed = || format!("cannot read {}", path.display());
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(failed)?);
        let mut text = [0; HEADER_BYTES];
        let length = read_up_to(&mut file, &mut text).with_context(failed)?;
        let header = Header::parse(&String::from_utf8_lossy(&text)).filter(|_| length == HEADER_BYTES);
        let header = header.with_context(|| BadInput::new(not_ours(path)))?;
        let (found, expected) = (&header.game, view.name);
        ensure!(
            found == expected,
            BadInput::new(format!("{}: found games of {found}, expected {expected}", path.display()))
        );
        Ok(GameReader {
            path: path.to_owned(),
            view,
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

    /// Reads the records of the next complete game; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<&[Record]>> {
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
                self.skip("its checksum is wrong");
                continue;
            };
            if !(self.view.is_legal)(record.turn, record.pieces) {
                self.skip("an illegal position");
            } else if self.add(record) {
                (self.whole, self.taken) = (self.count(), self.taken + self.game.len() as u64);
                return Ok(Some(&self.game));
            }
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.bytes / RECORD_BYTES as u64
    }

    /// Returns what was skipped, once all games are read.
    pub(super) fn skipped(&self) -> Skipped {
        let tail = self.bytes - self.whole * RECORD_BYTES as u64;
        if tail <= LONGEST_GAME {
            let faults = self.faults.iter().filter(|fault| fault.record <= self.whole).cloned().collect();
            return Skipped { faults, records: self.whole - self.taken, tail };
        }
        // A killed run leaves a shorter tail.
        let mut faults = self.faults.clone();
        if faults.is_empty() {
            faults.push(Fault { record: self.whole + 1, to: self.count(), found: "a game without an end".to_owned() });
        }
        Skipped { faults, records: self.count() - self.taken, tail: self.bytes % RECORD_BYTES as u64 }
    }

    /// Checks what was read, once all games are: says on standard error that an unfinished game at the end was left out.
    ///
    /// # Errors
    /// Fails with this advice if the file is damaged before its end. The error names the first damaged records.
    pub(super) fn check(&self, advice: &str) -> Result<()> {
        let (name, skipped) = (self.path.display(), self.skipped());
        if let Some(fault) = skipped.faults.first() {
            bail!(BadInput::new(format!("{name}: {fault}; {advice}")));
        }
        if skipped.tail > 0 {
            let tail = skipped.tail;
            stderr_line(format_args!("note: {name}: {tail} bytes after the last complete game are left out"));
        }
        Ok(())
    }

    /// Adds a record to its game unless the game is skipped. Returns true if this completes the game.
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

    /// Skips the game of the damaged record read last. After a complete game, the damaged record was the first one of
    /// the next game. Otherwise it belongs to the current game, perhaps as its last record.
    fn skip(&mut self, found: &str) {
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

/// Fills `bytes` as far as the file goes. Returns the number of bytes read.
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

pub(super) struct Games {
    pub(super) header: Header,
    pub(super) records: Vec<Record>,
}

/// Reads all games in a file, except an unfinished one at its end, which a killed run leaves.
///
/// # Errors
/// Fails if the file cannot be read, contains other games, or is damaged before its end. The error names the first
/// damaged records.
pub(super) fn read(path: &Path, view: &'static View) -> Result<Games> {
    let mut reader = GameReader::open(path, view)?;
    let mut records = Vec::new();
    while let Some(game) = reader.next()? {
        records.extend_from_slice(game);
    }
    let name = path.display();
    reader.check(&format!("help: save the other games with `calibrate positions {} {name} --out FILE`", view.name))?;
    Ok(Games { header: reader.header, records })
}
