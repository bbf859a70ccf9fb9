//! Time measurement and time limits.

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::micros::Micros;

/// Time measurement and time limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClockRules {
    /// The kind of time that counts.
    pub counts: Allowance,
    /// Time for one turn, in microseconds; null: all the time left in the game.
    #[serde(with = "Micros::<Option<u64>>")]
    pub turn: Option<Duration>,
    /// Time for all turns of a side, in microseconds; null: unlimited.
    #[serde(with = "Micros::<Option<u64>>")]
    pub game: Option<Duration>,
    /// Where CPU time counts, wall time that a turn may take in addition to three times its CPU time limit before the
    /// agent counts as hung, in microseconds. Also the time that an agent has to exit after a game.
    #[serde(with = "Micros::<u64>")]
    pub patience: Duration,
    /// Step of the clock, in microseconds. A turn is charged in multiples of it and the remainder is free, as in the
    /// course, whose clock had steps of 10 ms. With steps of a microsecond, chance would decide which side of a drawn
    /// game has more time left.
    #[serde(with = "Micros::<u64>", default = "one_microsecond")]
    pub resolution: Duration,
}

/// Resolution of leagues that were stored before this field existed.
fn one_microsecond() -> Duration {
    Duration::from_micros(1)
}

impl ClockRules {
    /// The time charged for a turn that took `used`.
    pub fn charged(&self, used: Duration) -> Duration {
        let step = self.resolution.as_nanos().max(1);
        let steps = used.as_nanos() / step;
        Duration::from_nanos(u64::try_from(steps * step).unwrap_or(u64::MAX))
    }

    /// Formats a time in seconds, rounded down to a multiple of the clock's step.
    pub fn seconds(&self, time: Duration) -> String {
        self.in_decimals(self.charged(time))
    }

    /// Describes the clock: `CPU time in steps of 0.01 s`.
    pub fn steps_in_words(&self) -> String {
        let step = self.in_decimals(self.resolution.max(Duration::from_nanos(1)));
        format!("{} time in steps of {step} s", self.counts.title())
    }

    /// Writes seconds with as many digits after the decimal point as the clock's step has.
    fn in_decimals(&self, time: Duration) -> String {
        let step = self.resolution.as_nanos().max(1);
        let decimals = (0..9).find(|&decimals| step.is_multiple_of(10u128.pow(9 - decimals))).unwrap_or(9);
        // Uses integers, since a float would round.
        let (seconds, digits) = (time.as_secs(), format!("{:09}", time.subsec_nanos()));
        if decimals == 0 { seconds.to_string() } else { format!("{seconds}.{}", &digits[..decimals as usize]) }
    }

    /// Describes a timely answer, for the verdict on a late one.
    pub fn in_time(&self, within: Duration) -> String {
        let of = match self.counts {
            Allowance::Cpu => " of CPU time",
            Allowance::User => " of user time",
            Allowance::Wall => "",
        };
        format!("an answer within {:.3} s{of}", within.as_secs_f64())
    }
}

/// The kind of time that a clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Allowance {
    /// CPU time (user and system) of the agent's threads and descendants.
    Cpu,
    /// Their user time alone, as the course's own master counted (`%U` of `time`). Most kernels only sample it, so an agent
    /// can dodge it; results from these are unofficial.
    User,
    /// Wall time.
    Wall,
}

impl Allowance {
    /// The duration that counts.
    pub fn of(self, spent: &Spent) -> Duration {
        match self {
            Allowance::Cpu | Allowance::User => spent.cpu,
            Allowance::Wall => spent.wall,
        }
    }

    /// The word before "time".
    pub fn title(self) -> &'static str {
        match self {
            Allowance::Cpu => "CPU",
            Allowance::User => "User",
            Allowance::Wall => "Wall",
        }
    }
}

/// Time that a turn took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Spent {
    /// CPU time of all threads and descendants, in microseconds: user and system or, where the league's clock counts
    /// only that, user.
    #[serde(with = "Micros::<u64>")]
    pub cpu: Duration,
    /// Wall time, in microseconds.
    #[serde(with = "Micros::<u64>")]
    pub wall: Duration,
}

/// Time that a turn took, including waits, for verdicts on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeUsage {
    /// Time used by the agent.
    pub spent: Spent,
    /// Time spent waiting for a core, which is not part of the wall time.
    pub waited: Duration,
}

impl fmt::Display for TimeUsage {
    /// `CPU time 0.012 s, wall time 2.003 s, and 0.150 s waiting for a core`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [cpu, wall, waited] = [self.spent.cpu, self.spent.wall, self.waited].map(|time| time.as_secs_f64());
        write!(f, "CPU time {cpu:.3} s, wall time {wall:.3} s, and {waited:.3} s waiting for a core")
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.cpu += other.cpu;
        self.wall += other.wall;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::League;

    #[test]
    fn time_is_charged_in_whole_steps() {
        let mut clock = League::named("checkers").unwrap().clock;
        let charged = |clock: &ClockRules, micros| clock.charged(Duration::from_micros(micros)).as_micros();
        assert_eq!(
            [9_999, 10_000, 19_999, 3_141_592].map(|time| charged(&clock, time)),
            [0, 10_000, 10_000, 3_140_000]
        );
        for resolution in [Duration::ZERO, one_microsecond()] {
            clock.resolution = resolution;
            assert_eq!(charged(&clock, 3_141_592), 3_141_592);
        }
    }

    #[test]
    fn times_are_shown_as_they_count() {
        let mut clock = League::named("checkers").unwrap().clock;
        assert_eq!(clock.steps_in_words(), "CPU time in steps of 0.01 s");
        for (resolution, shown) in [(10_000, "3.14"), (1, "3.149592"), (250_000, "3.00"), (1_000_000, "3")] {
            clock.resolution = Duration::from_micros(resolution);
            assert_eq!(clock.seconds(Duration::from_micros(3_149_592)), shown);
        }
        assert_eq!(League::named("loa").unwrap().clock.steps_in_words(), "Wall time in steps of 0.000001 s");
    }
}
