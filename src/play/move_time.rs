//! When has an automatic player of Lines of Action thought enough about a move?

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::params::{
    CHANGE_DECAY, LAST_START, LOA_CHANGE_PART, LOA_FALL_PART, LOA_FALL_UNIT, LOA_LONGEST_MOVE, LOA_MOST_FALLS,
    LOA_MOST_SHARES, LOA_STEADY_PART, OVERTIME,
};
use crate::loa::{Move, Position};
use crate::score::Score;
use crate::search::{Observer, Report, TimeLimit};

/// Watches the search of a move, and ends it early where the best move stands firm, so that moves in doubt can have more
/// than their share.
#[derive(Debug)]
pub(super) struct MoveTime {
    start: Instant,
    /// An equal share of the time that is left.
    share: Duration,
    /// The move never takes longer than this, ...
    most: Duration,
    /// ... and the running iteration is cut off at this time from the start.
    until: Duration,
    best: Option<Move>,
    /// Recent changes of the best move, with exponential decay.
    changes: f64,
    /// The score of the last iteration.
    score: Option<Score>,
    /// Recent falls of the score, in units of [`LOA_FALL_UNIT`], with the same decay.
    falls: f64,
}

impl MoveTime {
    /// The search of a move begins, for which `share` of the `left` time of the game is meant.
    pub(super) fn new(share: Duration, left: Duration) -> MoveTime {
        let most = (share * LOA_MOST_SHARES).min(LOA_LONGEST_MOVE).min(left);
        MoveTime { start: Instant::now(), share, most, until: most, best: None, changes: 0.0, score: None, falls: 0.0 }
    }

    /// How long the move deserves to be thought about, by what its search has found so far.
    fn enough(&self) -> Duration {
        let falls = self.falls.min(LOA_MOST_FALLS);
        self.share.mul_f64(LOA_STEADY_PART + LOA_CHANGE_PART * self.changes + LOA_FALL_PART * falls)
    }

    /// Takes note of what an iteration has found.
    fn note(&mut self, report: &Report<Position<8>>) {
        let fall = self.score.map_or(0, |last| last.value().saturating_sub(report.score.value()).max(0));
        let change = if report.best == self.best { 0.0 } else { 1.0 };
        self.falls = self.falls * CHANGE_DECAY + f64::from(fall) / LOA_FALL_UNIT;
        self.changes = self.changes * CHANGE_DECAY + change;
        (self.best, self.score) = (report.best, Some(report.score));
    }
}

impl Observer<Position<8>> for MoveTime {
    fn iteration(&mut self, report: &Report<Position<8>>) -> ControlFlow<()> {
        self.note(report);
        let enough = self.enough();
        self.until = (enough * OVERTIME).min(self.most);
        let is_late = self.start.elapsed() >= enough.mul_f64(LAST_START);
        if is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn time_limit(&self) -> Option<TimeLimit> {
        Some(TimeLimit::Wall(self.until.saturating_sub(self.start.elapsed())))
    }
}

/// The same, while somebody else watches too, and may stop the search.
pub(super) struct Watched<'a, O> {
    /// When it has thought enough.
    pub(super) time: MoveTime,
    /// Who else watches.
    pub(super) observer: &'a mut O,
}

impl<O: Observer<Position<8>>> Observer<Position<8>> for Watched<'_, O> {
    fn poll(&mut self) -> ControlFlow<()> {
        self.observer.poll()
    }

    fn iteration(&mut self, report: &Report<Position<8>>) -> ControlFlow<()> {
        self.observer.iteration(report)?;
        self.time.iteration(report)
    }

    fn time_limit(&self) -> Option<TimeLimit> {
        self.time.time_limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::score::Depth;

    /// What a share of a second becomes after iterations with these moves, by their number, and scores.
    fn enough(iterations: &[(usize, i32)]) -> Duration {
        let position = Position::<8>::start();
        let mut time = MoveTime::new(Duration::from_secs(1), Duration::from_secs(4));
        for &(number, score) in iterations {
            time.note(&Report {
                best: Some(position.legal_moves()[number]),
                depth: Depth(5),
                score: Score::estimate(score),
                principal_variation: Vec::new(),
                nodes: 0,
            });
        }
        time.enough()
    }

    #[test]
    fn a_move_in_doubt_has_more_than_its_share_and_one_that_stands_firm_less() {
        let firm = enough(&[(0, 10); 8]);
        assert!(firm < Duration::from_secs(1));
        assert!(
            enough(&[(0, 10), (0, 10), (0, 10), (1, 10), (0, 10), (1, 10)]) > Duration::from_secs(1),
            "another move"
        );
        assert!(enough(&[(0, 10), (0, 10), (0, 10), (0, -80)]) > Duration::from_secs(1), "the score falls");
        assert_eq!(enough(&[(0, 10), (0, 10), (0, 10), (0, 80)]), enough(&[(0, 10); 4]), "a rise is no reason");
    }

    #[test]
    fn no_move_takes_longer_than_what_is_left_or_than_the_longest() {
        let second = Duration::from_secs(1);
        for (share, left) in [(second / 100, second / 50), (second, 4 * second), (Duration::ZERO, second)] {
            let most = MoveTime::new(share, left).most;
            assert!(
                most <= left && most <= LOA_LONGEST_MOVE && most <= share * LOA_MOST_SHARES,
                "{most:?} of {left:?}"
            );
        }
    }
}
