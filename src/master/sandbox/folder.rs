//! Safely reads, counts and removes files that an agent may have created.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown, symlink};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use nix::libc;
use rustix::fs::{listxattr, removexattr};
use thiserror::Error;

/// Limit on what an agent writes to its working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskLimit {
    /// Total bytes of all files.
    pub bytes: u64,
    /// Number of files and directories.
    pub files: u64,
}

impl Default for DiskLimit {
    fn default() -> DiskLimit {
        DiskLimit { bytes: 256 << 20, files: 4096 }
    }
}

/// Reason why an agent's file was not read.
#[derive(Debug, Error)]
pub enum UntrustedFileError {
    /// It does not exist.
    #[error("there is no such file")]
    Missing,
    /// It is a symbolic link.
    #[error("a symbolic link, expected a file")]
    Link,
    /// It is a named pipe.
    #[error("a named pipe, expected a file")]
    Fifo,
    /// It is a directory.
    #[error("a directory, expected a file")]
    Directory,
    /// It is a socket or a device.
    #[error("a socket or device, expected a file")]
    Other,
    /// It is longer than the limit.
    #[error("{bytes} bytes, too long")]
    TooLarge {
        /// Its length.
        bytes: u64,
    },
    /// It cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

impl From<UntrustedFileError> for io::Error {
    fn from(error: UntrustedFileError) -> io::Error {
        if let UntrustedFileError::Io(error) = error { error } else { io::Error::other(error) }
    }
}

/// Reads a file that an untrusted program may have created; see [`open_untrusted`].
///
/// # Errors
/// There is no such regular file; the error describes what was found instead.
pub fn read_untrusted(path: &Path, most: usize) -> Result<Vec<u8>, UntrustedFileError> {
    let (file, _) = open_untrusted(path, most as u64)?;
    let mut bytes = Vec::new();
    file.take(most as u64).read_to_end(&mut bytes).map_err(UntrustedFileError::Io)?;
    Ok(bytes)
}

/// Opens a file that an untrusted program may have created, if it is a regular file of at most `most` bytes; returns its
/// length as well. Follows no links and never blocks.
///
/// # Errors
/// There is no such regular file; the error describes what was found instead.
pub fn open_untrusted(path: &Path, most: u64) -> Result<(File, u64), UntrustedFileError> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = options.open(path).map_err(|error| refusal(path, error))?;
    let found = file.metadata().map_err(UntrustedFileError::Io)?;
    let kind = found.file_type();
    if kind.is_dir() {
        return Err(UntrustedFileError::Directory);
    } else if kind.is_fifo() {
        return Err(UntrustedFileError::Fifo);
    } else if !kind.is_file() {
        return Err(UntrustedFileError::Other);
    } else if found.len() > most {
        return Err(UntrustedFileError::TooLarge { bytes: found.len() });
    }
    Ok((file, found.len()))
}

fn refusal(path: &Path, error: io::Error) -> UntrustedFileError {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => UntrustedFileError::Link,
        Ok(found) if found.file_type().is_socket() => UntrustedFileError::Other,
        Err(missing) if missing.kind() == ErrorKind::NotFound => UntrustedFileError::Missing,
        _ => UntrustedFileError::Io(error),
    }
}

/// Copies a folder of files, folders and links, which no untrusted program can change meanwhile, into the folder `to`.
/// The user `owner` owns the copies.
pub(super) fn copy_as(from: &Path, to: &Path, owner: u32) -> io::Result<()> {
    lchown(to, Some(owner), Some(owner))?;
    let mut rest = vec![PathBuf::new()];
    while let Some(folder) = rest.pop() {
        for entry in fs::read_dir(from.join(&folder))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, folder.join(entry.file_name()));
            let target = to.join(&path);
            if kind.is_dir() {
                fs::create_dir(&target)?;
                fs::set_permissions(&target, Permissions::from_mode(0o755))?;
                rest.push(path);
            } else if kind.is_symlink() {
                symlink(fs::read_link(entry.path())?, &target)?;
            } else if kind.is_file() {
                fs::copy(entry.path(), &target)?;
            } else {
                continue;
            }
            lchown(&target, Some(owner), Some(owner))?;
        }
    }
    Ok(())
}

