//! CPU time per turn, chosen so that a game costs the reference agent a given time.

use std::str::FromStr;
use std::time::Duration;

use kingline::game::ParseError;

/// CPU time that a game costs the reference agent on average.
///
/// Early turns take an even share, later ones a fixed part of the remaining cost. Games of 25 and 140 turns a side thus
/// cost nearly the same. If the referee's clock counts whole steps of each turn (§3), turns take whole steps, so that
/// the cost is what the referee counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    game: Duration,
    /// Step of the referee's clock; zero if it counts all of a turn.
    step: Duration,
}

/// Number of turns that would use up the cost in even shares.
const EVEN_TURNS: u32 = 20;
/// A turn takes at most 1/8 of the remaining cost.
const LAST_PARTS: u32 = 8;
/// A long game costs 1/25 more than the average game, because short games cost less.
const EXTRA_PARTS: u32 = 25;
/// A turn takes at most 1/20 of the clock, less the reserve.
const CLOCK_PARTS: u32 = 20;
/// Reserve on the clock for turns that only start, choose and answer: up to 140 of them, 1 to 3 ms each.
const RESERVE: Duration = Duration::from_millis(500);

impl Cost {
    /// Largest accepted cost in seconds, many times the budget of any game.
    const MOST: f64 = 10_000.0;

    /// The same cost on a clock that counts in such steps.
    #[must_use]
    pub(crate) fn in_steps(self, step: Duration) -> Cost {
        Cost { step, ..self }
    }

    /// CPU time of a turn in a game that has cost `spent` so far, with `left` on the clock; zero if only the reserve is
    /// left. `chance`, at least 0 and below 1, decides whether a part of a step is rounded up.
    pub fn of_turn(self, spent: Duration, left: Duration, chance: f64) -> Duration {
        let Cost { game, step } = self;
        let rest = (game + game / EXTRA_PARTS).saturating_sub(spent);
        let share = (game / EVEN_TURNS).min(rest / LAST_PARTS).min(left.saturating_sub(RESERVE) / CLOCK_PARTS);
        if step.is_zero() {
            return share;
        }
        let steps = share.as_secs_f64() / step.as_secs_f64() + chance;
        step * steps as u32
    }

    /// The part of a turn's CPU time that the referee's clock counts.
    pub fn counted(self, turn: Duration) -> Duration {
        match self.step.as_nanos() {
            0 => turn,
            step => Duration::from_nanos((turn.as_nanos() - turn.as_nanos() % step) as u64),
        }
    }
}

impl FromStr for Cost {
    type Err = ParseError;

    /// Reads seconds.
    fn from_str(text: &str) -> Result<Cost, ParseError> {
        let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= Cost::MOST);
        let wrong = || ParseError::new(text, format!("seconds, a number above 0, at most {}", Cost::MOST));
        let cost = |seconds| Cost { game: Duration::from_secs_f64(seconds), step: Duration::ZERO };
        seconds.map(cost).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    const SIX: Cost = Cost { game: Duration::from_secs(6), step: Duration::ZERO };
    const STEP: Duration = Duration::from_millis(10);

    /// What the clock counts of a game with `turns` turns of one side, and the rest of `budget`, in seconds.
    fn game(cost: Cost, turns: u32, budget: f64) -> [f64; 2] {
        let mut rng = StdRng::seed_from_u64(turns.into());
        let (mut spent, mut left) = (Duration::ZERO, Duration::from_secs_f64(budget));
        for _ in 0..turns {
            let turn = cost.of_turn(spent, left, rng.random());
            spent += cost.counted(turn);
            left = left.saturating_sub(cost.counted(turn));
        }
        [spent, left].map(|time| time.as_secs_f64())
    }

    #[test]
    fn games_of_all_lengths_cost_nearly_the_same() {
        for (turns, least, most) in [(20, 5.2, 5.6), (25, 5.5, 6.0), (35, 5.9, 6.2), (63, 6.1, 6.25), (140, 6.2, 6.25)]
        {
            let [spent, _] = game(SIX, turns, 300.0);
            assert!(spent >= least && spent <= most, "{turns} turns cost {spent} s");
        }
        assert_eq!(SIX.of_turn(Duration::ZERO, Duration::from_secs(300), 0.5), Duration::from_millis(300));
    }

    #[test]
    fn the_cost_is_what_a_clock_counts_in_steps() {
        for game_ms in [100, 250, 500, 1500, 6500] {
            let cost = Cost { game: Duration::from_millis(game_ms), step: STEP };
            let games = [30, 35, 40, 45, 50, 60, 70, 80].map(|turns| game(cost, turns, 300.0)[0]);
            let average = games.iter().sum::<f64>() / games.len() as f64 * 1000.0 / game_ms as f64;
            assert!((0.9..1.1).contains(&average), "{game_ms} ms: {average} of it, {games:?}");
        }
        // Without steps, half of it would be lost.
        assert_eq!(SIX.in_steps(STEP).counted(Duration::from_micros(29_999)), Duration::from_millis(20));
        assert_eq!(SIX.counted(Duration::from_micros(29_999)), Duration::from_micros(29_999));
    }

    #[test]
    fn near_the_end_of_the_clock_turns_cost_less_and_then_nothing() {
        for budget in [0.01, 0.5, 1.0, 5.0, 6.0] {
            let [_, left] = game(SIX, 140, budget);
            assert!(left >= f64::min(budget, 0.5), "{left} of {budget} s left");
        }
        for (left, most) in [(10, 0), (500, 0), (600, 5), (5000, 225), (7000, 300)] {
            let turn = SIX.of_turn(Duration::ZERO, Duration::from_millis(left), 0.5);
            assert_eq!(turn, Duration::from_millis(most), "with {left} ms left");
        }
        assert_eq!(SIX.of_turn(Duration::from_secs(7), Duration::from_secs(300), 0.5), Duration::ZERO);
    }

    #[test]
    fn a_cost_is_seconds_above_zero() {
        assert_eq!("6".parse(), Ok(SIX));
        assert_eq!("0.5".parse(), Ok(Cost { game: Duration::from_millis(500), step: Duration::ZERO }));
        for text in ["0", "-1", "nan", "inf", "10001", "1e300", "six", "", "6 s"] {
            let error = text.parse::<Cost>().unwrap_err().to_string();
            assert!(error.ends_with("expected seconds, a number above 0, at most 10000"), "{text}: {error}");
        }
    }
}
