//! Process groups: each program has its own group, so that everything it started can be killed when its test ends.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::terminal::signals::{end_on, unblocked};

/// Groups that have not been killed yet.
static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Process group that is killed when dropped. Until then its first process must not be reaped, or its pid could be
/// reused.
#[derive(Debug)]
pub(super) struct ProcessGroup(Pid);

/// Starts a program in its own group.
///
/// # Errors
/// The system cannot start the program.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
    let mut live = live();
    let child = unblocked(|| command.process_group(0).spawn())??;
    let group = ProcessGroup(Pid::from_raw(child.id().cast_signed()));
    live.push(group.0);
    drop(live);
    Ok((child, group))
}

/// Makes SIGINT, SIGTERM and SIGHUP kill all programs started here, and then end this one with the exit code that
/// shells use. Must be called before any thread is started, because signal masks are per thread.
///
/// # Errors
/// The system cannot wait for signals.
pub fn end_programs_on_signals() -> io::Result<()> {
    end_on([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP], |signal| {
        // The lock is held to the end, so that no more programs start.
        let live = live();
        live.iter().for_each(|&group| kill(group));
        std::process::exit(128 + signal as i32);
    })
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let mut live = live();
        kill(self.0);
        live.retain(|&group| group != self.0);
    }
}

/// Kills a group. An empty group is not an error.
fn kill(group: Pid) {
    let _ = killpg(group, Signal::SIGKILL);
}

fn live() -> MutexGuard<'static, Vec<Pid>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
