//! Cost of the agent's turns beyond its thought, learned from the time that successive requests show.
//!
//! A process cannot read what its exit costs, or what its launch costs outside it. The next request shows both: the time
//! left has fallen by the whole cost of the turn.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Number of turns that the expected overhead counts for, beside the turns seen.
const EXPECTED_TURNS: f64 = 3.0;
/// A fall of the clock by this much more than the agent has read comes from another clock, or from its owner.
const LARGEST_OVERHEAD: Duration = Duration::from_secs(1);
/// Part of the largest unread cost that is forgotten in a turn.
const FORGOTTEN_PART: u32 = 8;

/// A turn of the agent, by its own clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedTurn {
    /// Time left that the request showed.
    pub left: Duration,
    /// Time for choosing the move.
    pub thought: Duration,
    /// Time of the whole turn, as last read.
    pub read: Duration,
}

/// Charges for the agent's turns of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Charges {
    /// The last turn, whose charge the next request shows.
    last: Option<TimedTurn>,
    /// Number of turns whose charge was shown.
    turns: u32,
    /// Sum of what these turns cost beyond the thought, in seconds. Below zero if the clock is coarse: it may charge
    /// nothing for a turn.
    overhead: f64,
    /// Largest recent cost that the agent did not read.
    unread: Duration,
}

/// Times charged for turns, in seconds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Charges"))]
#[serde(deny_unknown_fields)]
pub(super) struct ChargesText {
    /// Time left that the last request showed; null before the first turn.
    left: Option<f64>,
    /// Time for choosing the move.
    thought: f64,
    /// Time of the whole turn, as last read.
    read: f64,
    /// Turns whose charge was shown.
    turns: u32,
    /// Sum of what these turns cost beyond the thought.
    overhead: f64,
    /// Largest recent cost that the agent did not read.
    unread: f64,
}

impl Charges {
    /// Learns from the time that is left now. Returns the cost of the last turn that the agent did not read.
    pub fn learn(&mut self, left: Duration) -> Duration {
        let Some(last) = self.last.take() else { return Duration::ZERO };
        let Some(charged) = last.left.checked_sub(left) else { return Duration::ZERO };
        let unread = charged.saturating_sub(last.read);
        if unread > LARGEST_OVERHEAD {
            return Duration::ZERO;
        }
        self.turns = self.turns.saturating_add(1);
        self.overhead += charged.as_secs_f64() - last.thought.as_secs_f64();
        self.unread = (self.unread - self.unread / FORGOTTEN_PART).max(unread);
        unread
    }

    /// Adds the agent's turn.
    #[must_use]
    pub fn after(self, turn: TimedTurn) -> Charges {
        Charges { last: Some(turn), ..self }
    }

    /// Mean cost of a turn beyond the thought. `expected` counts for a few turns.
    pub fn overhead(&self, expected: Duration) -> Duration {
        let sum = self.overhead + expected.as_secs_f64() * EXPECTED_TURNS;
        Duration::try_from_secs_f64(sum / (f64::from(self.turns) + EXPECTED_TURNS)).unwrap_or(Duration::ZERO)
    }

    /// Largest recent cost of a turn that the agent did not read: of its last file, its exit, and its launch.
    pub fn unread(&self) -> Duration {
        self.unread
    }

    pub(super) fn to_text(self) -> ChargesText {
        let seconds = |time: fn(TimedTurn) -> Duration| self.last.map(|turn| time(turn).as_secs_f64());
        ChargesText {
            left: seconds(|turn| turn.left),
            thought: seconds(|turn| turn.thought).unwrap_or_default(),
            read: seconds(|turn| turn.read).unwrap_or_default(),
            turns: self.turns,
            overhead: self.overhead,
            unread: self.unread.as_secs_f64(),
        }
    }

    /// Reads stored charges; `None` if a time is impossible.
    pub(super) fn from_text(text: ChargesText) -> Option<Charges> {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
        let last = match text.left {
            Some(left) => Some(TimedTurn { left: time(left)?, thought: time(text.thought)?, read: time(text.read)? }),
            None => None,
        };
        let unread = time(text.unread).filter(|unread| *unread <= LARGEST_OVERHEAD)?;
        let sane = text.overhead.is_finite();
        sane.then_some(Charges { last, turns: text.turns, overhead: text.overhead, unread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Charges after turns of 5 ms, 2 of them thought, for which the clock falls by `charged` milliseconds each.
    fn charges(charged: &[u32]) -> Charges {
        let mut left = 3000 * MS;
        let mut charges = Charges::default();
        for &charged in charged {
            charges = charges.after(TimedTurn { left, thought: 2 * MS, read: 5 * MS });
            left -= charged * MS;
            charges.learn(left);
        }
        charges
    }

    #[test]
    fn the_overhead_follows_what_is_charged() {
        assert_eq!(charges(&[]).overhead(4 * MS), 4 * MS);
        assert_eq!(charges(&[12]).overhead(4 * MS), (12 + 10) * MS / 4);
        let many = charges(&[9; 30]);
        assert!((6 * MS..7 * MS).contains(&many.overhead(MS)), "{many:?}");
        assert_eq!(charges(&[0; 30]).overhead(MS), Duration::ZERO, "a coarse clock may charge nothing");
    }

    #[test]
    fn the_largest_unread_cost_is_kept_and_fades() {
        assert_eq!(charges(&[0, 4]).unread(), Duration::ZERO);
        assert_eq!(charges(&[7, 25, 7]).unread(), 20 * MS - 20 * MS / 8);
        let faded = charges(&[[25].as_slice(), &[7; 40]].concat());
        assert_eq!(faded.unread(), 2 * MS);
    }

    #[test]
    fn only_the_clock_of_this_game_teaches() {
        let turn = TimedTurn { left: 300 * MS, thought: 2 * MS, read: 5 * MS };
        for left in [301 * MS, 400 * MS, Duration::MAX] {
            let mut charges = Charges::default().after(turn);
            assert_eq!((charges.learn(left), charges), (Duration::ZERO, Charges::default()), "more time is left");
        }
        let mut other = Charges::default().after(TimedTurn { left: 300_000 * MS, ..turn });
        assert_eq!((other.learn(5_000 * MS), other), (Duration::ZERO, Charges::default()), "much less is left");
    }

    #[test]
    fn stored_charges_are_read_again_unless_impossible() {
        let written = charges(&[7, 25]).after(TimedTurn { left: 9 * MS, thought: MS, read: 2 * MS });
        let text = serde_json::to_string(&written.to_text()).unwrap();
        let read = |text: &str| Charges::from_text(serde_json::from_str(text).unwrap());
        assert_eq!(read(&text), Some(written));
        assert_eq!(read(&serde_json::to_string(&ChargesText::default()).unwrap()), Some(Charges::default()));
        for (old, new) in [
            ("\"left\":0.009", "\"left\":-1"),
            ("\"unread\":0.02", "\"unread\":1e9"),
            ("\"read\":0.002", "\"read\":1e300"),
        ] {
            assert!(text.contains(old), "{old} in {text}");
            assert_eq!(read(&text.replacen(old, new, 1)), None, "{new}");
        }
    }
}
