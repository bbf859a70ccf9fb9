//! The launcher that becomes an agent.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::SigSet;
use nix::sys::stat::{Mode, umask};
use nix::sys::time::TimeValLike;
use rustix::fs::{MemfdFlags, fchmod, memfd_create};

use super::confine;
use super::copier::{COPY_ARGUMENT, copied};
use super::kernel_files::show_processes;
use super::launch_spec::{GO, LAUNCH_ARGUMENT, LaunchSpec, Task};
use super::memory::be_killed_first;
use super::streams::{LauncherTime, started_line};
use super::view::SYSTEM;
use kingline::clock::Clock;
use kingline_players::terminal::{stderr_line, stderr_text};

/// Exit code of a launcher that could not start its agent.
const FAILED: u8 = 125;

/// Becomes an agent if this process was started as a launcher, or copies an agent's files if it was started for that;
/// returns `None` otherwise. `main` must call this first.
pub fn launched() -> Option<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (first, arguments) = arguments.split_first()?;
    if first == COPY_ARGUMENT {
        return Some(copied(arguments));
    } else if first != LAUNCH_ARGUMENT {
        return None;
    }
    let Err(error) = launch(arguments) else { return Some(ExitCode::SUCCESS) };
    // Standard error is the only channel to the referee; if it is closed, the referee is gone.
    stderr_line(format_args!("failed {error:#}"));
    Some(ExitCode::from(FAILED))
}

fn join(group: &PathBuf) -> Result<()> {
    fs::write(group, "0").with_context(|| format!("cannot join {}", group.display()))
}

/// Fills the buffer from standard input. Reads no further, since the rest belongs to the agent.
fn read(mut buffer: &mut [u8]) -> Result<()> {
    while !buffer.is_empty() {
        match rustix::io::retry_on_intr(|| rustix::io::read(rustix::stdio::stdin(), &mut *buffer))? {
            0 => bail!("no longer needed"),
            count => buffer = &mut buffer[count..],
        }
    }
    Ok(())
}

fn own_time() -> LauncherTime {
    let user = getrusage(UsageWho::RUSAGE_SELF).map(|usage| usage.user_time().num_microseconds().unsigned_abs());
    LauncherTime { cpu: Clock::Process.now(), user: user.map_or(Duration::ZERO, Duration::from_micros) }
}

/// Reads the specification written by [`LaunchSpec::message`].
fn read_spec() -> Result<LaunchSpec> {
    let mut length = [0; 8];
    read(&mut length)?;
    let mut text = vec![0; usize::try_from(u64::from_le_bytes(length))?];
    read(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Drops all rights that an agent must not have, reports the start, and becomes the agent.
fn launch(command: &[OsString]) -> Result<()> {
    let spec = read_spec().context("not called by the referee")?;
    be_killed_first();
    confine::close_files()?;
    // The referee blocks signals in all threads but one; agents must not inherit this.
    SigSet::empty().thread_set_mask()?;
    spec.groups.iter().try_for_each(join)?;
    // Reading the clock makes the kernel account for the CPU time used so far, so that none of it is charged to the
    // group joined next.
    let before = spec.account.as_ref().map_or(LauncherTime::default(), |_| own_time());
    spec.account.iter().try_for_each(join)?;
    spec.own_processes.iter().try_for_each(show_processes)?;
    confine::confine(&spec)?;
    if spec.task == Task::Agent {
        read(&mut [0; GO.len()])?;
    }
    let LauncherTime { cpu, user } = own_time();
    let started = started_line(LauncherTime { cpu: cpu - before.cpu, user: user.saturating_sub(before.user) });
    // If this fails, the referee is gone; the signal that reports its death may have been sent before this process
    // asked for it.
    io::stderr().write_all(started.as_bytes())?;
    match spec.task {
        Task::Agent => {
            let [program, arguments @ ..] = command else { return Ok(()) };
            let error = Command::new(program).args(arguments).exec();
            stderr_text(format_args!("{}{error}", spec.secret));
            Ok(())
        }
        Task::Hide => Ok(write!(io::stdout(), "{}", ways_to_hide().join(", "))?),
        Task::Burn(time) => {
            let start = Clock::Process.now();
            while Clock::Process.now() < start + time {
                std::hint::black_box((0..100).fold(0_u64, |sum, number| sum ^ std::hint::black_box(number)));
            }
            let burnt = (Clock::Process.now() - start).as_nanos();
            Ok(writeln!(io::stdout(), "{burnt}")?)
        }
    }
}

/// A program that every system has.
const SHELL: &str = "/bin/sh";
/// Mode of a file that can be executed but not read.
const HIDDEN: u32 = 0o111;

/// A way to execute an unreadable program; returns true if it worked.
type Way = fn() -> io::Result<bool>;

/// Finds programs in the system and in these folders that some users can execute but not read.
pub(super) fn programs(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).chain(folders.iter().cloned()).collect();
    waiting.retain(|path| !path.is_symlink());
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                waiting.push(entry.path());
            } else if about.is_file() && is_unreadable(about.permissions().mode()) {
                found.push(entry.path());
            }
        }
    }
    found
}

/// Returns true if the owner, the group or others may execute but not read the file.
fn is_unreadable(mode: u32) -> bool {
    (mode & 0o111) & !(mode >> 2) != 0
}

/// Tries to create and execute an unreadable program, in the working directory and in memory; returns the ways that
/// worked.
pub(super) fn ways_to_hide() -> Vec<&'static str> {
    let ways: [(&str, Way); 4] =
        [("memfd", in_memory), ("chmod", by_chmod), ("creation mode", by_creation), ("umask", by_umask)];
    ways.into_iter().filter(|(_, try_it)| try_it().unwrap_or(false)).map(|(name, _)| name).collect()
}

fn in_memory() -> io::Result<bool> {
    let mut file = File::from(memfd_create("hidden", MemfdFlags::empty())?);
    io::copy(&mut File::open(SHELL)?, &mut file)?;
    fchmod(&file, HIDDEN.into())?;
    Ok(works(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd()))))
}

fn by_chmod() -> io::Result<bool> {
    fs::copy(SHELL, "changed")?;
    fs::set_permissions("changed", Permissions::from_mode(HIDDEN))?;
    Ok(works(Path::new("./changed")))
}

fn create(name: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(name)?;
    io::copy(&mut File::open(SHELL)?, &mut file).map(drop)
}

fn by_creation() -> io::Result<bool> {
    create("created", HIDDEN)?;
    Ok(works(Path::new("./created")))
}

fn by_umask() -> io::Result<bool> {
    umask(Mode::S_IRUSR | Mode::S_IRGRP | Mode::S_IROTH);
    create("masked", 0o777)?;
    let mode = fs::metadata("masked")?.permissions().mode();
    Ok(is_unreadable(mode) && works(Path::new("./masked")))
}

/// Returns true if a copy of the shell runs.
fn works(shell: &Path) -> bool {
    const CODE: i32 = 42;
    let mut command = Command::new(shell);
    command.args(["-c", &format!("exit {CODE}")]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.code() == Some(CODE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_some_may_execute_but_not_read_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join("a/b").join(name);
        fs::create_dir_all(path("")).unwrap();
        for (name, mode) in [("plain", 0o755), ("data", 0o600), ("own", 0o711), ("hidden", 0o311), ("group", 0o750)] {
            fs::write(path(name), "").unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        }
        let mut found = programs(&[folder.path().to_path_buf()]);
        found.retain(|path| path.starts_with(folder.path()));
        found.sort();
        assert_eq!(found, [path("hidden"), path("own")]);
    }
}
