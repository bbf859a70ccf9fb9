use std::time::Duration;

use super::params::{
    BASE_TIME, EMERGENCY_DEPTH, EMERGENCY_PART, LARGEST_MARGIN, LARGEST_PART, LARGEST_TABLE, LONG_GAME, MARGIN,
    MARGIN_PART, MIB, MICROSECONDS_PER_PROBE, MIN_DEPTH, PROBES_PART, SMALLEST_TABLE, TABLE_BYTES_PER_NODE, TINY_CLOCK,
    TINY_TABLE, TURNS_TO_GO,
};
use crate::protocol::turn_files::{Calibration, Mode, Playdata, TurnRequest};
use kingline::checkers::Position;
use kingline::score::{Depth, Score};

/// Time that a turn may take, counted from its start.
///
/// In a game, unused time counts (§4): a drawn game goes to the side with more time left. A level and stable position
/// therefore gets 20 ms divided by the frugality, and only an unstable or critical one gets more. With frugality 0, or
/// with little time left, it gets a fair share of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeBudget {
    /// Time for a stable position.
    pub(super) base: Duration,
    /// Hard limit, however unstable the position is. It leaves enough time for the work after the search.
    pub(super) most: Duration,
    /// Minimum depth before an early stop.
    pub(super) min_depth: Depth,
    /// Hard limit for a turn chosen by the endgame tables, which ends the game sooner and needs no equal share.
    tabled: Duration,
    pub(super) mode: Mode,
    pub(super) position: Position,
    /// Score of the agent's last turn, from the agent's view.
    pub(super) last_score: Option<Score>,
    table_bytes: usize,
}

impl TimeBudget {
    /// Budget for a request, on this machine, in this game.
    pub fn new(request: &TurnRequest, calibration: &Calibration, playdata: &Playdata) -> TimeBudget {
        let left = request.left;
        let share = Share::of_game(left, calibration, playdata);
        let longest = match request.mode {
            Mode::Single => left,
            Mode::Game => share.part(LARGEST_PART),
        };
        let table_bytes =
            (longest.as_secs_f64() * calibration.nodes_per_second.checkers * TABLE_BYTES_PER_NODE) as usize;
        let in_emergency = request.mode == Mode::Game && share.spare.is_zero();
        let table_bytes = if in_emergency && left <= TINY_CLOCK {
            TINY_TABLE
        } else {
            table_bytes.clamp(SMALLEST_TABLE, LARGEST_TABLE)
        };
        let mib = table_bytes as f64 / MIB as f64;
        // Process exit, and a safety margin.
        let margin = (left / MARGIN_PART + MARGIN).min(LARGEST_MARGIN);
        let seen = calibration.costs.files() + playdata.charges.unread();
        let deadline = left.saturating_sub(calibration.costs.after_search(mib).max(seen)).saturating_sub(margin);
        let most = longest.min(deadline);
        let tabled = match request.mode {
            Mode::Single => deadline,
            Mode::Game => deadline / PROBES_PART,
        };
        let base = match request.mode {
            Mode::Single => most,
            Mode::Game => share.base(calibration.frugality),
        };
        TimeBudget {
            base: base.min(most),
            most,
            min_depth: if in_emergency { EMERGENCY_DEPTH } else { MIN_DEPTH },
            tabled,
            mode: request.mode,
            position: request.position,
            last_score: playdata.score,
            table_bytes,
        }
    }

    /// Number of endgame-table probes that fit into the time, `elapsed` after the start of the turn.
    pub fn probes(&self, elapsed: Duration) -> u64 {
        let left = self.tabled.saturating_sub(elapsed);
        u64::try_from(left.as_micros() / MICROSECONDS_PER_PROBE).unwrap_or(u64::MAX)
    }

    /// Size limit of the transposition table in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table_bytes
    }
}

/// Shares of a game's clock.
struct Share {
    /// Rest of the clock, or of the time that calibration.txt allows for a game.
    left: Duration,
    /// The rest after the fixed costs of all turns that may still come.
    spare: Duration,
}

impl Share {
    fn of_game(left: Duration, calibration: &Calibration, playdata: &Playdata) -> Share {
        let allowed = calibration.game_seconds.map(|game| game.saturating_sub(playdata.spent));
        let left = allowed.map_or(left, |allowed| allowed.min(left));
        let costs = &calibration.costs;
        let start_up = Duration::from_secs_f64(costs.start_up_ms / 1000.0);
        let expected = start_up + costs.after_search(SMALLEST_TABLE as f64 / MIB as f64);
        Share { left, spare: left.saturating_sub(playdata.charges.overhead(expected) * LONG_GAME) }
    }

    /// Part of the spare time, or a tiny part of the clock if there is no spare time.
    fn part(&self, parts: u32) -> Duration {
        (self.spare / parts).max(self.left / (parts * EMERGENCY_PART))
    }

    fn base(&self, frugality: f64) -> Duration {
        let fair = self.part(TURNS_TO_GO);
        if frugality * fair.as_secs_f64() <= BASE_TIME.as_secs_f64() { fair } else { BASE_TIME.div_f64(frugality) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    fn budget(mode: Mode, seconds: f64, frugality: f64) -> TimeBudget {
        let position = Position::start();
        let request = TurnRequest { mode, left: Duration::from_secs_f64(seconds), position, warnings: Vec::new() };
        let calibration = Calibration { frugality, ..Calibration::default() };
        TimeBudget::new(&request, &calibration, &Playdata::fresh(position))
    }

    #[test]
    fn every_budget_keeps_a_margin() {
        for mode in [Mode::Single, Mode::Game] {
            for seconds in [1e-9, 1e-5, 0.001, 0.01, 0.1, 1.0, 30.0, 300.0, 3.2e9] {
                let budget = budget(mode, seconds, 1.0);
                assert!(budget.base <= budget.most && budget.most.as_secs_f64() < seconds, "{seconds}");
                let part = if mode == Mode::Single { 2.0 } else { 100.0 };
                assert!(seconds < 0.01 || budget.most.as_secs_f64() > seconds / part, "{seconds}");
            }
        }
    }

    #[test]
    fn frugality_divides_the_base_time() {
        let base = |seconds, frugality| budget(Mode::Game, seconds, frugality).base;
        assert_eq!(base(300.0, 1.0), BASE_TIME);
        assert_eq!(base(300.0, 2.0), BASE_TIME / 2);
        assert!((9.9..10.0).contains(&base(240.0, 0.0).as_secs_f64()));
        assert!(base(0.05, 1.0) < BASE_TIME, "a short clock is shared out first");
    }

    #[test]
    fn only_a_tiny_clock_has_a_tiny_table() {
        for (mode, seconds, is_tiny) in [(Mode::Game, 0.1, true), (Mode::Game, 0.11, false), (Mode::Single, 0.1, false)]
        {
            let table_bytes = budget(mode, seconds, 1.0).table_bytes();
            assert_eq!(table_bytes < SMALLEST_TABLE, is_tiny, "{mode:?} {seconds}: {table_bytes}");
        }
    }

    #[test]
    fn a_long_game_does_not_run_out_of_time() {
        for frugality in [0.0, 1.0] {
            let mut left = 1.0;
            for _ in 0..LONG_GAME {
                // The turn takes all its time, plus the default costs of start-up and exit.
                left -= 0.0035 + budget(Mode::Game, left, frugality).base.as_secs_f64() * 2.0;
                assert!(left > 0.0);
            }
        }
    }
}
