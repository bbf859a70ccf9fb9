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
use crate::clock::Clock;

/// The exit code of a launcher whose agent did not start.
const FAILED: u8 = 125;

/// Becomes an agent, if this process was started as a launcher: what `main` must ask before all else.
/// `None`: it was started by somebody else.
pub fn launched() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(LAUNCH_ARGUMENT)) {
        return None;
    }
    let spec = arguments.next().unwrap_or_default();
    let Err(error) = launch(&spec, &arguments.collect::<Vec<_>>()) else { return Some(ExitCode::SUCCESS) };
    tell(&format!("failed {error:#}\n"));
    Some(ExitCode::from(FAILED))
}

/// Standard error is the only way to the referee; where it is closed there is no referee any more.
fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn join(group: &PathBuf) -> Result<()> {
    fs::write(group, "0").with_context(|| format!("cannot join {}", group.display()))
}

/// Waits for the turn of the agent. No byte more than the sign is read: the others are the agent's.
fn wait() -> Result<()> {
    let mut sign = [0; GO.len()];
    match rustix::io::retry_on_intr(|| rustix::io::read(rustix::stdio::stdin(), &mut sign))? {
        1.. => Ok(()),
        0 => bail!("not wanted any more"),
    }
}

/// Gives up everything that an agent must not have, says so, and becomes it.
fn launch(spec: &OsStr, command: &[OsString]) -> Result<()> {
    let spec: LaunchSpec = serde_json::from_slice(spec.as_encoded_bytes()).context("not called by the referee")?;
    confine::close_files()?;
    // The referee waits for signals in a thread of its own, and keeps them from all others; agents may have them.
    SigSet::empty().thread_set_mask()?;
    spec.groups.iter().try_for_each(join)?;
    // To look at the clock brings the accounts up to date: what was used until now is not in that of
    // the group that is joined.
    let before = spec.account.as_ref().map_or(Duration::ZERO, |_| Clock::Process.now());
    spec.account.iter().try_for_each(join)?;
    confine::confine(&spec)?;
    if spec.task == Task::Agent {
        wait()?;
    }
    let started = format!("started {}\n", (Clock::Process.now() - before).as_nanos());
    // Nobody to tell: the referee is gone, and the signal of its death may have come too early.
    io::stderr().write_all(started.as_bytes())?;
    match spec.task {
        Task::Agent => {
            let [program, arguments @ ..] = command else { return Ok(()) };
            let error = Command::new(program).args(arguments).exec();
            tell(&format!("{}{error}", spec.secret));
            Ok(())
        }
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
