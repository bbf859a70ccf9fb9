//! Threads that compete with each other for the cores, and sleep most of the time.

use std::thread;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Number of threads: less than any limit on them.
const THREADS: usize = 120;
/// The behavior ends after this time, much more than any wall time limit of a test.
const END: Duration = Duration::from_secs(60);

/// Milliseconds between the times when all threads wake up: the second argument.
fn period() -> Duration {
    let given = std::env::args().nth(2).and_then(|number| number.parse().ok());
    Duration::from_millis(given.unwrap_or(30))
}

/// Sleeps until all threads wake up, which is at multiples of the period since boot.
fn sleep_together() {
    let period = period();
    let now = Duration::from(clock_gettime(ClockId::CLOCK_MONOTONIC).expect("a clock"));
    let since = now.as_nanos() % period.as_nanos();
    thread::sleep(period - Duration::from_nanos(since as u64));
}

/// Threads that wake up together again and again.
pub(crate) fn stampede() {
    for _ in 0..THREADS {
        small_thread(|| {
            loop {
                sleep_together();
            }
        });
    }
    thread::sleep(END);
}

/// Threads that wake up together, and are replaced by others.
pub(crate) fn relay() {
    for _ in 0..THREADS / 2 {
        small_thread(|| {
            loop {
                let next = thread::Builder::new().stack_size(1 << 16).spawn(sleep_together);
                let _ = next.map(thread::JoinHandle::join);
            }
        });
    }
    thread::sleep(END);
}

fn small_thread(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(1 << 16).spawn(run).expect("a thread");
}
