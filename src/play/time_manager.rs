use std::ops::ControlFlow;
use std::time::Duration;

use super::time_budget::Plan;
use crate::checkers::Position;
use crate::clock::Clock;
use crate::game::{Color, Game};
use crate::protocol::turn_files::Mode;
use crate::score::{Depth, Score};
use crate::search::{Limits, Observer, Report, TimeLimit};

/// No search that has the time ends before this depth, however frugal: it costs a millisecond at most.
const SHALLOWEST: Depth = Depth(9);
/// Beyond this a game is as good as over, in hundredths of a man.
const DECIDED: f64 = 400.0;
/// Below this nobody stands better.
const LEVEL: f64 = 12.0;

/// A score in hundredths of a man, no farther from zero than a game that is as good as over: how
/// surely it is won does not matter here.
fn worth(score: Score) -> f64 {
    f64::from(score.value()).clamp(-DECIDED, DECIDED)
}

/// A turn's thought: watches the search and ends it when more time is not worth its cost.
pub struct Thought<'a> {
    plan: Plan,
    clock: Clock,
    /// What the clock showed when the turn began.
    began: Duration,
    watch: &'a mut dyn FnMut(&Report<Position>),
    /// Time of the turn when the search began.
    start: Duration,
    /// The search ends at this time of the turn, whatever it is doing.
    until: Duration,
    best: Option<<Position as Game>::Move>,
    /// Time of the turn when the best move was found.
    since: Duration,
    /// Changes of the best move, the older the less.
    changes: f64,
    /// The scores of the last iterations, the latest first.
    scores: [Option<Score>; 4],
}

impl<'a> Thought<'a> {
    /// Begins to think. `began` is what `clock` showed at the begin of the turn.
    pub fn new(plan: Plan, clock: Clock, began: Duration, watch: &'a mut dyn FnMut(&Report<Position>)) -> Thought<'a> {
        Thought {
            plan,
            clock,
            began,
            watch,
            start: clock.now().saturating_sub(began),
            until: plan.most,
            best: None,
            since: Duration::ZERO,
            changes: 0.0,
            scores: [None; 4],
        }
    }

    /// The search must end here, whatever it is doing.
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
        // More where the best move or the score will not stand still.
        let moving = 1.0 + 3.0 * self.changes + (self.swing() / 15.0).min(8.0);
        // Much more where the agent stands worse than it thought a turn ago.
        let fallen = self.plan.last_score.map_or(0.0, |last| worth(last) - score);
        let surprise = 1.0 + (fallen / 25.0).clamp(0.0, 12.0);
        moving * surprise * self.stakes(score)
    }

    /// What the score leaves to be won or lost: little in a lost game or a dead draw.
    fn stakes(&self, score: f64) -> f64 {
        let kings = Color::ALL.map(|color| self.plan.position.kings(color));
        let pieces: u32 = Color::ALL.map(|color| self.plan.position.count(color)).iter().sum();
        let crowned = kings[0] > 0 && kings[1] > 0;
        match score {
            lost if lost <= -DECIDED => 0.25,
            won if won >= DECIDED => 1.0,
            worse if worse <= -LEVEL => 6.0,
            better if better >= LEVEL => 1.5,
            _ if pieces <= 8 && crowned => 0.25,
            _ if pieces >= 14 => 1.5,
            _ => 1.0,
        }
    }

    /// Whether a single move has stood for so long that more time will hardly change it.
    fn is_settled(&self, report: &Report<Position>, elapsed: Duration) -> bool {
        const LONG: u32 = 12;
        report.depth.0 >= 15 && elapsed > self.since * LONG && elapsed > self.plan.most / 8 && self.swing() < 8.0
    }
}

impl Observer<Position> for Thought<'_> {
    fn iteration(&mut self, report: &Report<Position>) -> ControlFlow<()> {
        (self.watch)(report);
        let elapsed = self.elapsed();
        self.scores.rotate_right(1);
        self.scores[0] = Some(report.score);
        let best = report.best;
        self.changes *= 0.6;
        if best != self.best {
            if self.best.is_some() {
                self.changes += 1.0;
            }
            (self.best, self.since) = (best, elapsed);
        }
        let enough = match self.plan.mode {
            Mode::Single => self.plan.most,
            Mode::Game => self.plan.base.mul_f64(self.urgency(report)).min(self.plan.most),
        };
        if report.depth < SHALLOWEST {
            return ControlFlow::Continue(());
        }
        // An iteration that has begun may go on for a while: it is worth more when it ends.
        self.until = (self.start + enough * 2).min(self.plan.most);
        // What tables have decided no more thought will change.
        let known = report.score.is_decided() && !report.score.is_proved();
        let settled = known || self.plan.mode == Mode::Single && self.is_settled(report, elapsed);
        // The next iteration takes about as long as all before it.
        let over = elapsed >= (self.start + enough.mul_f64(0.6)).min(self.plan.most);
        if settled || over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn time_limit(&self) -> Option<TimeLimit> {
        self.limits().time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn_files::{Calibration, Playdata, Request};

    /// The urgency of `position` after iterations with these scores, `last` being that of the turn before.
    fn urgency(position: &str, last: Option<i32>, scores: &[i32]) -> f64 {
        let position: Position = position.parse().unwrap();
        let request = Request { mode: Mode::Game, left: Duration::from_secs(300), position, warnings: Vec::new() };
        let known = Playdata { score: last.map(Score::estimate), ..Playdata::fresh(position) };
        let plan = Plan::new(&request, &Calibration::default(), &known);
        let mut watch = |_: &Report<Position>| ();
        let mut thought = Thought::new(plan, Clock::Process, Clock::Process.now(), &mut watch);
        let report = |score| Report {
            best: None,
            depth: Depth(5),
            score: Score::estimate(score),
            principal_variation: Vec::new(),
            nodes: 0,
        };
        for &score in scores {
            assert_eq!(thought.iteration(&report(score)), ControlFlow::Continue(()), "too shallow to end");
        }
        thought.urgency(&report(*scores.last().unwrap()))
    }

    #[test]
    fn what_moves_and_what_may_be_lost_deserves_more() {
        let men = "B:W21,22,23,24,25,26,27:B1,2,3,4,5,6,7";
        let calm = urgency(men, Some(0), &[0, 0, 0, 0]);
        assert!(urgency(men, Some(0), &[0, 40, 0, 0]) > calm, "the score moves");
        assert!(urgency(men, Some(90), &[0, 0, 0, 0]) > 3.0 * calm, "worse than a turn ago");
        assert!(urgency(men, Some(-20), &[-20, -20, -20, -20]) > calm, "worse than the foe");
    }

    #[test]
    fn dead_draws_and_lost_games_deserve_little() {
        let men = "B:W21,22,23:B1,2,3";
        let kings = "B:WK21,K22:BK1,K2";
        let calm = urgency(men, Some(0), &[0, 0, 0, 0]);
        assert!(urgency(kings, Some(0), &[0, 0, 0, 0]) < calm);
        assert!(urgency(men, Some(-500), &[-500, -500, -500, -500]) < calm);
    }
}
