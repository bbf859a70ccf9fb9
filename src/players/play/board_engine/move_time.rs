//! Time for a move.

use std::time::Duration;

use crate::play::params::{FEWEST_MOVES_TO_GO, USUAL_MOVES};

/// Time that a board program may take to pass on a move.
const MARGIN: Duration = Duration::from_millis(30);
/// Part of the clock that is kept, beside the margin, if more moves must be made with it.
const KEPT_PART: u32 = 3;

/// Time for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// Time that the move gets if the position is neither quiet nor critical.
    pub share: Duration,
    /// Time after which the move must have been made; if it equals the share, this is used whole.
    pub most: Duration,
}

impl MoveTime {
    /// This time, used whole, less what the program needs to pass on the move.
    pub fn exact(time: Duration) -> MoveTime {
        let time = within(time);
        MoveTime { share: time, most: time }
    }

    /// This time on average, and at most half as much again.
    pub fn about(time: Duration) -> MoveTime {
        MoveTime { share: time, most: within(time.saturating_add(time / 2)) }
    }

    /// Part of the time left on a clock for this number of moves, or for a whole game. The increment is added to the
    /// clock before the move.
    pub fn on_clock(left: Duration, increment: Duration, moves: Option<u32>) -> MoveTime {
        let clock = left.saturating_add(increment);
        let most = within(clock);
        let usual = USUAL_MOVES.max(FEWEST_MOVES_TO_GO);
        let moves = moves.map_or(usual, |moves| moves.min(usual)).max(1);
        let share = (left / moves).saturating_add(increment).min(most);
        let most = if moves > 1 { (most - most / KEPT_PART).max(share) } else { most };
        MoveTime { share, most }
    }
}

/// The time less the margin.
fn within(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn on_clock(left: f64, increment: f64, moves: Option<u32>) -> MoveTime {
        let [left, increment] = [left, increment].map(Duration::from_secs_f64);
        MoveTime::on_clock(left, increment, moves)
    }

    #[test]
    fn a_clock_is_never_overstepped() {
        for left in [0.0, 0.001, 0.02, 0.5, 60.0, 7200.0] {
            for increment in [0.0, 0.1, 5.0] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let MoveTime { share, most } = on_clock(left, increment, moves);
                    let clock = Duration::from_secs_f64(left + increment);
                    assert!(share <= most && most <= clock, "{left} {increment} {moves:?}: {share:?}, {most:?}");
                    assert!(clock.is_zero() || most < clock);
                }
            }
        }
    }

    #[test]
    fn time_is_shared_among_the_moves() {
        assert_eq!(on_clock(22.0, 0.0, None).share, SECOND);
        assert_eq!(on_clock(20.0, 0.0, Some(10)).share, 2 * SECOND);
        assert_eq!(on_clock(22.0, 1.0, None).share, 2 * SECOND);
        assert!(on_clock(20.0, 0.0, Some(1)).share > 19 * SECOND, "the last move before the next control");
    }

    #[test]
    fn a_time_for_the_move_is_used_whole_or_on_average() {
        let exact = MoveTime::exact(SECOND);
        assert_eq!((exact.share, exact.most), (Duration::from_millis(970), Duration::from_millis(970)));
        let about = MoveTime::about(SECOND);
        assert_eq!((about.share, about.most), (SECOND, Duration::from_millis(1470)));
        for time in [MoveTime::exact(Duration::MAX), MoveTime::about(Duration::MAX)] {
            assert!(time.share > SECOND && time.most > SECOND);
        }
    }
}