/// Removes everything but the entries in `keep` from `dir`, at any depth and with any mode.
pub(super) fn sweep(dir: &Path, keep: &[&str]) -> io::Result<()> {
    // Reads all entries before removing any, since removing a tree adds entries.
    for entry in fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()? {
        let name = entry.file_name();
        if keep.iter().any(|&kept| name == kept) {
            continue;
        }
        if entry.file_type()?.is_dir() { flatten(dir, &name)? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// Resets the mode, times and attributes of a directory to those of a new one.
pub(super) fn make_plain(dir: &Path) -> io::Result<()> {
    let mut names = [0; 1 << 16];
    // Not all file systems support attributes.
    let count = listxattr(dir, &mut names).unwrap_or_default();
    let own = names[..count].split(|&byte| byte == 0).filter(|name| name.starts_with(b"user."));
    own.map(OsStr::from_bytes).try_for_each(|name| removexattr(dir, name))?;
    fs::set_permissions(dir, Permissions::from_mode(0o700))?;
    File::open(dir)?.set_times(FileTimes::new().set_accessed(UNIX_EPOCH).set_modified(UNIX_EPOCH))
}

/// Removes the directory `name` in `dir`. First moves its subdirectories up into `dir`, since a tree may be deeper than
/// any path or stack allows.
pub(super) fn flatten(dir: &Path, name: impl AsRef<Path>) -> io::Result<()> {
    let mut rest: Vec<PathBuf> = vec![dir.join(name)];
    let mut moved = 0_u64;
    while let Some(path) = rest.pop() {
        open_up(&path)?;
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
                continue;
            }
            // Moving a directory requires write access to it.
            open_up(&entry.path())?;
            let target = loop {
                moved += 1;
                let target = dir.join(format!(".removed-{moved}"));
                if fs::symlink_metadata(&target).is_err() {
                    break target;
                }
            };
            fs::rename(entry.path(), &target)?;
            rest.push(target);
        }
        fs::remove_dir(&path)?;
    }
    Ok(())
}

fn open_up(path: &Path) -> io::Result<()> {
    let mode = fs::symlink_metadata(path)?.permissions().mode();
    if mode & 0o700 == 0o700 { Ok(()) } else { fs::set_permissions(path, Permissions::from_mode(0o700)) }
}

/// Total bytes in `dir`; `None` if its content exceeds `limit` or cannot be examined.
pub(super) fn usage(dir: &Path, limit: DiskLimit) -> Option<u64> {
    let mut left = limit;
    match measure(dir, &mut left) {
        Err(error) if error.kind() != ErrorKind::NotFound => None,
        _ => Some(limit.bytes - left.bytes),
    }
}

/// Subtracts the content of `dir` from `left`.
fn measure(dir: &Path, left: &mut DiskLimit) -> io::Result<()> {
    let mut rest = vec![dir.to_path_buf()];
    while let Some(path) = rest.pop() {
        let entries = match fs::read_dir(&path) {
            // The entry was removed in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                open_up(&path).and_then(|()| fs::read_dir(&path))?
            }
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let found = match entry.metadata() {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                found => found?,
            };
            let take = |left: u64, some: u64| left.checked_sub(some).ok_or(ErrorKind::QuotaExceeded);
            left.files = take(left.files, 1)?;
            left.bytes = take(left.bytes, found.blocks() * 512)?;
            if found.is_dir() {
                rest.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Joins the start and the end of a text; a line between them counts the bytes that are left out.
pub(super) fn without_middle(start: &[u8], left_out: u64, end: &[u8]) -> Vec<u8> {
    let line = if left_out > 0 { format!("\n[{left_out} bytes left out]\n") } else { String::new() };
    [start, line.as_bytes(), end].concat()
}

/// Reads a file of `bytes` bytes, or its start and its end if it has more than `most`.
pub(super) fn excerpt(file: &mut (impl Read + Seek), bytes: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut read = |from: u64, bytes: u64| -> io::Result<Vec<u8>> {
        let mut part = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(bytes).read_to_end(&mut part)?;
        Ok(part)
    };
    let most = most as u64;
    if bytes <= most {
        return read(0, most);
    }
    let half = most / 2;
    let (start, end) = (read(0, half)?, read(bytes - half, half)?);
    Ok(without_middle(&start, bytes - 2 * half, &end))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use rustix::fs::{XattrFlags, setxattr};

    use super::*;

    #[test]
    fn usage_is_counted_recursively() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), vec![1; 10_000]).unwrap();
        let used = |bytes, files| usage(folder.path(), DiskLimit { bytes, files });
        let over = |bytes, files| used(bytes, files).is_none();
        assert!((10_000..100_000).contains(&used(1 << 20, 3).unwrap()));
        assert!(!over(1 << 20, 3));
        assert!(over(1 << 20, 2), "two folders and a file");
        assert!(over(9_000, 3));
        fs::set_permissions(folder.path().join("a"), Permissions::from_mode(0o000)).unwrap();
        assert!(!over(1 << 20, 3) && over(9_000, 3), "closed folders are opened");
    }

    #[test]
    fn a_folder_is_reset() {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let path = folder.path();
        // Not all file systems support attributes.
        let has_attributes = setxattr(path, "user.note", b"1", XattrFlags::empty()).is_ok();
        fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
        make_plain(path).unwrap();
        let about = fs::metadata(path).unwrap();
        assert_eq!((about.permissions().mode() & 0o7777, about.modified().unwrap()), (0o700, UNIX_EPOCH));
        let mut names = [0; 64];
        assert!(!has_attributes || listxattr(path, &mut names).unwrap() == 0);
    }

    #[test]
    fn deep_and_unreadable_trees_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (mut path, kept) = (folder.path().to_path_buf(), folder.path().join("kept"));
        for _ in 0..300 {
            path.push("deep");
            fs::create_dir(&path).unwrap();
        }
        fs::write(path.join("file"), "x").unwrap();
        fs::set_permissions(folder.path().join("deep/deep"), Permissions::from_mode(0o000)).unwrap();
        fs::write(&kept, "kept").unwrap();
        sweep(folder.path(), &["kept"]).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(kept).unwrap(), "kept");
    }

    #[test]
    fn a_long_file_is_read_at_both_ends() {
        let read = |text: &str| String::from_utf8(excerpt(&mut Cursor::new(text), text.len() as u64, 6).unwrap());
        for (text, kept) in [
            ("", ""),
            ("abcdef", "abcdef"),
            ("abcdefg", "abc\n[1 bytes left out]\nefg"),
            ("abc\nefghij", "abc\n[4 bytes left out]\nhij"),
        ] {
            assert_eq!(read(text).unwrap(), kept, "{text:?}");
        }
    }
}
