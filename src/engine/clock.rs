//! Clocks: the CPU time that the contract counts, and wall time.
//!
//! In a web page (`wasm32-unknown-unknown`) there is no clock. A program there gives the library one with
//! `clock::provide(now: fn() -> Duration)`. Without it, every time limit is over at once; limits of nodes and depth need
//! no clock.

#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), path = "clock/provided.rs")]
mod system;

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
