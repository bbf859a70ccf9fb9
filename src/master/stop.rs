//! A stop flag that ends everything early, set by SIGINT, SIGTERM and SIGHUP.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kingline_players::process::end_on;
use nix::sys::signal::Signal;

/// A stop flag shared by threads. Once it is set, no new games begin, and games in progress are abandoned.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Creates a flag that SIGINT, SIGTERM and SIGHUP set; a second signal ends the program at once. Must be called
    /// before the program starts a second thread, since each thread has its own signal mask.
    ///
    /// # Errors
    /// The signals cannot be blocked.
    pub fn on_signals() -> io::Result<StopFlag> {
        let stop = StopFlag::default();
        let flag = stop.clone();
        end_on([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP], move |_| flag.request())?;
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
