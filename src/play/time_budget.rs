use std::time::Duration;

use crate::checkers::Position;
use crate::protocol::turn_files::{Calibration, Mode, Playdata, Request};
use crate::score::Score;

/// How long a turn may think, counted from the begin of the turn.
///
/// In a game thought is a trade (§4): a drawn game goes to the side with more time left, so a
/// level and stable position gets 20 ms divided by the frugality, and only what moves gets
/// more; with frugality 0, as with little time left, it is a fair share of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Time for a position where nothing moves.
    pub(super) base: Duration,
    /// No thought takes longer, however much moves; what comes after it fits into the time left.
    pub(super) most: Duration,
    pub(super) mode: Mode,
    pub(super) position: Position,
    /// Score of the agent's last turn.
    pub(super) last_score: Option<Score>,
    table_bytes: usize,
}

/// Time for a level and stable position at frugality 1.
const UNIT: Duration = Duration::from_millis(20);
/// A fair share is this part of the clock: as many turns as a game may still ask for.
const TURNS_TO_GO: u32 = 24;
/// Turns of one side that even a long game does not pass.
const LONG_GAME: u32 = 80;
/// No turn of a game takes more than this part of the clock.
const LARGEST_PART: u32 = 6;

const MIB: usize = 1 << 20;
/// A node fills about as much of the table.
const TABLE_BYTES_PER_NODE: f64 = 13.0;
const SMALLEST_TABLE: usize = 2 * MIB;
const LARGEST_TABLE: usize = 512 * MIB;

impl Plan {
    /// The plan for a request, on this machine, in this game.
    pub fn new(request: &Request, calibration: &Calibration, playdata: &Playdata) -> Plan {
        let left = request.left;
        let longest = match request.mode {
            Mode::Single => left,
            Mode::Game => part(spare(left, calibration), left, LARGEST_PART),
        };
        let table_bytes =
            (longest.as_secs_f64() * calibration.nodes_per_second.checkers * TABLE_BYTES_PER_NODE) as usize;
        let table_bytes = table_bytes.clamp(SMALLEST_TABLE, LARGEST_TABLE);
        let mib = (table_bytes / MIB) as f64;
        // What no calibration knows: a twentieth of the time and 1.5 ms, half a second at most.
        let unknown = (left / 20 + Duration::from_micros(1500)).min(Duration::from_millis(500));
        let deadline = left.saturating_sub(calibration.costs.after_search(mib)).saturating_sub(unknown);
        let most = longest.min(deadline);
        let base = match request.mode {
            Mode::Single => most,
            Mode::Game => share(spare(left, calibration), left, calibration.frugality),
        };
        Plan {
            base: base.min(most),
            most,
            mode: request.mode,
            position: request.position,
            last_score: playdata.score,
            table_bytes,
        }
    }

    /// Probes of the endgame tables that fit into the time: most take half a microsecond, the first into a page of
    /// a mapped file several.
    pub fn probes(&self) -> u64 {
        const MICROSECONDS_A_PROBE: u128 = 8;
        u64::try_from(self.most.as_micros() / MICROSECONDS_A_PROBE).unwrap_or(u64::MAX)
    }

    /// Limit of the transposition table, in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table_bytes
    }
}

/// What is left of a game's clock when all the turns that may still come have had what a turn costs
/// without any thought.
fn spare(left: Duration, calibration: &Calibration) -> Duration {
    let costs = &calibration.costs;
    let turn =
        Duration::from_secs_f64(costs.start_up_ms / 1000.0) + costs.after_search(SMALLEST_TABLE as f64 / MIB as f64);
    left.saturating_sub(turn * LONG_GAME)
}

/// A part of the spare time; of a clock with nothing to spare, next to nothing.
fn part(spare: Duration, left: Duration, parts: u32) -> Duration {
    (spare / parts).max(left / (parts * 16))
}

/// Time of a game's turn where nothing moves.
fn share(spare: Duration, left: Duration, frugality: f64) -> Duration {
    let fair = part(spare, left, TURNS_TO_GO);
    if frugality * fair.as_secs_f64() <= UNIT.as_secs_f64() { fair } else { UNIT.div_f64(frugality) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn plan(mode: Mode, seconds: f64, frugality: f64) -> Plan {
        let position = Position::start();
        let request = Request { mode, left: Duration::from_secs_f64(seconds), position, warnings: Vec::new() };
        let calibration = Calibration { frugality, ..Calibration::default() };
        Plan::new(&request, &calibration, &Playdata::fresh(position))
    }

    #[test]
    fn a_plan_keeps_a_reserve_at_every_budget() {
        for mode in [Mode::Single, Mode::Game] {
            for seconds in [1e-9, 1e-5, 0.001, 0.01, 0.1, 1.0, 30.0, 300.0, 3.2e9] {
                let plan = plan(mode, seconds, 1.0);
                assert!(plan.base <= plan.most && plan.most.as_secs_f64() < seconds, "{seconds}");
                let part = if mode == Mode::Single { 2.0 } else { 100.0 };
                assert!(seconds < 0.01 || plan.most.as_secs_f64() > seconds / part, "{seconds}");
            }
        }
    }

    #[test]
    fn frugality_is_a_price() {
        let base = |seconds, frugality| plan(Mode::Game, seconds, frugality).base;
        assert_eq!(base(300.0, 1.0), UNIT);
        assert_eq!(base(300.0, 2.0), UNIT / 2);
        assert!((9.9..10.0).contains(&base(240.0, 0.0).as_secs_f64()));
        assert!(base(0.05, 1.0) < UNIT, "a short clock is shared out first");
    }

    #[test]
    fn a_long_game_does_not_run_out_of_time() {
        for frugality in [0.0, 1.0] {
            let mut left = 1.0;
            for _ in 0..LONG_GAME {
                // A turn that takes all it may, and start-up and exit as by default.
                left -= 0.0035 + plan(Mode::Game, left, frugality).base.as_secs_f64() * 2.0;
                assert!(left > 0.0);
            }
        }
    }
}
