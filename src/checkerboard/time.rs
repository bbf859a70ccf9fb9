//! Time for a move, from three arguments of `getmove`.
//!
//! If bits 2 and 3 of `info` are zero, `maxtime` counts: on average or, with bit 1, exactly. Otherwise they say that
//! `moreinfo` has times in units of 1, 10 or 100 ms: the time left in its upper 16 bits, which includes the increment for
//! this move, and the increment in its lower 16 bits.

use std::time::Duration;

/// Bit of `info`: the earlier moves do not belong to the game.
const RESET: i32 = 1;
/// Bit of `info`: the time is exact.
const EXACT: i32 = 2;
/// Place of the unit in `info`.
const UNIT: i32 = 2;
/// Longest time, in seconds; infinite analysis has a day.
const LONGEST: f64 = 1e6;

/// Time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// This time, used whole.
    Exact(Duration),
    /// This time on average.
    Average(Duration),
    /// A clock for the rest of the game.
    Clock {
        /// Time left, without the increment for this move.
        left: Duration,
        /// Increment for each move, this one included.
        increment: Duration,
    },
}

impl TimeControl {
    /// Reads the arguments. A time that is negative or not a number counts as zero.
    pub fn read(max_time: f64, info: i32, more_info: i32) -> TimeControl {
        let unit = match info >> UNIT & 3 {
            1 => Duration::from_millis(1),
            2 => Duration::from_millis(10),
            3 => Duration::from_millis(100),
            _ => {
                let seconds = if max_time.is_nan() { 0.0 } else { max_time.clamp(0.0, LONGEST) };
                let time = Duration::from_secs_f64(seconds);
                return if info & EXACT != 0 { TimeControl::Exact(time) } else { TimeControl::Average(time) };
            }
        };
        let [clock, increment] = [more_info.cast_unsigned() >> 16, more_info.cast_unsigned() & 0xffff];
        TimeControl::Clock { left: unit * clock.saturating_sub(increment), increment: unit * increment.min(clock) }
    }
}

/// Returns true if `info` says that the earlier moves do not belong to the game.
pub fn is_reset(info: i32) -> bool {
    info & RESET != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_or_average() {
        let second = Duration::from_secs(1);
        assert_eq!(TimeControl::read(1.0, 0, 77), TimeControl::Average(second));
        assert_eq!(TimeControl::read(1.0, EXACT | RESET, 77), TimeControl::Exact(second));
        assert!(is_reset(EXACT | RESET) && !is_reset(EXACT));
    }

    #[test]
    fn clocks_are_unpacked() {
        // 60.00 s left, with 2.00 s for this move and each later one, in hundredths.
        let control = TimeControl::read(3.0, 2 << UNIT, 6000 << 16 | 200);
        let [left, increment] = [58, 2].map(Duration::from_secs);
        assert_eq!(control, TimeControl::Clock { left, increment });
        // The upper half is not signed.
        let control = TimeControl::read(3.0, 3 << UNIT, 0xffff_0000_u32.cast_signed());
        let left = Duration::from_millis(6_553_500);
        assert_eq!(control, TimeControl::Clock { left, increment: Duration::ZERO });
        // Less time than the increment: the clock counts.
        let control = TimeControl::read(3.0, 1 << UNIT, 5 << 16 | 2000);
        assert_eq!(control, TimeControl::Clock { left: Duration::ZERO, increment: Duration::from_millis(5) });
    }

    #[test]
    fn wild_times_are_bounded() {
        let longest = Duration::from_secs(1_000_000);
        for (time, expected) in [
            (f64::NAN, Duration::ZERO),
            (f64::NEG_INFINITY, Duration::ZERO),
            (-1.0, Duration::ZERO),
            (f64::MIN_POSITIVE, Duration::ZERO),
            (f64::MAX, longest),
            (f64::INFINITY, longest),
        ] {
            assert_eq!(TimeControl::read(time, 0, 0), TimeControl::Average(expected), "{time}");
        }
    }
}
