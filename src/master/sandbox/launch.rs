//! How does a launcher become an agent?

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::signal::SigSet;

use super::confine;
use super::launch_spec::{GO, LAUNCH_ARGUMENT, LaunchSpec, Task};
use super::launcher_log::started_line;
use super::namespaces::show_processes;
use super::unreadable::ways_to_hide;
use crate::clock::Clock;

/// The exit code of a launcher that could not start its agent.
const FAILED: u8 = 125;

/// Becomes an agent, if this process was started as a launcher; `main` must call this first. `None`: it was not.
pub fn launched() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(LAUNCH_ARGUMENT)) {
        return None;
    }
    let Err(error) = launch(&arguments.collect::<Vec<_>>()) else { return Some(ExitCode::SUCCESS) };
    report(&format!("failed {error:#}\n"));
    Some(ExitCode::from(FAILED))
}

/// Standard error is the only channel to the referee; if it is closed, the referee is gone.
fn report(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn join(group: &PathBuf) -> Result<()> {
    fs::write(group, "0").with_context(|| format!("cannot join {}", group.display()))
}

/// Fills the buffer from standard input. No byte more is read: the rest is the agent's.
fn read(mut buffer: &mut [u8]) -> Result<()> {
    while !buffer.is_empty() {
        match rustix::io::retry_on_intr(|| rustix::io::read(rustix::stdio::stdin(), &mut *buffer))? {
            0 => bail!("not needed any more"),
            count => buffer = &mut buffer[count..],
        }
    }
    Ok(())
}

/// What is to be done, as [`LaunchSpec::message`] has it.
fn read_spec() -> Result<LaunchSpec> {
    let mut length = [0; 8];
    read(&mut length)?;
    let mut text = vec![0; usize::try_from(u64::from_le_bytes(length))?];
    read(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// Gives up everything that an agent must not have, reports it, and becomes the agent.
fn launch(command: &[OsString]) -> Result<()> {
    let spec = read_spec().context("not called by the referee")?;
    confine::close_files()?;
    // The referee blocks signals in all threads but one; agents must not inherit that.
    SigSet::empty().thread_set_mask()?;
    spec.groups.iter().try_for_each(join)?;
    // Reading the clock makes the kernel charge what was used so far, so that none of it is charged to the group that
    // is joined next.
    let before = spec.account.as_ref().map_or(Duration::ZERO, |_| Clock::Process.now());
    spec.account.iter().try_for_each(join)?;
    spec.processes_at.iter().try_for_each(|path| show_processes(path))?;
    confine::confine(&spec)?;
    if spec.task == Task::Agent {
        read(&mut [0; GO.len()])?;
    }
    let started = started_line(Clock::Process.now() - before);
    // If this fails, the referee is gone, and the signal of its death may have come too early.
    io::stderr().write_all(started.as_bytes())?;
    match spec.task {
        Task::Agent => {
            let [program, arguments @ ..] = command else { return Ok(()) };
            let error = Command::new(program).args(arguments).exec();
            report(&format!("{}{error}", spec.secret));
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
