//! A stop flag that ends everything early, set by SIGINT, SIGTERM and SIGHUP.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::signal::{SigSet, Signal};

/// A stop flag shared by threads. Once it is set, no new games begin, and games in progress are abandoned.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

/// Exit code that shells report for a program interrupted by Ctrl-C.
const INTERRUPTED: i32 = 130;

impl StopFlag {
    /// Creates a flag that SIGINT, SIGTERM and SIGHUP set; a second signal ends the program at once. Must be called
    /// before the program starts a second thread, since each thread has its own signal mask.
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

    /// Returns true if the flag is set.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
