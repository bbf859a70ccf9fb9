//! Time for a move, by the clock of a game.

use std::time::Duration;

use crate::play::params::{FEWEST_MOVES_TO_GO, USUAL_MOVES};
use crate::protocol::hub::Level;

/// Time that a board program may take to pass on a move.
const MARGIN: Duration = Duration::from_millis(30);
/// Part of the clock that is kept, beside the margin, if more moves must be made with it.
const KEPT_PART: u32 = 3;

/// Time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveTime {
    /// An equal share of the time left.
    pub(super) share: Duration,
    /// Time after which the move must have been made.
    pub(super) most: Duration,
}

impl MoveTime {
    /// Time for a move at a level; `None` if time does not limit it.
    pub(super) fn of(level: Level) -> Option<MoveTime> {
        if let Some(time) = level.move_time {
            let time = time.saturating_sub(MARGIN.min(time / 4));
            return Some(MoveTime { share: time, most: time });
        }
        // The increment is added before the move.
        let clock = level.time? + level.increment;
        let most = clock.saturating_sub(MARGIN.min(clock / 4));
        let usual = USUAL_MOVES.max(FEWEST_MOVES_TO_GO);
        let moves = level.moves.map_or(usual, |moves| moves.min(usual));
        let share = (clock.saturating_sub(level.increment) / moves + level.increment).min(most);
        let most = if moves > 1 { (most - most / KEPT_PART).max(share) } else { most };
        Some(MoveTime { share, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(time: f64, inc: f64, moves: Option<u32>) -> MoveTime {
        let [time, increment] = [time, inc].map(Duration::from_secs_f64);
        MoveTime::of(Level { time: Some(time), increment, moves, ..Level::default() }).expect("a clock")
    }

    #[test]
    fn a_clock_is_never_overstepped() {
        for left in [0.0, 0.001, 0.02, 0.5, 60.0, 7200.0] {
            for inc in [0.0, 0.1, 5.0] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let MoveTime { share, most } = time(left, inc, moves);
                    let clock = Duration::from_secs_f64(left + inc);
                    assert!(share <= most && most <= clock, "{left} {inc} {moves:?}: {share:?}, {most:?}");
                    assert!(clock.is_zero() || most < clock);
                }
            }
        }
    }

    #[test]
    fn time_is_shared_among_the_moves() {
        let second = Duration::from_secs(1);
        assert_eq!(time(22.0, 0.0, None).share, second);
        assert_eq!(time(20.0, 0.0, Some(10)).share, 2 * second);
        assert_eq!(time(22.0, 1.0, None).share, 2 * second);
        assert!(time(20.0, 0.0, Some(1)).share > 19 * second, "the last move before the next control");
    }

    #[test]
    fn a_time_for_the_move_is_used_whole() {
        let level = Level { move_time: Some(Duration::from_secs(1)), ..Level::default() };
        let time = MoveTime::of(level).expect("a time");
        assert_eq!((time.share, time.most), (Duration::from_millis(970), Duration::from_millis(970)));
        assert_eq!(MoveTime::of(Level::default()), None);
    }
}
