//! When is more thought not worth its time?

use std::ops::ControlFlow;
use std::time::Duration;

use super::params::{
    BETTER_FACTOR, CHANGE_DECAY, CHANGE_FACTOR, DECIDED, DRAWISH_FACTOR, DRAWISH_PIECES, FALL_UNIT, FULL_BOARD_FACTOR,
    FULL_BOARD_PIECES, LAST_START, LEVEL, LEVEL_FACTOR, LOST_FACTOR, MAX_FALL_FACTOR, MAX_SWING_FACTOR, MIN_DEPTH,
    OVERTIME, SETTLED_DEPTH, SETTLED_PART, SETTLED_SWING, SETTLED_TIMES, SWING_UNIT, WON_FACTOR, WORSE_FACTOR,
};
use super::time_budget::TimeBudget;
use crate::checkers::Position;
use crate::clock::Clock;
use crate::game::{Color, Game};
use crate::protocol::turn_files::Mode;
use crate::score::Score;
use crate::search::{Limits, Observer, Report, TimeLimit};

/// A score in hundredths of a man, clamped where the game is as good as decided.
fn worth(score: Score) -> f64 {
    f64::from(score.value()).clamp(-DECIDED, DECIDED)
}

/// Watches the search of a turn, and ends it when more time is not worth its cost.
pub struct TimeManager<'a> {
    budget: TimeBudget,
    clock: Clock,
    /// What the clock showed when the turn began.
    began: Duration,
    /// Shown every iteration.
    watch: &'a mut dyn FnMut(&Report<Position>),
    /// Time of the turn when the search began.
    start: Duration,
    /// Hard limit of the search, as time of the turn.
    until: Duration,
    best: Option<<Position as Game>::Move>,
    /// Time of the turn when the best move was found.
    since: Duration,
    /// Recent changes of the best move, with exponential decay.
    changes: f64,
    /// The scores of the last iterations, the latest first.
    scores: [Option<Score>; 4],
}

impl<'a> TimeManager<'a> {
    /// A search is about to begin. `began` is what `clock` showed at the start of the turn.
    pub fn new(
        budget: TimeBudget,
        clock: Clock,
        began: Duration,
        watch: &'a mut dyn FnMut(&Report<Position>),
    ) -> TimeManager<'a> {
        TimeManager {
            budget,
            clock,
            began,
            watch,
            start: clock.now().saturating_sub(began),
            until: budget.most,
            best: None,
            since: Duration::ZERO,
            changes: 0.0,
            scores: [None; 4],
        }
    }

    /// The hard limit of the search.
    pub fn limits(&self) -> Limits {
        Limits::until(self.clock, self.began + self.until)
    }

    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }

    /// Largest difference between the last scores, in hundredths of a man.
    fn swing(&self) -> f64 {
        let known = || self.scores.iter().flatten().map(|&score| worth(score));
        let (low, high) = known().fold((f64::MAX, f64::MIN), |(low, high), score| (low.min(score), high.max(score)));
        (high - low).max(0.0)
    }

    /// How many times the base time the position deserves now.
    fn urgency(&self, report: &Report<Position>) -> f64 {
        let score = worth(report.score);
        let unstable = 1.0 + CHANGE_FACTOR * self.changes + (self.swing() / SWING_UNIT).min(MAX_SWING_FACTOR);
        // Much more where the score is worse than a turn ago.
        let fallen = self.budget.last_score.map_or(0.0, |last| worth(last) - score);
        let surprise = 1.0 + (fallen / FALL_UNIT).clamp(0.0, MAX_FALL_FACTOR);
        unstable * surprise * self.stakes(score)
    }

    /// What is left to be won or lost: little in a lost game or a dead draw.
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

    /// Whether the best move of a single-move request has stood for so long that more time will hardly change it.
    fn is_settled(&self, report: &Report<Position>, elapsed: Duration) -> bool {
        report.depth >= SETTLED_DEPTH
            && elapsed > self.since * SETTLED_TIMES
            && elapsed > self.budget.most / SETTLED_PART
            && self.swing() < SETTLED_SWING
    }
}

impl Observer<Position> for TimeManager<'_> {
    fn iteration(&mut self, report: &Report<Position>) -> ControlFlow<()> {
        (self.watch)(report);
        let elapsed = self.elapsed();
        self.scores.rotate_right(1);
        self.scores[0] = Some(report.score);
        let best = report.best;
        self.changes *= CHANGE_DECAY;
        if best != self.best {
            if self.best.is_some() {
                self.changes += 1.0;
            }
            (self.best, self.since) = (best, elapsed);
        }
        let enough = match self.budget.mode {
            Mode::Single => self.budget.most,
            Mode::Game => self.budget.base.mul_f64(self.urgency(report)).min(self.budget.most),
        };
        if report.depth < MIN_DEPTH {
            return ControlFlow::Continue(());
        }
        self.until = (self.start + enough * OVERTIME).min(self.budget.most);
        // A score from the endgame tables is final.
        let known = report.score.is_decided() && !report.score.is_proved();
        let settled = known || self.budget.mode == Mode::Single && self.is_settled(report, elapsed);
        let over = elapsed >= (self.start + enough.mul_f64(LAST_START)).min(self.budget.most);
        if settled || over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn time_limit(&self) -> Option<TimeLimit> {
        self.limits().time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn_files::{Calibration, Playdata, TurnRequest};
    use crate::score::Depth;

    /// The urgency of `position` after iterations with these scores, `last` being that of the turn before.
    fn urgency(position: &str, last: Option<i32>, scores: &[i32]) -> f64 {
        let position: Position = position.parse().unwrap();
        let request = TurnRequest { mode: Mode::Game, left: Duration::from_secs(300), position, warnings: Vec::new() };
        let known = Playdata { score: last.map(Score::estimate), ..Playdata::fresh(position) };
        let budget = TimeBudget::new(&request, &Calibration::default(), &known);
        let mut watch = |_: &Report<Position>| ();
        let mut manager = TimeManager::new(budget, Clock::Process, Clock::Process.now(), &mut watch);
        let report = |score| Report {
            best: None,
            depth: Depth(5),
            score: Score::estimate(score),
            principal_variation: Vec::new(),
            nodes: 0,
        };
        for &score in scores {
            assert_eq!(manager.iteration(&report(score)), ControlFlow::Continue(()), "too shallow to end");
        }
        manager.urgency(&report(*scores.last().unwrap()))
    }

    #[test]
    fn unstable_and_worse_positions_deserve_more() {
        let men = "B:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7";
        let calm = urgency(men, Some(0), &[0, 0, 0, 0]);
        assert!(urgency(men, Some(0), &[0, 40, 0, 0]) > calm, "the score moves");
        assert!(urgency(men, Some(90), &[0, 0, 0, 0]) > 3.0 * calm, "worse than a turn ago");
        assert!(urgency(men, Some(-20), &[-20, -20, -20, -20]) > calm, "worse than the foe");
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
