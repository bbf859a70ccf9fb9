//! CPU time used in ways that are hard to measure. When it ends, each process prints the nanoseconds that it has used.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use nix::libc;
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, umask};
use nix::sys::time::TimeValLike;
use nix::sys::wait::wait;
use nix::time::{ClockId, clock_gettime};

use crate::process::{child as forked, ignore};

/// Total CPU time to use: the second argument, in milliseconds.
fn all() -> Duration {
    let given = std::env::args().nth(2).and_then(|number| number.parse().ok());
    Duration::from_millis(given.unwrap_or(400))
}

/// Uses `time` of CPU time in this thread.
fn burn(time: Duration) {
    let now = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock"));
    let start = now();
    while now() - start < time {
        std::hint::black_box((0..1000).fold(0_u64, |sum, number| sum ^ std::hint::black_box(number)));
    }
}

/// CPU time that this process has used.
fn used() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock").into()
}

/// Prints the CPU time that this process has used since its clock showed `start`.
fn report(start: Duration) {
    let line = format!("{}\n", (used() - start).as_nanos());
    std::io::stdout().write_all(line.as_bytes()).expect("a reader");
}

/// Burns CPU time in a child, whose clock starts at zero.
pub(crate) fn burn_and_report() {
    burn(all());
    report(Duration::ZERO);
}

pub(crate) fn plain() {
    let start = used();
    burn(all());
    report(start);
}

pub(crate) fn threads() {
    let start = used();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| burn(all() / 2));
        }
    });
    report(start);
}

pub(crate) fn fork_and_wait() {
    let start = used();
    child(burn_and_report);
    let _ = wait();
    report(start);
}

/// Burns in a child that nobody has to wait for.
pub(crate) fn ignored_children() {
    let start = used();
    ignore(Signal::SIGCHLD);
    child(burn_and_report);
    // Blocks until no child is left.
    let _ = wait();
    report(start);
}

/// Burns in a child that loses its parent; this process waits until the child has reported.
pub(crate) fn orphan() {
    let start = used();
    wait_for(|| {
        child(|| {
            child(burn_and_report);
        });
    });
    report(start);
}

/// Burns in a child that is its parent's sibling.
pub(crate) fn sibling() {
    let start = used();
    let sibling = || {
        // SAFETY: like fork, the child continues with a copy of this stack.
        let made = unsafe { libc::syscall(libc::SYS_clone, libc::CLONE_PARENT | libc::SIGCHLD, 0, 0, 0, 0) };
        if made == 0 {
            burn_and_report();
            std::process::exit(0);
        }
    };
    // The first process of a namespace cannot have siblings, but its children can.
    wait_for(|| {
        child(sibling);
    });
    report(start);
}

/// Number of processes in a chain.
const LINKS: u32 = 100;

/// Burns in a chain of processes, each of which starts the next and does not wait for it. No process can report the
/// cost of its own exit, but the kernel reports it to the process that reaps it. So this process adopts them all, and
/// reaps them once all have ended, since the cost of an unfinished exit is not reported in full.
pub(crate) fn chain() {
    fn link(left: u32) {
        burn(all() / LINKS);
        if left > 1 {
            child(|| link(left - 1));
        }
    }
    let start = used();
    prctl::set_child_subreaper(true).expect("adopted orphans");
    wait_for(|| child(|| link(LINKS)));
    std::thread::sleep(Duration::from_millis(20));
    while wait().is_ok() {}
    println!("{}", used_by_children().as_nanos());
    report(start);
}

/// CPU time of the reaped children of this process, including the cost of their exits.
fn used_by_children() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("a usage");
    let times = [usage.user_time(), usage.system_time()];
    times.iter().map(|time| Duration::from_micros(time.num_microseconds().unsigned_abs())).sum()
}

/// Burns in an unreadable program, since executing one ends the counters that others have on the process. If no such
/// program can be made, burns in a plain fork.
fn hidden(make: impl FnOnce(&mut File) -> io::Result<()>, mode: u32) {
    let start = used();
    let path = std::env::current_dir().expect("a directory").join("hidden");
    let made = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path)?;
        io::copy(&mut File::open(std::env::current_exe()?)?, &mut file)?;
        make(&mut file)
    };
    burn_in(made().is_ok().then(|| path.clone()));
    // Freeing its memory takes time as well.
    let _ = std::fs::remove_file(path);
    report(start);
}

/// Burns in a child that executes `program`, or in a plain fork if it is `None`.
fn burn_in(program: Option<PathBuf>) {
    child(|| {
        if let Some(program) = program {
            // `exec` returns only if it fails.
            let _ = Command::new(program).args(["burn-child", &all().as_millis().to_string()]).exec();
        }
        burn_and_report();
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

/// Hides the program with an access control list that lets owner, group and others only execute it.
pub(crate) fn hidden_by_list() {
    const EXECUTE: u16 = 1;
    let mut list = 2_u32.to_le_bytes().to_vec();
    for tag in [1_u16, 4, 0x20] {
        list.extend([tag.to_le_bytes(), EXECUTE.to_le_bytes()].concat());
        list.extend(u32::MAX.to_le_bytes());
    }
    let set = |file: &mut File| {
        let name = c"system.posix_acl_access".as_ptr();
        // SAFETY: the name ends in NUL, and the list has the stated length.
        let done = unsafe { libc::fsetxattr(file.as_raw_fd(), name, list.as_ptr().cast(), list.len(), 0) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    hidden(set, 0o755);
}

/// Burns in a program that exists only in memory, without a path.
pub(crate) fn hidden_in_memory() {
    let start = used();
    let made = || -> io::Result<File> {
        // SAFETY: the name ends in NUL, and nobody else owns the new descriptor.
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
    // Freeing it takes time as well.
    drop(file);
    report(start);
}

/// Runs `child` in a child; exits with a special code if forking is not allowed.
fn child(child: impl FnOnce()) {
    if !forked(child) {
        std::process::exit(77);
    }
}

/// Waits for all processes that `start` creates, through a pipe that they hold open.
fn wait_for(start: impl FnOnce()) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    // The children inherit the writer and close it when they end.
    start();
    drop(writer);
    let mut reader = reader;
    let _ = std::io::copy(&mut reader, &mut std::io::sink());
}
