//! CPU time, used in ways that not everybody sees. Each process says on standard output, in
//! nanoseconds, what it has used when it ends.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sched::{CpuSet, sched_getcpu, sched_setaffinity};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, umask};
use nix::sys::wait::wait;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use crate::process::{child as forked, ignore};

/// In all: the second argument in milliseconds.
fn all() -> Duration {
    let given = std::env::args().nth(2).and_then(|number| number.parse().ok());
    Duration::from_millis(given.unwrap_or(400))
}

/// Uses this much CPU time of this thread.
fn burn(time: Duration) {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock"));
    let start = now();
    while now() - start < time {
        std::hint::black_box((0..1000).fold(0_u64, |sum, number| sum ^ std::hint::black_box(number)));
    }
}

/// What this process has used.
fn used() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock").into()
}

/// Says what this process has used since its clock showed `start`.
fn tell(start: Duration) {
    let line = format!("{}\n", (used() - start).as_nanos());
    std::io::stdout().write_all(line.as_bytes()).expect("somebody who listens");
}

/// What a child does; its clock starts at zero.
pub(crate) fn burn_and_tell() {
    burn(all());
    tell(Duration::ZERO);
}

pub(crate) fn plain() {
    let start = used();
    burn(all());
    tell(start);
}

pub(crate) fn threads() {
    let start = used();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| burn(all() / 2));
        }
    });
    tell(start);
}

pub(crate) fn fork_and_wait() {
    let start = used();
    child(burn_and_tell);
    let _ = wait();
    tell(start);
}

/// Children that nobody has to wait for.
pub(crate) fn ignored_children() {
    let start = used();
    ignore(Signal::SIGCHLD);
    child(burn_and_tell);
    // Until there are none left.
    let _ = wait();
    tell(start);
}

/// A child that loses its parent; this process waits until it has reported.
pub(crate) fn orphan() {
    let start = used();
    wait_for(|| {
        child(|| {
            child(burn_and_tell);
        });
    });
    tell(start);
}

/// A child that is its parent's sibling.
pub(crate) fn sibling() {
    let start = used();
    let sibling = || {
        // SAFETY: like fork; the child goes on with a copy of this stack.
        let made = unsafe { libc::syscall(libc::SYS_clone, libc::CLONE_PARENT | libc::SIGCHLD, 0, 0, 0, 0) };
        if made == 0 {
            burn_and_tell();
            std::process::exit(0);
        }
    };
    // The first process of a namespace may have no siblings, its children may.
    wait_for(|| {
        child(sibling);
    });
    tell(start);
}

/// A hundred children, each the next one's parent, none waited for.
pub(crate) fn chain() {
    fn link(left: u32) {
        burn(all() / 100);
        if left > 1 {
            child(|| link(left - 1));
        }
        tell(Duration::ZERO);
    }
    let start = used();
    let (all, ends) = honest_children(100);
    wait_for(|| {
        ignore(Signal::SIGCHLD);
        child(|| link(100));
    });
    println!("{}\n{}", all.as_nanos(), ends.as_nanos());
    tell(start);
}

/// CPU time of this many processes that do nothing, and how much of it they use to end. That is work too, but no
/// process can tell it: it is what passes, on one core, while a parent waits and nothing else runs.
fn honest_children(count: u32) -> (Duration, Duration) {
    let mut core = CpuSet::new();
    core.set(sched_getcpu().expect("a core")).expect("a core");
    sched_setaffinity(Pid::this(), &core).expect("to stay on a core");
    let (mut reader, mut writer) = std::io::pipe().expect("a pipe");
    let mut costs: Vec<(Duration, Duration)> = Vec::new();
    for _ in 0..count {
        let (start, own) = (Instant::now(), used());
        child(|| writer.write_all(&(used().as_nanos() as u64).to_le_bytes()).expect("a parent"));
        let waiting = used();
        let _ = wait();
        let (own, waiting) = (used() - own, used() - waiting);
        let all = start.elapsed().saturating_sub(own);
        let mut reported = [0; 8];
        reader.read_exact(&mut reported).expect("a child");
        // A child whose parent ignores SIGCHLD is reaped at once.
        costs.push((all, waiting + all.saturating_sub(Duration::from_nanos(u64::from_le_bytes(reported)))));
    }
    costs.sort_unstable();
    // Something else may have run in most of the times.
    let (all, ends) = costs[costs.len() / 10];
    (all * count, ends * count)
}

/// In a program that cannot be read, which ends the counters of others: made so in each way. Where that is refused, in
/// another process.
fn hidden(make: impl FnOnce(&mut File) -> io::Result<()>, mode: u32) {
    let start = used();
    let path = std::env::current_dir().expect("a directory").join("hidden");
    let made = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path)?;
        io::copy(&mut File::open(std::env::current_exe()?)?, &mut file)?;
        make(&mut file)
    };
    let program = made().is_ok().then_some(path);
    burn_in(program);
    tell(start);
}

/// Burns in a child that executes this program, or in one that goes on with the running one.
fn burn_in(program: Option<PathBuf>) {
    child(|| {
        if let Some(program) = program {
            // It returns only if it fails.
            let _ = Command::new(program).args(["burn-child", &all().as_millis().to_string()]).exec();
        }
        burn_and_tell();
    });
    let _ = wait();
}

pub(crate) fn hidden_by_mode() {
    hidden(|file| file.set_permissions(Permissions::from_mode(0o111)), 0o755);
}

pub(crate) fn hidden_when_created() {
    hidden(|_| Ok(()), 0o111);
}

pub(crate) fn hidden_by_umask() {
    umask(Mode::S_IRUSR);
    hidden(|_| Ok(()), 0o755);
}

/// An access control list sets the mode: only to execute, for owner, group and others.
pub(crate) fn hidden_by_list() {
    const EXECUTE: u16 = 1;
    let mut list = 2_u32.to_le_bytes().to_vec();
    for tag in [1_u16, 4, 0x20] {
        list.extend([tag.to_le_bytes(), EXECUTE.to_le_bytes()].concat());
        list.extend(u32::MAX.to_le_bytes());
    }
    let set = |file: &mut File| {
        let name = c"system.posix_acl_access".as_ptr();
        // SAFETY: the name ends in NUL, and the list is as long as is said.
        let done = unsafe { libc::fsetxattr(file.as_raw_fd(), name, list.as_ptr().cast(), list.len(), 0) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    hidden(set, 0o755);
}

/// In memory, with no path at all.
pub(crate) fn hidden_in_memory() {
    let start = used();
    let made = || -> io::Result<File> {
        // SAFETY: the name ends in NUL; a descriptor that was made belongs to nobody else.
        let mut file = unsafe {
            let made = libc::memfd_create(c"hidden".as_ptr(), 0);
            if made < 0 { Err(io::Error::last_os_error()) } else { Ok(File::from_raw_fd(made)) }
        }?;
        io::copy(&mut File::open(std::env::current_exe()?)?, &mut file)?;
        file.set_permissions(Permissions::from_mode(0o111))?;
        Ok(file)
    };
    let file = made();
    burn_in(file.as_ref().ok().map(|file| PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))));
    // To free it takes time, too.
    drop(file);
    tell(start);
}

/// A child; a process that may not fork ends with an exit code of its own.
fn child(child: impl FnOnce()) {
    if !forked(child) {
        std::process::exit(77);
    }
}

/// Waits for all that comes from `start`, by a pipe that they hold open.
fn wait_for(start: impl FnOnce()) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    // Kept by the children; they close it when they end.
    start();
    drop(writer);
    let mut reader = reader;
    let _ = std::io::copy(&mut reader, &mut std::io::sink());
}
