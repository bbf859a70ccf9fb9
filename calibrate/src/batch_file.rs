//! Files that one run after another appends to: a title, then batches of records of one size.
//!
//! | bytes | contents of a batch, little-endian |
//! | --- | --- |
//! | 8 | `n`, the number of records |
//! | 8 | checksum of the records |
//! | ... | the records |
//!
//! A batch is synced to the disk before the next one. A killed run or a power failure leaves at most one broken batch at
//! the end, which the next run removes. A file that is damaged elsewhere is refused.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kingline::knowledge::checksum;
use kingline_players::files::{NewFile, lock};
use kingline_players::terminal::stderr_line;

/// File with a title that is appended to, whole or not at all, and locked against other runs.
pub(crate) struct AppendedFile {
    path: PathBuf,
    file: File,
    /// Number of whole bytes.
    length: u64,
}

impl AppendedFile {
    /// Opens a file, or creates one with this title. Returns its first bytes, as many as the title has: if these differ, it
    /// is another file, and unchanged.
    pub(crate) fn open(path: &Path, title: &[u8]) -> Result<(AppendedFile, Vec<u8>)> {
        let shown = path.display();
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(|| format!("cannot write {shown}"))?;
        if !lock(&file).with_context(|| format!("cannot lock {shown}"))? {
            bail!("{shown} is in use by another run");
        }
        let mut found = Vec::with_capacity(title.len());
        let read = Read::by_ref(&mut file).take(title.len() as u64).read_to_end(&mut found);
        read.with_context(|| format!("cannot read {shown}"))?;
        let mut opened = AppendedFile { path: path.to_owned(), file, length: 0 };
        if found.len() < title.len() && title.starts_with(&found) {
            // A new file, or one whose first write was interrupted.
            opened.append(title)?;
            return Ok((opened, title.to_vec()));
        }
        opened.length = found.len() as u64;
        Ok((opened, found))
    }

    /// The rest of the file, from the current place: after opening, what follows the title.
    pub(crate) fn rest(&self) -> &File {
        &self.file
    }

    /// Number of bytes in the file, with those that are not kept yet.
    pub(crate) fn length(&self) -> Result<u64> {
        Ok(self.file.metadata().with_context(|| format!("cannot read {}", self.path.display()))?.len())
    }

    /// Removes what follows the first `length` bytes. Returns the number of bytes removed.
    pub(crate) fn keep(&mut self, length: u64) -> Result<u64> {
        let removed = self.length()? - length;
        if removed > 0 {
            self.file.set_len(length).with_context(|| format!("cannot write {}", self.path.display()))?;
        }
        self.length = length;
        Ok(removed)
    }

    /// Appends bytes to those that are kept. After an error, the file has them not.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes, |_| Ok(()))
    }

    /// Appends bytes and waits until they are on the disk.
    pub(crate) fn append_synced(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes, File::sync_data)
    }

    fn write(&mut self, bytes: &[u8], sync: fn(&File) -> std::io::Result<()>) -> Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written.and_then(|()| sync(&self.file)) {
            // The next run removes anything that cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// Error: a file has another title.
#[derive(Debug, thiserror::Error)]
#[error("{path}: found \"{found}\", expected \"{expected}\"")]
pub(crate) struct OtherFile {
    path: String,
    found: String,
    expected: String,
}

/// Kind of file: its title and its records.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    /// First line of the file, without its end.
    pub(crate) title: String,
    /// Bytes of a record.
    pub(crate) record: usize,
    /// True if a damaged batch is removed with all that follow, since the next run makes them again. Otherwise the file is
    /// refused.
    pub(crate) is_replaceable: bool,
}

/// Bytes of a batch before its records.
const HEAD: usize = 16;

/// Batch that cannot be used, with the reason.
struct Broken {
    /// `None` if the file ends in it.
    what: Option<String>,
    /// True if no byte follows it, so that a killed run may have left it.
    is_last: bool,
}

/// File of batches, open for appending.
pub(crate) struct BatchFile {
    file: AppendedFile,
    format: Format,
}

