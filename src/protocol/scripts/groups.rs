//! Programs with all that they start: each has a process group of its own, so that none outlives its test.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use nix::sys::signal::{SigSet, SigmaskHow, Signal, killpg};
use nix::unistd::Pid;

/// All groups that have not been ended.
static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A process group; it is killed when dropped. Until then its first process must not be waited for, so
/// that no other process can have got its number.
#[derive(Debug)]
pub(super) struct Group(Pid);

/// Starts a program in a group of its own.
///
/// # Errors
/// The system's, where it cannot be started.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Group)> {
    let mut live = live();
    // Programs are not to inherit that some signals wait here: see `end_programs_on_signals`.
    let waiting = SigSet::empty().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let spawned = command.process_group(0).spawn();
    let restored = waiting.thread_set_mask();
    let child = spawned?;
    let group = Group(Pid::from_raw(child.id().cast_signed()));
    live.push(group.0);
    drop(live);
    restored?;
    Ok((child, group))
}

/// From now on SIGINT, SIGTERM and SIGHUP end all programs that were started here, and then this one
/// with the exit code that shells give it. To be called before there are other threads.
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

impl Drop for Group {
    fn drop(&mut self) {
        let mut live = live();
        kill(self.0);
        live.retain(|&group| group != self.0);
    }
}

/// That there is nothing left to kill is no error.
fn kill(group: Pid) {
    let _ = killpg(group, Signal::SIGKILL);
}

fn live() -> MutexGuard<'static, Vec<Pid>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}
