//! Clocks of the process: the CPU time that the contract counts, and the wall.

use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};

/// A clock that only goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// CPU time of the whole process since it began, user and system, over all threads.
    Process,
    /// CPU time of this thread since it began: for several games in one process.
    Thread,
    /// Wall time since this instant.
    Wall(Instant),
}

impl Clock {
    /// What the clock shows. Without a CPU clock the answer is zero; the system calls behind it
    /// do not fail on the systems that the programs run on.
    pub fn now(self) -> Duration {
        match self {
            Clock::Process => ProcessTime::try_now().map_or(Duration::ZERO, |time| time.as_duration()),
            Clock::Thread => ThreadTime::try_now().map_or(Duration::ZERO, |time| time.as_duration()),
            Clock::Wall(start) => start.elapsed(),
        }
    }
}
