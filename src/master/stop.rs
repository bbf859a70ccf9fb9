//! The wish that all ends now, and the signals that bring it.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use nix::sys::signal::{SigSet, Signal};

/// The wish that games end now, shared between whoever has it and whoever can grant it: no more games begin, and
/// those in flight are given up.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

/// As shells tell of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

impl StopFlag {
    /// Asked for by Ctrl-C, by `kill`, or when the terminal goes away; asked for twice, the program ends at once. To be
    /// called before there is a second thread, since each has its own say in what becomes of signals.
    ///
    /// # Errors
    /// The system refuses.
    pub fn on_signals() -> io::Result<StopFlag> {
        let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
        signals.thread_block()?;
        let stop = StopFlag::default();
        let asked = stop.clone();
        thread::Builder::new().name("signals".into()).spawn(move || {
            while signals.wait().is_ok() {
                if asked.is_requested() {
                    process::exit(INTERRUPTED);
                }
                asked.request();
            }
        })?;
        Ok(stop)
    }

    /// Asks all to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
