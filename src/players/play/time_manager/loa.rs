//! Time that a Lines of Action move deserves.

use std::time::Duration;

use super::Demand;
use crate::play::params::{
    CHANGE_DECAY, LOA_CHANGE_PART, LOA_FALL_PART, LOA_FALL_UNIT, LOA_LONGEST_MOVE, LOA_MOST_FALLS, LOA_MOST_SHARES,
    LOA_STEADY_PART,
};
use kingline::game::Game;
use kingline::score::Score;
use kingline::search::Report;

/// Time that a move deserves: less than an equal share while the best move and the score are steady, which leaves more
/// for doubtful moves.
pub(in crate::play) struct MoveDemand {
    /// An equal share of the time left.
    share: Duration,
    /// Score of the last iteration.
    score: Option<Score>,
    /// Recent falls of the score, in units of [`LOA_FALL_UNIT`], with exponential decay.
    falls: f64,
}

impl MoveDemand {
    /// Demand of a move whose equal share is `share`.
    pub(in crate::play) fn new(share: Duration) -> MoveDemand {
        MoveDemand { share, score: None, falls: 0.0 }
    }

    /// Hard limit of the move, if `left` is left for the game.
    pub(in crate::play) fn most(&self, left: Duration) -> Duration {
        (self.share * LOA_MOST_SHARES).min(LOA_LONGEST_MOVE).min(left)
    }
}

impl<G: Game> Demand<G> for MoveDemand {
    const FIRST_CHANGE: f64 = 1.0;

    fn deserved(&mut self, report: &Report<G>, changes: f64) -> Duration {
        let fall = self.score.map_or(0, |last| last.value().saturating_sub(report.score.value()).max(0));
        self.score = Some(report.score);
        self.falls = self.falls * CHANGE_DECAY + f64::from(fall) / LOA_FALL_UNIT;
        let falls = self.falls.min(LOA_MOST_FALLS);
        self.share.mul_f64(LOA_STEADY_PART + LOA_CHANGE_PART * changes + LOA_FALL_PART * falls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::time_manager::TimeManager;
    use kingline::clock::Clock;
    use kingline::loa::Position;
    use kingline::score::Depth;
    use kingline::search::Observer;

    const SECOND: Duration = Duration::from_secs(1);

    /// Time deserved after `iterations`, each a move index and a score, if the share is a second.
    fn deserved(iterations: &[(usize, i32)]) -> Duration {
        let position = Position::<8>::start();
        let observer = &mut ();
        let clock = (Clock::Process, Duration::ZERO);
        let mut manager = TimeManager::<Position<8>, _, _>::new(MoveDemand::new(SECOND), 100 * SECOND, clock, observer);
        manager.start = Duration::ZERO;
        for &(index, score) in iterations {
            let _ = manager.iteration(&Report {
                best: Some(position.legal_moves()[index]),
                depth: Depth(5),
                score: Score::estimate(score),
                principal_variation: Vec::new(),
                lines: Vec::new(),
                nodes: 0,
            });
        }
        manager.until / crate::play::params::OVERTIME
    }

    #[test]
    fn doubtful_moves_get_more_than_their_share_and_steady_ones_less() {
        assert!(deserved(&[(0, 10); 8]) < SECOND);
        assert!(deserved(&[(0, 10), (0, 10), (0, 10), (1, 10), (0, 10), (1, 10)]) > SECOND, "another move");
        assert!(deserved(&[(0, 10), (0, 10), (0, 10), (0, -80)]) > SECOND, "the score falls");
        assert_eq!(deserved(&[(0, 10), (0, 10), (0, 10), (0, 80)]), deserved(&[(0, 10); 4]), "a rise is no reason");
    }

    #[test]
    fn no_move_takes_longer_than_the_time_left_or_the_longest_move() {
        for (share, left) in [(SECOND / 100, SECOND / 50), (SECOND, 4 * SECOND), (Duration::ZERO, SECOND)] {
            let most = MoveDemand::new(share).most(left);
            let is_short = most <= left && most <= LOA_LONGEST_MOVE && most <= share * LOA_MOST_SHARES;
            assert!(is_short, "{most:?} of {left:?}");
        }
    }
}
