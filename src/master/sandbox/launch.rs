//! The launcher that becomes an agent.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::SigSet;
use nix::sys::time::TimeValLike;

use super::confine;
use super::copier::{COPY_ARGUMENT, copied};
use super::launch_spec::{GO, LAUNCH_ARGUMENT, LaunchSpec, Task};
use super::launcher_log::{LauncherTime, started_line};
use super::namespaces::show_processes;
use super::shortage::be_killed_first;
use super::unreadable::ways_to_hide;
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

/// CPU time that this process has used.
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
    spec.processes_at.iter().try_for_each(|path| show_processes(path))?;
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
