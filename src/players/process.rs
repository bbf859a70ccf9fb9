//! Child processes, and signals that end a program in good order.

use std::io;
use std::process::Child;

#[cfg(unix)]
use nix::sys::signal::{SigSet, SigmaskHow, Signal};

/// Returns true if a process has ended. It is not reaped, so that its pid stays its own and its CPU clock can be read.
///
/// # Errors
/// The system does not tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;

    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    Ok(waitid(Id::Pid(Pid::from_raw(child.id().cast_signed())), flags)? != WaitStatus::StillAlive)
}

/// Returns true if a process has ended. nix has `waitid` only on Linux, so the process is reaped here; pids are not reused
/// soon.
///
/// # Errors
/// The system does not tell.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Calls `end` with the first of these signals, in its own thread. A second one has its usual effect, in case `end` does
/// not end the program. Must be called before any thread is started, because signal masks are per thread.
///
/// # Errors
/// The system cannot wait for signals.
#[cfg(unix)]
pub fn end_on(signals: impl IntoIterator<Item = Signal>, end: impl FnOnce(Signal) + Send + 'static) -> io::Result<()> {
    let signals: SigSet = signals.into_iter().collect();
    signals.thread_block()?;
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            end(signal);
            let _ = signals.thread_unblock();
            loop {
                std::thread::park();
            }
        }
    };
    std::thread::Builder::new().spawn(wait)?;
    Ok(())
}

/// Starts a program with `start`. The program does not inherit the signal mask of [`end_on`].
///
/// # Errors
/// The system cannot change the signal mask.
#[cfg(unix)]
pub fn unblocked<T>(start: impl FnOnce() -> T) -> io::Result<T> {
    let blocked = SigSet::empty().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let started = start();
    blocked.thread_set_mask()?;
    Ok(started)
}
