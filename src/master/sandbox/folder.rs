//! Safely reads, counts and removes files that an agent may have created.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown, symlink};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use nix::libc;
use rustix::fs::{listxattr, removexattr};

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
#[derive(Debug)]
pub enum UntrustedFileError {
    /// It does not exist.
    Missing,
    /// It is a symbolic link.
    Link,
    /// It is a named pipe.
    Fifo,
    /// It is a directory.
    Directory,
    /// It is a socket or a device.
    Other,
    /// It is longer than the limit.
    TooLarge {
        /// Its length.
        bytes: u64,
    },
    /// It cannot be read.
    Io(io::Error),
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

/// Reason why a file could not be opened.
fn refusal(path: &Path, error: io::Error) -> UntrustedFileError {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => UntrustedFileError::Link,
        Ok(found) if found.file_type().is_socket() => UntrustedFileError::Other,
        Err(missing) if missing.kind() == ErrorKind::NotFound => UntrustedFileError::Missing,
        _ => UntrustedFileError::Io(error),
    }
}

impl fmt::Display for UntrustedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UntrustedFileError::Missing => f.write_str("there is no such file"),
            UntrustedFileError::Link => f.write_str("a symbolic link, expected a file"),
            UntrustedFileError::Fifo => f.write_str("a named pipe, expected a file"),
            UntrustedFileError::Directory => f.write_str("a directory, expected a file"),
            UntrustedFileError::Other => f.write_str("a socket or device, expected a file"),
            UntrustedFileError::TooLarge { bytes } => write!(f, "{bytes} bytes, too long"),
            UntrustedFileError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UntrustedFileError {}

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

/// Grants the owner all rights to a directory.
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

#[cfg(test)]
mod tests {
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
}
