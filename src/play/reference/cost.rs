//! CPU time per turn, chosen so that a game costs the reference agent a given time.

use std::str::FromStr;
use std::time::Duration;

use crate::game::ParseError;

/// CPU time that a game costs the reference agent on average.
///
/// Early turns take an even share, later ones a fixed part of the remaining cost. Games of 25 and 140 turns a side thus
/// cost nearly the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost(Duration);

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

    /// CPU time of a turn in a game that has cost `spent` so far, with `left` on the clock; zero if only the reserve is
    /// left.
    pub fn of_turn(self, spent: Duration, left: Duration) -> Duration {
        let Cost(game) = self;
        let rest = (game + game / EXTRA_PARTS).saturating_sub(spent);
        (game / EVEN_TURNS).min(rest / LAST_PARTS).min(left.saturating_sub(RESERVE) / CLOCK_PARTS)
    }
}

impl FromStr for Cost {
    type Err = ParseError;

    /// Reads seconds.
    fn from_str(text: &str) -> Result<Cost, ParseError> {
        let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= Cost::MOST);
        let wrong = || ParseError::new(text, format!("seconds, a number above 0, at most {}", Cost::MOST));
        seconds.map(|seconds| Cost(Duration::from_secs_f64(seconds))).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: Cost = Cost(Duration::from_secs(6));

    /// Cost of a game with `turns` turns of one side, and the rest of `budget`, in seconds.
    fn game(turns: u32, budget: f64) -> [f64; 2] {
        let (mut spent, mut left) = (Duration::ZERO, Duration::from_secs_f64(budget));
        for _ in 0..turns {
            let turn = SIX.of_turn(spent, left);
            spent += turn;
            left -= turn;
        }
        [spent, left].map(|time| time.as_secs_f64())
    }

    #[test]
    fn games_of_all_lengths_cost_nearly_the_same() {
        for (turns, least, most) in [(20, 5.2, 5.6), (25, 5.5, 6.0), (35, 5.9, 6.2), (63, 6.1, 6.25), (140, 6.2, 6.25)]
        {
            let [spent, _] = game(turns, 300.0);
            assert!(spent >= least && spent <= most, "{turns} turns cost {spent} s");
        }
        assert_eq!(SIX.of_turn(Duration::ZERO, Duration::from_secs(300)), Duration::from_millis(300));
    }

    #[test]
    fn near_the_end_of_the_clock_turns_cost_less_and_then_nothing() {
        for budget in [0.01, 0.5, 1.0, 5.0, 6.0] {
            let [_, left] = game(140, budget);
            assert!(left >= f64::min(budget, 0.5), "{left} of {budget} s left");
        }
        for (left, most) in [(10, 0), (500, 0), (600, 5), (5000, 225), (7000, 300)] {
            let turn = SIX.of_turn(Duration::ZERO, Duration::from_millis(left));
            assert_eq!(turn, Duration::from_millis(most), "with {left} ms left");
        }
        assert_eq!(SIX.of_turn(Duration::from_secs(7), Duration::from_secs(300)), Duration::ZERO);
    }

    #[test]
    fn a_cost_is_seconds_above_zero() {
        assert_eq!("6".parse(), Ok(SIX));
        assert_eq!("0.5".parse(), Ok(Cost(Duration::from_millis(500))));
        for text in ["0", "-1", "nan", "inf", "10001", "1e300", "six", "", "6 s"] {
            let error = text.parse::<Cost>().unwrap_err().to_string();
            assert!(error.ends_with("expected seconds, a number above 0, at most 10000"), "{text}: {error}");
        }
    }
}
