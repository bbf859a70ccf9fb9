//! Attempts to leave a note in the kernel for another turn or another game, and to find one.

use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use nix::libc;

use crate::breakouts::must_fail;

/// The file that the second argument names, which every agent can read.
fn file() -> File {
    File::open(std::env::args().nth(2).expect("a file")).expect("a readable file")
}

/// Tells the test that the note is left.
fn left() {
    println!("left");
}

fn lock(kind: libc::c_int) -> libc::flock {
    // SAFETY: all fields are numbers, for which zeros are valid.
    let whole: libc::flock = unsafe { std::mem::zeroed() };
    libc::flock { l_type: kind as libc::c_short, l_whence: libc::SEEK_SET as libc::c_short, ..whole }
}

/// Locks a file, as a note to agents that run at the same time.
pub(crate) fn leave_locks() {
    let (first, second, reading) = (file(), file(), lock(libc::F_RDLCK));
    // SAFETY: the files are open, and the lock outlives the call.
    unsafe {
        assert_eq!(libc::fcntl(first.as_raw_fd(), libc::F_OFD_SETLK, &raw const reading), 0);
        assert_eq!(libc::flock(second.as_raw_fd(), libc::LOCK_SH), 0);
    }
    left();
    sleep(Duration::from_secs(30));
}

pub(crate) fn find_locks() {
    let file = file();
    let mut found = lock(libc::F_WRLCK);
    // SAFETY: the file is open, and the lock outlives the call.
    unsafe {
        assert_eq!(libc::fcntl(file.as_raw_fd(), libc::F_OFD_GETLK, &raw mut found), 0);
        must_fail("to see a lock", i32::from(found.l_type) != libc::F_UNLCK);
        must_fail("to be kept out by a lock", libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) != 0);
    }
    left();
}

/// Asks to be told about the use of the system's files and of control groups.
pub(crate) fn watch_files() {
    const DN_ACCESS: libc::c_int = 1;
    // SAFETY: the calls take only numbers.
    unsafe {
        must_fail("to watch files", libc::inotify_init1(libc::IN_NONBLOCK) >= 0);
        let asked = libc::fcntl(file().as_raw_fd(), libc::F_NOTIFY, DN_ACCESS);
        must_fail("to watch a folder", asked == 0);
    }
}

/// Takes a file out of memory, so that whoever needs it next waits for the disk.
pub(crate) fn evict() {
    let file = file();
    // SAFETY: the file is open.
    assert_eq!(unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) }, 0);
    left();
}

/// Raises as many counters of the kernel as it can: pages, processes, context switches, files, interrupts.
pub(crate) fn raise_counters() {
    const HUGE: usize = 2 << 20;
    // SAFETY: the memory is private, written only within its length, and given back.
    unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let start = libc::mmap(std::ptr::null_mut(), 8 * HUGE, protection, kind, -1, 0);
        assert_ne!(start, libc::MAP_FAILED, "memory");
        libc::madvise(start, 8 * HUGE, libc::MADV_HUGEPAGE);
        start.cast::<u8>().write_bytes(1, 8 * HUGE);
        libc::munmap(start, 8 * HUGE);
    }
    for _ in 0..50 {
        std::thread::spawn(std::thread::yield_now).join().expect("a thread");
        let _ = std::process::Command::new("/bin/true").status();
    }
    left();
}

/// Prints everything that the kernel shows of the machine.
pub(crate) fn print_counters() {
    let mut waiting: Vec<PathBuf> = ["/proc", "/sys"].map(PathBuf::from).into();
    while let Some(path) = waiting.pop() {
        let mut entries: Vec<_> = fs::read_dir(&path).into_iter().flatten().flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            // Its own processes, the clock, and a new name at each reading.
            let is_process = name.to_str().is_some_and(|name| name.parse::<u32>().is_ok());
            if path.is_symlink() || is_process || path.ends_with("random/uuid") || path.ends_with("proc/uptime") {
                continue;
            } else if path.is_dir() {
                waiting.push(path);
            } else if let Ok(text) = fs::read(&path) {
                let sum = text.iter().fold(0_u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
                let start = String::from_utf8_lossy(&text[..text.len().min(1000)]).into_owned();
                println!("{}: {start} {} bytes, sum {sum}", path.display(), text.len());
            }
        }
    }
}
