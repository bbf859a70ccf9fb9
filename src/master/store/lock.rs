use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::libc;

/// The right to be the only one that writes a file; given back when it is dropped, or the process ends in any way.
///
/// It is on a byte far behind the end, where SQLite's own locks are not, so that others can read meanwhile. It
/// belongs to the open file, not to the process, and thus holds within a process too. Drop it after any connection to
/// the same file: POSIX lets go of all of a process's locks on a file when it closes any handle of it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Farther than any file reaches.
const PLACE: i64 = 1 << 62;

/// A lock that was given back lives on for a moment in a process that was started meanwhile, until that becomes
/// another program: so it is asked for more than once.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

impl Lock {
    /// Locks a file, which is made if there is none; `None`: somebody else has it.
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
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let first = Lock::take(&path).unwrap();
        assert!(first.is_some());
        assert!(Lock::take(&path).unwrap().is_none());
        drop(first);
        assert!(Lock::take(&path).unwrap().is_some());
    }
}
