//! Time that a checkers turn deserves.

use std::ops::ControlFlow;
use std::time::Duration;

use super::Demand;
use crate::play::params::{
    BETTER_FACTOR, CHANGE_FACTOR, DECIDED, DRAWISH_FACTOR, DRAWISH_PIECES, FALL_UNIT, FULL_BOARD_FACTOR,
    FULL_BOARD_PIECES, LEVEL, LEVEL_FACTOR, LOST_FACTOR, MAX_FALL_FACTOR, MAX_SWING_FACTOR, SETTLED_DEPTH,
    SETTLED_PART, SETTLED_SWING, SETTLED_TIMES, SWING_UNIT, WON_FACTOR, WORSE_FACTOR,
};
use crate::play::time_budget::TimeBudget;
use crate::protocol::turn_files::Mode;
use kingline::checkers::Position;
use kingline::game::Color;
use kingline::score::Score;
use kingline::search::Report;

/// Time that a checkers turn deserves: its base time, increased if the position is unstable or has become worse.
pub(in crate::play) struct TurnDemand {
    budget: TimeBudget,
    /// Scores of the last iterations, the latest first.
    scores: [Option<Score>; 4],
}

/// Score in hundredths of a man, clamped where the game is practically decided.
fn worth(score: Score) -> f64 {
    f64::from(score.value()).clamp(-DECIDED, DECIDED)
}

impl TurnDemand {
    pub(in crate::play) fn new(budget: TimeBudget) -> TurnDemand {
        TurnDemand { budget, scores: [None; 4] }
    }

    /// Largest difference between the last scores, in hundredths of a man.
    fn swing(&self) -> f64 {
        let known = || self.scores.iter().flatten().map(|&score| worth(score));
        let (low, high) = known().fold((f64::MAX, f64::MIN), |(low, high), score| (low.min(score), high.max(score)));
        (high - low).max(0.0)
    }

    /// Multiple of the base time that the position deserves.
    fn urgency(&self, score: Score, changes: f64) -> f64 {
        let score = worth(score);
        let unstable = 1.0 + CHANGE_FACTOR * changes + (self.swing() / SWING_UNIT).min(MAX_SWING_FACTOR);
        // Much more if the score has fallen since the last turn.
        let fallen = self.budget.last_score.map_or(0.0, |last| worth(last) - score);
        let surprise = 1.0 + (fallen / FALL_UNIT).clamp(0.0, MAX_FALL_FACTOR);
        unstable * surprise * self.stakes(score)
    }

    /// Factor for what is still at stake: small in a lost game or a dead draw.
    fn stakes(&self, score: f64) -> f64 {
        let kings = Color::ALL.map(|color| self.budget.position.kings(color));
        let pieces: u32 = Color::ALL.map(|color| self.budget.position.count(color)).iter().sum();
        let crowned = kings[0] > 0 && kings[1] > 0;
        match score {
            lost if lost <= -DECIDED => LOST_FACTOR,
            won if won >= DECIDED => WON_FACTOR,
            worse if worse <= -LEVEL => WORSE_FACTOR,
            better if better >= LEVEL => BETTER_FACTOR,
            _ if pieces <= DRAWISH_PIECES && crowned => DRAWISH_FACTOR,
            _ if pieces >= FULL_BOARD_PIECES => FULL_BOARD_FACTOR,
            _ => LEVEL_FACTOR,
        }
    }

    /// Returns true if the best move of a single-move request has stood so long that more time will hardly change it.
    fn is_settled(&self, report: &Report<Position>, elapsed: Duration, since: Duration) -> bool {
        self.budget.mode == Mode::Single
            && report.depth >= SETTLED_DEPTH
            && elapsed > since * SETTLED_TIMES
            && elapsed > self.budget.most / SETTLED_PART
            && self.swing() < SETTLED_SWING
    }
}

impl Demand<Position> for TurnDemand {
    const FIRST_CHANGE: f64 = 0.0;

    fn deserved(&mut self, report: &Report<Position>, changes: f64) -> Duration {
        self.scores.rotate_right(1);
        self.scores[0] = Some(report.score);
        match self.budget.mode {
            Mode::Single => self.budget.most,
            Mode::Game => self.budget.base.mul_f64(self.urgency(report.score, changes)).min(self.budget.most),
        }
    }

    fn decide(&self, report: &Report<Position>, elapsed: Duration, since: Duration) -> Option<ControlFlow<()>> {
        if report.depth < self.budget.min_depth {
            return Some(ControlFlow::Continue(()));
        }
        // A score from the endgame tables is final.
        let is_known = report.score.is_decided() && !report.score.is_proved();
        let is_over = is_known || self.is_settled(report, elapsed, since) || elapsed >= self.budget.most;
        is_over.then_some(ControlFlow::Break(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn_files::{Calibration, Playdata, TurnRequest};
    use kingline::score::Depth;

    /// Urgency of `position` after iterations with these scores; `last` is the score of the previous turn.
    fn urgency(position: &str, last: Option<i32>, scores: &[i32]) -> f64 {
        let position: Position = position.parse().unwrap();
        let request = TurnRequest { mode: Mode::Game, left: Duration::from_secs(300), position, warnings: Vec::new() };
        let known = Playdata { score: last.map(Score::estimate), ..Playdata::fresh(position) };
        let mut demand = TurnDemand::new(TimeBudget::new(&request, &Calibration::default(), &known));
        for &score in scores {
            let score = Score::estimate(score);
            let report = Report {
                best: None,
                depth: Depth(5),
                score,
                principal_variation: Vec::new(),
                lines: Vec::new(),
                nodes: 0,
            };
            demand.deserved(&report, 0.0);
            let decision = demand.decide(&report, Duration::from_secs(300), Duration::ZERO);
            assert_eq!(decision, Some(ControlFlow::Continue(())), "too shallow to end");
        }
        demand.urgency(Score::estimate(*scores.last().unwrap()), 0.0)
    }

    #[test]
    fn unstable_and_worse_positions_deserve_more() {
        let men = "B:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7";
        let calm = urgency(men, Some(0), &[0, 0, 0, 0]);
        assert!(urgency(men, Some(0), &[0, 40, 0, 0]) > calm, "the score moves");
        assert!(urgency(men, Some(90), &[0, 0, 0, 0]) > 3.0 * calm, "worse than a turn ago");
        assert!(urgency(men, Some(-20), &[-20, -20, -20, -20]) > calm, "worse than the opponent");
    }

    #[test]
    fn dead_draws_and_lost_games_get_little_time() {
        let men = "B:W21,22,23:B1,2,3";
        let kings = "B:WK21,K22:BK1,K2";
        let calm = urgency(men, Some(0), &[0, 0, 0, 0]);
        assert!(urgency(kings, Some(0), &[0, 0, 0, 0]) < calm);
        assert!(urgency(men, Some(-500), &[-500, -500, -500, -500]) < calm);
    }
}
