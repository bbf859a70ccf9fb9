//! The clocks of the operating system.

use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{fs, io};

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

/// A wall clock that started with this process, as far as the system tells; else one that starts now.
pub(super) fn wall_of_process() -> Clock {
    let now = Instant::now();
    let read = |path| fs::read_to_string(path).ok();
    let age = read("/proc/self/stat").zip(read("/proc/uptime")).and_then(|(stat, uptime)| age(&stat, &uptime));
    Clock::Wall(age.and_then(|age| now.checked_sub(age)).unwrap_or(now))
}

/// Clock ticks per second in `/proc`, on every architecture of Linux that Rust supports.
const TICKS: f64 = 100.0;
/// Longest age of a process that is believed: an older one has waited, and a container may show the uptime of another
/// system.
const LONGEST_AGE: Duration = Duration::from_secs(3);

/// Age of a process within 0.01 s, from the texts of `/proc/PID/stat` and `/proc/uptime` (proc(5)).
fn age(stat: &str, uptime: &str) -> Option<Duration> {
    // The second field, the name in parentheses, may contain anything. The start is the 22nd.
    let (_, from_third) = stat.rsplit_once(')')?;
    let start: f64 = from_third.split_whitespace().nth(19)?.parse().ok()?;
    let now: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64(now - start / TICKS).ok().filter(|&age| age <= LONGEST_AGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_is_the_uptime_less_the_start() {
        let stat = "7 (a) (b c) S 1 1 1 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 1 0 12345 2707456 200";
        assert_eq!(age(stat, "123.95 200.00\n"), Some(Duration::from_millis(500)));
        for (stat, uptime) in [(stat, "123.44 1"), (stat, "999.00 1"), (stat, ""), ("7 (a) S 1", "5 5"), ("", "5 5")] {
            assert_eq!(age(stat, uptime), None, "{stat:?} {uptime:?}");
        }
    }

    #[test]
    fn the_clock_of_the_process_is_ahead_of_one_that_starts_now() {
        assert!(wall_of_process().now() >= wall().now());
    }
}
