//! How is a program killed with all that it started? Each has a process group of its own, so that none outlives its
//! test.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use nix::sys::signal::{SigSet, SigmaskHow, Signal, killpg};
use nix::unistd::Pid;

/// All groups that have not been killed.
static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A process group; it is killed when dropped. Until then its first process must not be reaped, so that
/// its pid is not reused.
#[derive(Debug)]
pub(super) struct ProcessGroup(Pid);

/// Starts a program in a group of its own.
///
/// # Errors
/// The system's, where it cannot be started.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, ProcessGroup)> {
    let mut live = live();
    // Programs must not inherit the signal mask of `end_programs_on_signals`.
    let waiting = SigSet::empty().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let spawned = command.process_group(0).spawn();
    let restored = waiting.thread_set_mask();
    let child = spawned?;
    let group = ProcessGroup(Pid::from_raw(child.id().cast_signed()));
    live.push(group.0);
    drop(live);
    restored?;
    Ok((child, group))
}

/// From now on SIGINT, SIGTERM and SIGHUP kill all programs that were started here, and then end this one
/// with the exit code that shells give it. To be called before any thread is started, since signal masks are per
/// thread.
///
/// # Errors
/// The system's, where signals cannot be waited for.
pub fn end_programs_on_signals() -> io::Result<()> {
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    signals.thread_block()?;
    let guard = move || {
        if let Ok(signal) = signals.wait() {
            // Held to the end: no more are started.
            let live = live();
            live.iter().for_each(|&group| kill(group));
            std::process::exit(128 + signal as i32);
        }
    };
    thread::Builder::new().spawn(guard)?;
    Ok(())
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let mut live = live();
        kill(self.0);
        live.retain(|&group| group != self.0);
    }
}

/// An empty group is no error.
fn kill(group: Pid) {
    let _ = killpg(group, Signal::SIGKILL);
}

fn live() -> MutexGuard<'static, Vec<Pid>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
