//! Bounded reads of files, and writes that happen completely or not at all.

mod identity;
mod input;

use std::fs::{self, File, FileType, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

pub use identity::{FileId, FileKind, StandardStream, UsedFile, check_different, check_target};
pub(crate) use input::{STANDARD_INPUT, read_input};

const MIB: u64 = 1 << 20;

/// Reads the text of a regular file; invalid UTF-8 becomes U+FFFD.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is longer than 1 MiB.
pub fn read_text(path: &Path) -> io::Result<String> {
    Ok(match String::from_utf8(read_bytes(path)?) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Reads all bytes of a regular file.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is longer than 1 MiB.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, 1)
}

/// Reads all bytes of a regular file of at most `mib` MiB.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is longer.
pub(crate) fn read_at_most(path: &Path, mib: u64) -> io::Result<Vec<u8>> {
    let longest = mib * MIB;
    // Checked before opening, since opening a pipe may block forever.
    let there = fs::metadata(path)?;
    if !there.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // Room for all bytes and the next read, so that short files take two reads.
    let mut bytes = Vec::with_capacity(there.len().min(longest) as usize + 64);
    File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("longer than {mib} MiB")));
    }
    Ok(bytes)
}

/// Writes a file completely or not at all, by writing a temporary file next to it and renaming that. If the directory
/// does not allow new files but the file itself is writable, it is overwritten in place. A symbolic link is replaced,
/// not followed.
///
/// # Errors
/// The file could not be written and is unchanged; the error names it and gives the reason.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).with_context(|| cannot_write(path))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_replaceable(path)?;
    match create_beside(path) {
        Ok((temporary, mut file)) => {
            file.write_all(bytes)?;
            drop(file);
            temporary.rename(path)
        }
        Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => {
            let file = File::options().write(true).open(path);
            // If there is no file to overwrite, report the first error.
            let file = file.map_err(|error| if error.kind() == io::ErrorKind::NotFound { denied } else { error });
            write_in_place(path, file?, bytes)
        }
        Err(error) => Err(error),
    }
}

fn write_in_place(path: &Path, mut file: File, bytes: &[u8]) -> io::Result<()> {
    let before = fs::read(path);
    let mut write = |bytes: &[u8]| {
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    };
    write(bytes).inspect_err(|_| {
        // Even a full disk has room for the old content. Only the first error is reported.
        let _ = before.and_then(|before| write(&before));
    })
}

/// Writes a large file from several pieces, completely or not at all, even if the power fails; see [`NewFile`].
///
/// # Errors
/// The file could not be written and is unchanged; the error names it and gives the reason.
pub fn write_synced(path: &Path, pieces: &[&[u8]]) -> Result<()> {
    let mut file = NewFile::create(path)?;
    for bytes in pieces {
        file.write(bytes)?;
    }
    file.finish()
}

/// A large file that appears completely or not at all, even if the power fails: it is written under a temporary name in
/// the same directory, synced, then renamed. If dropped before it is finished, it leaves nothing behind.
pub struct NewFile {
    path: PathBuf,
    // Dropped in this order, because some systems cannot delete an open file.
    file: BufWriter<File>,
    temporary: Temporary,
}

/// Name of a temporary file, which is deleted on drop if it still exists.
struct Temporary(PathBuf);

impl Temporary {
    fn rename(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)?;
        // The name is free again: a file with this name now belongs to another program.
        std::mem::forget(self);
        Ok(())
    }
}

impl NewFile {
    /// Creates an empty file under a temporary name; `path` stays unchanged.
    ///
    /// # Errors
    /// The file cannot be created; the error names it.
    pub fn create(path: &Path) -> Result<NewFile> {
        let made = check_replaceable(path).and_then(|()| create_beside(path));
        let (temporary, file) = made.with_context(|| cannot_write(path))?;
        let file = BufWriter::with_capacity(1 << 20, file);
        Ok(NewFile { path: path.to_owned(), file, temporary })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// The file could not be written; the error names it and gives the reason.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| cannot_write(&self.path))
    }

    /// Appends everything that can be read from `from`.
    ///
    /// # Errors
    /// It cannot be read, or the file could not be written; the error names the file and gives the reason.
    pub fn write_from(&mut self, from: &mut impl Read) -> Result<()> {
        io::copy(from, &mut self.file).map(drop).with_context(|| cannot_write(&self.path))
    }

