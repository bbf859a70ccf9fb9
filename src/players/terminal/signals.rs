//! Signals that end a program in good order, and programs started meanwhile.

use std::io;
use std::thread;

use nix::sys::signal::{SigSet, SigmaskHow, Signal};

/// Calls `end` with the first of these signals, in its own thread. A second one has its usual effect, in case `end` does
/// not end the program. Must be called before any thread is started, because signal masks are per thread.
///
/// # Errors
/// The system cannot wait for signals.
pub fn end_on(signals: impl IntoIterator<Item = Signal>, end: impl FnOnce(Signal) + Send + 'static) -> io::Result<()> {
    let signals: SigSet = signals.into_iter().collect();
    signals.thread_block()?;
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            end(signal);
            let _ = signals.thread_unblock();
            loop {
                thread::park();
            }
        }
    };
    thread::Builder::new().spawn(wait)?;
    Ok(())
}

/// Starts a program with `start`. The program does not inherit the signal mask of [`end_on`].
///
/// # Errors
/// The system cannot change the signal mask.
pub fn unblocked<T>(start: impl FnOnce() -> T) -> io::Result<T> {
    let blocked = SigSet::empty().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let started = start();
    blocked.thread_set_mask()?;
    Ok(started)
}
