//! Exclusive locks on files: one writer at a time.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

/// An exclusive lock for writing a file, released when it is dropped or when the process ends for any reason.
///
/// The lock covers one byte far past the end of the file, away from SQLite's own locks, so others can still read the
/// file. It belongs to the open file, not to the process, so it also excludes a second writer in the same process. Drop
/// it after any connection to the same file: when a process closes any handle to a file, POSIX releases all of the
/// process's locks on it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Offset of the locked byte, past the end of any real file.
const PLACE: i64 = 1 << 62;

/// Attempts to take the lock. Retries are needed because a newly forked child holds a copy of a released lock until it
/// executes its program.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

impl Lock {
    /// Locks a file, creating it if necessary. Returns `None` if another holder has the lock.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Lock>> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let wanted = libc::flock {
            l_type: libc::F_WRLCK as i16,
            l_whence: libc::SEEK_SET as i16,
            l_start: PLACE,
            l_len: 1,
            l_pid: 0,
        };
        for _ in 0..TRIES {
            match fcntl(&file, FcntlArg::F_OFD_SETLK(&wanted)) {
                Ok(_) => return Ok(Some(Lock { _file: file })),
                Err(Errno::EAGAIN | Errno::EACCES) => thread::sleep(PAUSE),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
