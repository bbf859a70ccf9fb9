//! The clocks of the operating system.

use std::io;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};

use super::Clock;

/// CPU time of the process.
pub(super) fn process_time() -> io::Result<Duration> {
    ProcessTime::try_now().map(|time| time.as_duration())
}

/// CPU time of the thread.
pub(super) fn thread_time() -> io::Result<Duration> {
    ThreadTime::try_now().map(|time| time.as_duration())
}

/// Wall time since the first call.
pub(super) fn wall_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// A wall clock that starts now.
pub(super) fn wall() -> Clock {
    Clock::Wall(Instant::now())
}
