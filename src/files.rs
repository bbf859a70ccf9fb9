//! How are files read with bounds, and written whole or not at all?

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The text of a regular file; invalid UTF-8 becomes U+FFFD.
///
/// # Errors
/// The file cannot be read, is no regular file, or is longer than a MiB.
pub fn read_text(path: &Path) -> io::Result<String> {
    Ok(match String::from_utf8(read_bytes(path)?) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// All of a regular file.
///
/// # Errors
/// The file cannot be read, is no regular file, or is longer than a MiB.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Checked before it is opened: opening a pipe may block for ever.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "longer than a MiB"));
    }
    Ok(bytes)
}

/// Writes a file whole or not at all: under a temporary name beside it, then renamed. Where no new file may be made in
/// the directory but the file itself can be written, it is written in place.
///
/// # Errors
/// Says which file could not be written, and why.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary_beside(path);
    let written = match File::create(&temporary) {
        Ok(file) => finish(file, bytes).and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
            // The half-written file must not stay; the first error is the one that counts.
            let _ = fs::remove_file(&temporary);
        }),
        Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => {
            let file = File::options().write(true).truncate(true).open(path);
            // Without a file to write in place, the first error counts.
            let file = file.map_err(|error| if error.kind() == io::ErrorKind::NotFound { denied } else { error });
            file.and_then(|file| finish(file, bytes))
        }
        Err(error) => Err(error),
    };
    written.with_context(|| cannot_write(path))
}

/// Writes a large file of several pieces whole or not at all, also through a power cut; see [`NewFile`].
///
/// # Errors
/// Says which file could not be written, and why; it is then as it was before.
pub fn write_synced(path: &Path, pieces: &[&[u8]]) -> Result<()> {
    let mut file = NewFile::create(path)?;
    for bytes in pieces {
        file.write(bytes)?;
    }
    file.finish()
}

/// A large file that is there whole or not at all, also after a power cut: it is written under a temporary name beside
/// it, synced, then renamed. Dropped before it is finished, it leaves nothing.
pub struct NewFile {
    path: PathBuf,
    temporary: Temporary,
    file: BufWriter<File>,
}

/// The name of a file that is removed when this is dropped, if it is still there.
struct Temporary(PathBuf);

impl NewFile {
    /// An empty file; `path` stays as it is.
    ///
    /// # Errors
    /// Says which file cannot be made, and why.
    pub fn create(path: &Path) -> Result<NewFile> {
        let temporary = temporary_beside(path);
        let file = File::create(&temporary).with_context(|| cannot_write(path))?;
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(NewFile { path: path.to_owned(), temporary: Temporary(temporary), file })
    }

    /// Adds these bytes.
    ///
    /// # Errors
    /// Says which file could not be written, and why.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| cannot_write(&self.path))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// Says which file could not be written, and why; it is then as it was before.
    pub fn finish(self) -> Result<()> {
        let NewFile { path, temporary, mut file } = self;
        // The rename must not reach the disk before the bytes do.
        let synced = file.flush().and_then(|()| file.get_ref().sync_all());
        drop(file);
        synced.and_then(|()| fs::rename(&temporary.0, &path)).with_context(|| cannot_write(&path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Renamed, it is not there; otherwise the first error is the one to report.
        let _ = fs::remove_file(&self.0);
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// A name beside `path` that no other process uses.
fn temporary_beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

fn finish(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_replace_the_whole_file_and_leave_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output.txt");
        write_whole(&path, b"E c3 b4\n").unwrap();
        write_whole(&path, b"E a3 b4\n").unwrap();
        assert_eq!(read_text(&path).unwrap(), "E a3 b4\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_is_there_when_it_is_finished_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        fs::write(&path, b"before").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write(b"after").unwrap();
        drop(file);
        assert_eq!(read_text(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut file = NewFile::create(&path).unwrap();
        b"after".chunks(2).for_each(|bytes| file.write(bytes).unwrap());
        file.finish().unwrap();
        assert_eq!(read_text(&path).unwrap(), "after");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_in_place_of_a_file_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output.txt");
        fs::create_dir(&path).unwrap();
        let error = format!("{:#}", write_whole(&path, b"x").unwrap_err());
        assert!(error.contains("output.txt"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(read_text(&path).unwrap_err().to_string(), "not a regular file");
    }
}
