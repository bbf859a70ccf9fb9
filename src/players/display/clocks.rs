//! The clocks: the time that each side has used in the current game, or has left.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use kingline::game::Color;

/// A clock for each side.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// Number of the game.
    serial: u64,
    used: [Duration; 2],
    /// Time left to sides that have a time for the game, as the referee counts it.
    left: [Option<Duration>; 2],
    /// True if that time goes by while a side thinks; otherwise only its CPU time counts.
    falls: bool,
    running: Option<Running>,
}

/// A running clock.
#[derive(Debug)]
struct Running {
    side: Color,
    since: Instant,
    /// The same in milliseconds since 1970, for pages, which run on the same machine.
    since_1970: u64,
}

/// Clocks as sent to a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Times {
    /// Milliseconds that Black and White have used, without the current turn.
    used: [u64; 2],
    /// Milliseconds left to sides that have a time for the game, at the start of the current turn.
    left: [Option<u64>; 2],
    /// True if that time goes by while a side thinks; otherwise only its CPU time counts.
    falls: bool,
    /// Start of the current turn, in milliseconds since 1970, if it is timed.
    since: Option<u64>,
}

impl Clocks {
    /// Stops and starts the clocks after a change of the game of this number, in which the clock of the side `timed`
    /// runs.
    pub(super) fn update(&mut self, serial: u64, timed: Option<Color>) {
        if self.serial != serial {
            *self = Clocks { serial, ..Clocks::default() };
        }
        if self.running.as_ref().map(|running| running.side) == timed {
            return;
        }
        if let Some(running) = self.running.take() {
            self.used[running.side.index()] += running.since.elapsed();
        }
        self.running = timed.map(|side| Running { side, since: Instant::now(), since_1970: now() });
    }

    /// Sets the time left to Black and White, and whether it goes by while a side thinks.
    pub(super) fn set_left(&mut self, left: [Option<Duration>; 2], falls: bool) {
        (self.left, self.falls) = (left, falls);
    }

    pub(super) fn times(&self) -> Times {
        Times {
            used: self.used.map(milliseconds),
            left: self.left.map(|left| left.map(milliseconds)),
            falls: self.falls,
            since: self.running.as_ref().map(|running| running.since_1970),
        }
    }
}

fn now() -> u64 {
    milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
