//! Time management of a search, which ends when more thought is not worth the time.
//!
//! A [`TimeManager`] watches the iterations. Each game has its own [`Demand`], which decides how much search time a
//! position deserves.

use std::ops::ControlFlow;
use std::time::Duration;

use super::params::{
    BETTER_FACTOR, CHANGE_DECAY, CHANGE_FACTOR, DECIDED, DRAWISH_FACTOR, DRAWISH_PIECES, FALL_UNIT, FULL_BOARD_FACTOR,
    FULL_BOARD_PIECES, LAST_START, LEVEL, LEVEL_FACTOR, LOA_CHANGE_PART, LOA_FALL_PART, LOA_FALL_UNIT,
    LOA_LONGEST_MOVE, LOA_MOST_FALLS, LOA_MOST_SHARES, LOA_STEADY_PART, LOST_FACTOR, MAX_FALL_FACTOR, MAX_SWING_FACTOR,
    OVERTIME, SETTLED_DEPTH, SETTLED_PART, SETTLED_SWING, SETTLED_TIMES, SWING_UNIT, WON_FACTOR, WORSE_FACTOR,
};
use super::time_budget::TimeBudget;
use crate::protocol::turn_files::Mode;
use kingline::checkers::Position;
use kingline::clock::Clock;
use kingline::game::{Color, Game};
use kingline::score::Score;
use kingline::search::{Limits, Observer, Report, TimeLimit};

/// Time that a position deserves, judged by the iterations of its search.
pub(super) trait Demand<G: Game> {
    /// Weight of the first iteration's best move, counted as a change of the best move.
    const FIRST_CHANGE: f64;

    /// Takes an iteration into account, and returns the time that the position deserves. `changes` is the number of
    /// recent changes of the best move, with exponential decay.
    fn deserved(&mut self, report: &Report<G>, changes: f64) -> Duration;

    /// Decision that does not depend on the deserved time. `elapsed` is the time since the start of the turn, and
    /// `since` the time into the turn at which the best move was found.
    fn decide(&self, _report: &Report<G>, _elapsed: Duration, _since: Duration) -> Option<ControlFlow<()>> {
        None
    }
}

/// Observer that ends the search of a turn when more time is not worth its cost.
pub(super) struct TimeManager<'a, G: Game, D, O> {
    demand: D,
    /// Observer that sees every iteration first, and may also stop the search.
    observer: &'a mut O,
    clock: Clock,
    /// Clock reading at the start of the turn.
    began: Duration,
    /// Time into the turn at which the search began.
    start: Duration,
    /// Hard limit of the search, counted from the start of the turn.
    most: Duration,
    /// Time into the turn at which the running iteration is cut off.
    until: Duration,
    best: Option<G::Move>,
    /// Time into the turn at which the best move was found.
    since: Duration,
    /// Recent changes of the best move, with exponential decay.
    changes: f64,
}

impl<'a, G: Game, D: Demand<G>, O: Observer<G>> TimeManager<'a, G, D, O> {
    /// Manager of a search that begins now. `most` limits the time since the start of the turn, when `clock` showed
    /// `began`.
    pub(super) fn new(demand: D, most: Duration, (clock, began): (Clock, Duration), observer: &'a mut O) -> Self {
        let start = clock.now().saturating_sub(began);
        let (best, since, changes) = (None, Duration::ZERO, 0.0);
        TimeManager { demand, observer, clock, began, start, most, until: most, best, since, changes }
    }

    pub(super) fn limits(&self) -> Limits {
        Limits::until(self.clock, self.began + self.until)
    }
}

impl<G: Game, D: Demand<G>, O: Observer<G>> Observer<G> for TimeManager<'_, G, D, O> {
    fn poll(&mut self) -> ControlFlow<()> {
        self.observer.poll()
    }

    fn iteration(&mut self, report: &Report<G>) -> ControlFlow<()> {
        self.observer.iteration(report)?;
        let elapsed = self.clock.now().saturating_sub(self.began);
        self.changes *= CHANGE_DECAY;
        if report.best != self.best {
            self.changes += if self.best.is_some() { 1.0 } else { D::FIRST_CHANGE };
            (self.best, self.since) = (report.best, elapsed);
        }
        let deserved = self.demand.deserved(report, self.changes);
        if let Some(decision) = self.demand.decide(report, elapsed, self.since) {
            return decision;
        }
        self.until = (self.start + deserved * OVERTIME).min(self.most);
        let is_late = elapsed >= self.start + deserved.mul_f64(LAST_START);
        if is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn time_limit(&self) -> Option<TimeLimit> {
        self.limits().time
    }
}

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

/// Time that a move deserves: less than an equal share while the best move and the score are steady, which leaves more
/// for doubtful moves.
pub(in crate::play) struct MoveDemand {
    /// An equal share of the time left.
    share: Duration,
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
    use crate::protocol::turn_files::{Calibration, Playdata, TurnRequest};
    use kingline::loa;
    use kingline::score::Depth;

    fn report<G: Game>(best: Option<G::Move>, score: i32) -> Report<G> {
        let score = Score::estimate(score);
        Report { best, depth: Depth(5), score, principal_variation: Vec::new(), lines: Vec::new(), nodes: 0 }
    }

    /// Urgency of `position` after iterations with these scores; `last` is the score of the previous turn.
    fn urgency(position: &str, last: Option<i32>, scores: &[i32]) -> f64 {
        let position: Position = position.parse().unwrap();
        let request = TurnRequest { mode: Mode::Game, left: Duration::from_secs(300), position, warnings: Vec::new() };
        let known = Playdata { score: last.map(Score::estimate), ..Playdata::fresh(position) };
        let mut demand = TurnDemand::new(TimeBudget::new(&request, &Calibration::default(), &known));
        for &score in scores {
            let report = report::<Position>(None, score);
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

    const SECOND: Duration = Duration::from_secs(1);

    /// Time deserved after `iterations`, each a move index and a score, if the share is a second.
    fn deserved(iterations: &[(usize, i32)]) -> Duration {
        let position = loa::Position::<8>::start();
        let observer = &mut ();
        let clock = (Clock::Process, Duration::ZERO);
        let mut manager =
            TimeManager::<loa::Position<8>, _, _>::new(MoveDemand::new(SECOND), 100 * SECOND, clock, observer);
        manager.start = Duration::ZERO;
        for &(index, score) in iterations {
            let _ = manager.iteration(&report(Some(position.legal_moves()[index]), score));
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
