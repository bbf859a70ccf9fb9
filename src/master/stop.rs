//! How does everything end early? By a stop flag, set by SIGINT, SIGTERM and SIGHUP.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::signal::{SigSet, Signal};

/// A stop flag, shared by threads: once it is set no more games begin, and those in flight are given up.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

/// The exit code that shells give a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

impl StopFlag {
    /// A flag that is set by SIGINT, SIGTERM or SIGHUP; the second signal ends the program at once. To be called before
    /// there is a second thread: signal masks are per thread.
    ///
    /// # Errors
    /// The signals cannot be blocked.
    pub fn on_signals() -> io::Result<StopFlag> {
        let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
        signals.thread_block()?;
        let stop = StopFlag::default();
        let flag = stop.clone();
        thread::Builder::new().name("signals".into()).spawn(move || {
            while signals.wait().is_ok() {
                if flag.is_requested() {
                    process::exit(INTERRUPTED);
                }
                flag.request();
            }
        })?;
        Ok(stop)
    }

    /// Sets the flag.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
