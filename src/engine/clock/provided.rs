//! The clock that a program provides in a web page, where the standard library has none: reading its `Instant` panics.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use super::Clock;

static PROVIDED: OnceLock<fn() -> Duration> = OnceLock::new();

/// Provides the clock of this program: a function that returns the time since some earlier time. Only the first call
/// counts.
pub fn provide(now: fn() -> Duration) {
    PROVIDED.get_or_init(|| now);
}

/// There is none.
pub(super) fn process_time() -> io::Result<Duration> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is none.
pub(super) fn thread_time() -> io::Result<Duration> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The provided time. Without a clock it is the end of time, so that no search waits for it.
pub(super) fn wall_time() -> Duration {
    PROVIDED.get().map_or(Duration::MAX, |now| now())
}

/// The provided clock, which replaces every other.
pub(super) fn wall() -> Clock {
    Clock::Process
}

/// The provided clock: a page does not tell when it began.
pub(super) fn wall_of_process() -> Clock {
    wall()
}
