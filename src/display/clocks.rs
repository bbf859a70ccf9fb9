//! The clocks: the time that each side has used in the current game.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::game::{Color, Game};
use crate::play::GameState;
use crate::protocol::commands::{Control, Phase};

/// A clock for each side. A person's first move of a game is not timed, since a board may wait for its player.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// [`GameState::serial`] of the game.
    serial: u64,
    used: [Duration; 2],
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
    /// Start of the current turn, in milliseconds since 1970, if it is timed.
    since: Option<u64>,
}

impl Clocks {
    /// Stops and starts the clocks after a change of the game.
    pub(super) fn update(&mut self, state: &GameState) {
        if self.serial != state.serial() {
            *self = Clocks { serial: state.serial(), ..Clocks::default() };
        }
        let side = timed(state);
        if self.running.as_ref().map(|running| running.side) == side {
            return;
        }
        if let Some(running) = self.running.take() {
            self.used[running.side.index()] += running.since.elapsed();
        }
        self.running = side.map(|side| Running { side, since: Instant::now(), since_1970: now() });
    }

    pub(super) fn times(&self) -> Times {
        Times {
            used: self.used.map(|used| u64::try_from(used.as_millis()).unwrap_or(u64::MAX)),
            since: self.running.as_ref().map(|running| running.since_1970),
        }
    }
}

/// Side whose clock runs.
fn timed(state: &GameState) -> Option<Color> {
    let turn = state.position().turn();
    let is_timed = !state.record().moves().is_empty() || state.control(turn) == Control::Automatic;
    (state.phase() == Phase::Playing && is_timed).then_some(turn)
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