impl BatchFile {
    /// Opens or creates a file, and hands out the records of each batch. An error of `each` says what is wrong with them.
    /// The file is refused if it is an [`OtherFile`], or damaged before its last batch.
    pub(crate) fn open(path: &Path, format: Format, each: impl FnMut(Vec<u8>) -> Result<()>) -> Result<BatchFile> {
        let title = format.title_line();
        let (mut file, found) = AppendedFile::open(path, title.as_bytes())?;
        format.check(path, &found)?;
        let (length, broken) = format.batches(path, file.rest(), each)?;
        let what = broken.as_ref().and_then(|broken| broken.what.as_ref().filter(|_| !broken.is_last));
        let what = what.map(|what| damaged(path, length, what));
        if let Some(what) = what.as_ref().filter(|_| !format.is_replaceable) {
            bail!("{what}");
        }
        let removed = file.keep(length)?;
        match what {
            Some(what) => stderr_line(format_args!("warning: {what}; the rest is made again")),
            None if removed == 0 => {}
            None => {
                stderr_line(format_args!("{}: removed the last {removed} bytes, an incomplete batch", path.display()));
            }
        }
        Ok(BatchFile { file, format })
    }

    /// Appends a batch, completely or not at all, and waits until it is on the disk.
    pub(crate) fn append(&mut self, records: &[u8]) -> Result<()> {
        if records.is_empty() { Ok(()) } else { self.file.append_synced(&self.format.batch(records)) }
    }

    /// Replaces the file by one with these batches, completely or not at all.
    pub(crate) fn replace(self, batches: impl Iterator<Item = Vec<u8>>) -> Result<()> {
        let mut file = NewFile::create(&self.file.path)?;
        file.write(self.format.title_line().as_bytes())?;
        for records in batches {
            file.write(&self.format.batch(&records))?;
        }
        file.finish()
    }
}

impl Format {
    /// Reads a file that another run may be writing to, and hands out the records of each batch. Leaves out an incomplete
    /// batch at its end, with a line on standard error. A damaged file is refused, and an [`OtherFile`].
    pub(crate) fn read(&self, path: &Path, each: impl FnMut(Vec<u8>) -> Result<()>) -> Result<()> {
        let failed = || format!("cannot read {}", path.display());
        let mut file = File::open(path).with_context(failed)?;
        let mut found = Vec::new();
        Read::by_ref(&mut file).take(self.title.len() as u64 + 1).read_to_end(&mut found).with_context(failed)?;
        self.check(path, &found)?;
        match self.batches(path, &file, each)? {
            (at, Some(Broken { what: Some(what), .. })) => bail!(damaged(path, at, &what)),
            (length, Some(Broken { what: None, .. })) => {
                let left = file.metadata().with_context(failed)?.len() - length;
                stderr_line(format_args!("{}: left out the last {left} bytes, an incomplete batch", path.display()));
                Ok(())
            }
            (_, None) => Ok(()),
        }
    }

    fn title_line(&self) -> String {
        format!("{}\n", self.title)
    }

    fn check(&self, path: &Path, found: &[u8]) -> Result<()> {
        if found == self.title_line().as_bytes() {
            return Ok(());
        }
        let line = found.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let found = String::from_utf8_lossy(line).escape_debug().to_string();
        Err(OtherFile { path: path.display().to_string(), found, expected: self.title.clone() }.into())
    }

    fn batch(&self, records: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + records.len());
        bytes.extend_from_slice(&((records.len() / self.record) as u64).to_le_bytes());
        bytes.extend_from_slice(&checksum(records).to_le_bytes());
        bytes.extend_from_slice(records);
        bytes
    }

    /// Reads the batches after the title. Returns the length of the file up to the last good one, and the next one if it is
    /// not good.
    fn batches(
        &self,
        path: &Path,
        file: &File,
        mut each: impl FnMut(Vec<u8>) -> Result<()>,
    ) -> Result<(u64, Option<Broken>)> {
        let failed = || format!("cannot read {}", path.display());
        let end = file.metadata().with_context(failed)?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut at = self.title.len() as u64 + 1;
        while at < end {
            let incomplete = Broken { what: None, is_last: true };
            let Some(left) = (end - at).checked_sub(HEAD as u64) else { return Ok((at, Some(incomplete))) };
            let [mut count, mut sum] = [[0; 8]; 2];
            file.read_exact(&mut count).and_then(|()| file.read_exact(&mut sum)).with_context(failed)?;
            let length = u64::from_le_bytes(count).checked_mul(self.record as u64).filter(|&length| length <= left);
            let Some(length) = length else { return Ok((at, Some(incomplete))) };
            let mut records = vec![0; length as usize];
            file.read_exact(&mut records).with_context(failed)?;
            let (found, written) = (checksum(&records), u64::from_le_bytes(sum));
            if found != written {
                let what = format!("found the checksum {found:016x}, expected {written:016x}, the recorded one");
                return Ok((at, Some(Broken { what: Some(what), is_last: length == left })));
            }
            if let Err(error) = each(records) {
                return Ok((at, Some(Broken { what: Some(error.to_string()), is_last: false })));
            }
            at += HEAD as u64 + length;
        }
        Ok((at, None))
    }
}