    /// Writes all bytes to the disk, so that little can go wrong when the file is renamed.
    ///
    /// # Errors
    /// The file could not be written; the error names it and gives the reason.
    pub fn sync(&mut self) -> Result<()> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        synced.with_context(|| cannot_write(&self.path))
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// The file could not be written and is unchanged; the error names it and gives the reason.
    pub fn finish(mut self) -> Result<()> {
        // Sync first: the rename must not reach the disk before the bytes do.
        self.sync()?;
        let NewFile { path, file, temporary } = self;
        drop(file);
        temporary.rename(&path).with_context(|| cannot_write(&path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The first error is the one to report.
        let _ = fs::remove_file(&self.0);
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// An exclusive lock for writing a file, released when it is dropped or when the process ends for any reason. Drop it after
/// any connection to the same database.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a file, creating it if necessary. Returns `None` if another holder has the lock.
    ///
    /// # Errors
    /// The file cannot be created or locked.
    pub fn take(path: &Path) -> io::Result<Option<Lock>> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(lock(&file)?.then_some(Lock { _file: file }))
    }
}

/// Locks a file that is open for writing against other writers until it is closed. Returns `false` if another holder has it.
///
/// A process that was just started holds a copy of a released lock until it executes its program, so a lock that is
/// held is tried again for 0.2 s.
///
/// # Errors
/// The file cannot be locked.
pub fn lock(file: &File) -> io::Result<bool> {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        match try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Locks one byte far past the end of the file, away from SQLite's own locks, so that others can still read a database.
/// The lock belongs to the open file, not to the process, so it also excludes a second writer in the same process.
#[cfg(target_os = "linux")]
fn try_lock(file: &File) -> std::result::Result<(), TryLockError> {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;

    let (l_type, l_whence) = (libc::F_WRLCK as i16, libc::SEEK_SET as i16);
    let wanted = libc::flock { l_type, l_whence, l_start: 1 << 62, l_len: 1, l_pid: 0 };
    match fcntl(file, FcntlArg::F_OFD_SETLK(&wanted)) {
        Ok(_) => Ok(()),
        Err(Errno::EAGAIN | Errno::EACCES) => Err(TryLockError::WouldBlock),
        Err(error) => Err(TryLockError::Error(error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn try_lock(file: &File) -> std::result::Result<(), TryLockError> {
    file.try_lock()
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Refuses to replace a device, which a privileged user otherwise could.
fn check_replaceable(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if is_device(there.file_type()) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Creates a new temporary file beside `path`. Existing files are left alone, whoever made them.
fn create_beside(path: &Path) -> io::Result<(Temporary, File)> {
    /// Limit on temporary files left behind by killed programs.
    const MOST: u32 = 1000;
    let mut number = 0;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST => number += 1,
            made => return made.map(|file| (Temporary(temporary), file)),
        }
    }
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
    fn a_new_file_appears_only_when_it_is_finished() {
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
    fn a_file_with_a_temporary_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output.txt");
        let (first, file) = create_beside(&path).unwrap();
        drop(file);
        fs::write(&first.0, "mine").unwrap();
        write_whole(&path, b"E c3 b4\n").unwrap();
        write_synced(&path, &[b"E a3 b4\n"]).unwrap();
        assert_eq!((read_text(&path).unwrap(), read_text(&first.0).unwrap()), ("E a3 b4\n".into(), "mine".into()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_its_target_stays() {
        let folder = tempfile::tempdir().unwrap();
        let [input, link, hard] = ["input.txt", "link", "hard"].map(|name| folder.path().join(name));
        fs::write(&input, "GAME\n").unwrap();
        std::os::unix::fs::symlink("input.txt", &link).unwrap();
        fs::hard_link(&input, &hard).unwrap();
        for path in [&link, &hard] {
            write_whole(path, b"E c3 b4\n").unwrap();
            assert_eq!((read_text(path).unwrap(), read_text(&input).unwrap()), ("E c3 b4\n".into(), "GAME\n".into()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced_by_a_file_but_a_link_to_it_is() {
        let device = Path::new("/dev/null");
        for written in [write_whole(device, b"x"), write_synced(device, &[b"x"])] {
            assert!(format!("{:#}", written.unwrap_err()).ends_with("not a regular file"));
        }
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(device, &link).unwrap();
        write_whole(&link, b"E c3 b4\n").unwrap();
        assert_eq!(read_text(&link).unwrap(), "E c3 b4\n");
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

    #[test]
    fn only_one_holds_the_lock_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let first = Lock::take(&path).unwrap();
        assert!(first.is_some());
        assert!(Lock::take(&path).unwrap().is_none());
        drop(first);
        assert!(Lock::take(&path).unwrap().is_some());
    }
}
