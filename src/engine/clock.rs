//! Clocks: the CPU time that the contract counts, and wall time.
//!
//! In a web page (`wasm32-unknown-unknown`) there is no clock. A program there gives the library one with
//! `clock::provide(now: fn() -> Duration)`. Without it, every time limit is over at once; limits of nodes and depth need
//! no clock.

use std::io;
use std::time::{Duration, Instant};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use system::provide;

/// A monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of the whole process since its start, user and system, over all threads.
    Process,
    /// CPU time of this thread since its start, for several games in one process.
    Thread,
    /// Wall time since this instant.
    Wall(Instant),
}

impl Clock {
    /// Returns the CPU clock of this process. On a system without one, returns a wall clock that starts now, and a
    /// warning.
    pub fn of_process() -> (Clock, Option<&'static str>) {
        Clock::cpu_or_wall(system::process_time().is_ok())
    }

    fn cpu_or_wall(has_cpu_clock: bool) -> (Clock, Option<&'static str>) {
        if has_cpu_clock {
            return (Clock::Process, None);
        }
        let warning = "this system has no CPU clock for processes; wall time is used instead";
        (Clock::wall(), Some(warning))
    }

    /// Returns a clock of wall time. It starts now, or at an earlier time if the program provides the clock.
    pub fn wall() -> Clock {
        system::wall()
    }

    /// Returns a clock of wall time that started with this process, within 0.01 s. It starts now if the system does not
    /// tell (only Linux does), or if the process is older than 3 s.
    pub fn wall_of_process() -> Clock {
        system::wall_of_process()
    }

    /// Reads the clock. Without a CPU clock it reads wall time, since a clock that stands still would never end a
    /// search.
    pub fn now(self) -> Duration {
        match self {
            Clock::Process => or_wall(system::process_time()),
            Clock::Thread => or_wall(system::thread_time()),
            Clock::Wall(start) => start.elapsed(),
        }
    }
}

/// Returns the CPU time or, if it is unavailable, the wall time since the first call without it.
fn or_wall(cpu: io::Result<Duration>) -> Duration {
    cpu.unwrap_or_else(|_| system::wall_time())
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};
    use std::{fs, io};

    use cpu_time::{ProcessTime, ThreadTime};

    use super::Clock;

    pub(super) fn process_time() -> io::Result<Duration> {
        ProcessTime::try_now().map(|time| time.as_duration())
    }

    pub(super) fn thread_time() -> io::Result<Duration> {
        ThreadTime::try_now().map(|time| time.as_duration())
    }

    /// Wall time since the first call.
    pub(super) fn wall_time() -> Duration {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }

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
            for (stat, uptime) in
                [(stat, "123.44 1"), (stat, "999.00 1"), (stat, ""), ("7 (a) S 1", "5 5"), ("", "5 5")]
            {
                assert_eq!(age(stat, uptime), None, "{stat:?} {uptime:?}");
            }
        }

        #[test]
        fn the_clock_of_the_process_is_ahead_of_one_that_starts_now() {
            assert!(wall_of_process().now() >= wall().now());
        }
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
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

    pub(super) fn process_time() -> io::Result<Duration> {
        Err(io::ErrorKind::Unsupported.into())
    }

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_cpu_clock_wall_time_counts_with_a_warning() {
        let (clock, warning) = Clock::cpu_or_wall(false);
        assert!(matches!(clock, Clock::Wall(_)) && warning.is_some_and(|text| text.contains("wall time")));
        assert!(matches!(Clock::cpu_or_wall(true), (Clock::Process, None)));
    }

    #[test]
    fn wall_time_replaces_a_missing_clock() {
        let missing = || or_wall(Err(io::ErrorKind::Unsupported.into()));
        let first = missing();
        std::thread::sleep(Duration::from_millis(2));
        assert!(missing() >= first + Duration::from_millis(2));
        assert_eq!(or_wall(Ok(Duration::from_secs(7))), Duration::from_secs(7));
    }
}
