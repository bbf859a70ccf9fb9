//! Writes games to a file, in one or more runs.

use std::fs::{File, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::header::{HEADER_BYTES, Header, LONGEST_GAME, not_ours};
use crate::learn::record::{RECORD_BYTES, Record};

/// File that games are added to, locked against other runs.
pub(crate) struct GameWriter {
    path: PathBuf,
    file: File,
    /// Number of bytes in the header and the complete games.
    length: u64,
}

/// Contents of a reopened file.
pub(crate) struct Found {
    /// Number of its last game.
    pub(crate) last_game: Option<u32>,
    pub(crate) records: u64,
    /// Number of removed bytes of a broken game.
    pub(crate) removed: u64,
}

impl GameWriter {
    /// Opens a new file with this header, or continues one with the same header.
    ///
    /// # Errors
    /// Fails if the file cannot be written, is in use by another run, contains other games, or is damaged before its
    /// end.
    pub(crate) fn open(path: &Path, header: &Header) -> Result<(GameWriter, Found)> {
        let failed = || format!("cannot write {}", path.display());
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).with_context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{} is in use by another run", path.display()),
            Err(TryLockError::Error(error)) => return Err(error).with_context(failed),
        }
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
    pub(crate) fn add(&mut self, records: &[Record]) -> Result<()> {
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
