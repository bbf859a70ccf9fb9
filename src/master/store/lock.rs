//! Why do two masters never write one store?

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

/// An exclusive lock for writing a file; released when it is dropped, or when the process ends in any way.
///
/// It is on a byte far past the end, where SQLite's own locks are not, so that others can read meanwhile. It belongs to
/// the open file, not to the process, and thus works within a process too. Drop it after any connection to the same
/// file: POSIX releases all of a process's locks on a file when it closes any handle of it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Past the end of any file.
const PLACE: i64 = 1 << 62;

/// A released lock lives on for a moment in a child that was just forked, until it executes its program: so it is tried
/// more than once.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

impl Lock {
    /// Locks a file, which is made if there is none; `None`: somebody else holds the lock.
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