fn damaged(path: &Path, offset: u64, what: &str) -> String {
    format!("{} is damaged: the batch at byte {offset}: {what}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: usize = 20;

    fn format() -> Format {
        Format { title: "kingline solve 1 loa6".to_owned(), record: RECORD, is_replaceable: false }
    }

    /// Opens the file. Returns it and its records.
    fn open(path: &Path) -> Result<(BatchFile, Vec<u8>)> {
        let mut found = Vec::new();
        let file = BatchFile::open(path, format(), |mut records| {
            found.append(&mut records);
            Ok(())
        })?;
        Ok((file, found))
    }

    fn read(path: &Path) -> Result<Vec<u8>> {
        let mut found = Vec::new();
        format().read(path, |mut records| {
            found.append(&mut records);
            Ok(())
        })?;
        Ok(found)
    }

    fn records(count: usize) -> Vec<u8> {
        (0..count * RECORD).map(|place| place as u8).collect()
    }

    /// A file with three records in one batch and one in a second, and its bytes.
    fn two_batches() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (mut file, _) = open(&path).unwrap();
        file.append(&records(3)).unwrap();
        file.append(&records(1)).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    #[test]
    fn the_next_run_reads_what_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for round in 0..3 {
            let (mut file, found) = open(&path).unwrap();
            assert_eq!(found, records(3).repeat(round));
            file.append(&records(3)[..RECORD]).unwrap();
            file.append(&[]).unwrap();
            file.append(&records(3)[RECORD..]).unwrap();
        }
    }

    #[test]
    fn only_a_broken_end_is_removed() {
        let (_folder, path, whole) = two_batches();
        let last = HEAD + RECORD;
        for kept in whole.len() - last..whole.len() {
            std::fs::write(&path, &whole[..kept]).unwrap();
            assert_eq!(open(&path).unwrap().1, records(3));
            open(&path).unwrap().0.append(&records(1)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        let mut altered = whole.clone();
        *altered.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &altered).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(&format!("is damaged: the batch at byte {}: ", whole.len() - last)), "{error}");
        assert_eq!(open(&path).unwrap().1, records(3));
    }

    #[test]
    fn a_file_damaged_before_its_end_is_refused_and_unchanged_or_cut() {
        let (_folder, path, whole) = two_batches();
        let first = format().title_line().len();
        // The checksum and each record of the first batch.
        for place in first + 8..first + HEAD + 3 * RECORD {
            let mut altered = whole.clone();
            altered[place] ^= 1;
            std::fs::write(&path, &altered).unwrap();
            for error in [read(&path).err(), open(&path).err()] {
                let error = error.unwrap().to_string();
                assert!(error.contains(&format!("is damaged: the batch at byte {first}: found ")), "{error}");
            }
            assert_eq!(std::fs::read(&path).unwrap(), altered);
        }
        BatchFile::open(&path, Format { is_replaceable: true, ..format() }, |_| panic!("a good batch")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole[..first]);
    }

    #[test]
    fn a_file_is_replaced_and_read_while_a_run_writes() {
        let (folder, path, _) = two_batches();
        let (file, _) = open(&path).unwrap();
        assert_eq!(read(&path).unwrap(), [records(3), records(1)].concat());
        file.replace([records(2)].into_iter()).unwrap();
        assert_eq!(open(&path).unwrap().1, records(2));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_interrupted_first_write_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["", "king", "kingline solve 1 loa6"] {
            std::fs::write(&path, text).unwrap();
            open(&path).unwrap().0.append(&records(3)).unwrap();
            assert_eq!(open(&path).unwrap().1, records(3));
        }
    }

    #[test]
    fn other_files_are_refused_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["kingline solve 1 loa5\n", "\u{1b}[2J notes", "\n"] {
            std::fs::write(&path, text).unwrap();
            let error = open(&path).err().unwrap();
            assert!(error.is::<OtherFile>());
            let error = error.to_string();
            assert!(error.ends_with("expected \"kingline solve 1 loa6\"") && !error.contains('\u{1b}'), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn two_runs_do_not_share_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let _first = open(&path).unwrap();
        let error = open(&path).err().unwrap().to_string();
        assert!(error.ends_with("is in use by another run"), "{error}");
    }
}
