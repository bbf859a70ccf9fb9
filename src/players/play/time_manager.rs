//! Time management of a search, which ends when more thought is not worth the time.
//!
//! A [`TimeManager`] watches the iterations. Each game has its own [`Demand`], which decides how much search time a
//! position deserves.

mod checkers;
mod loa;

use std::ops::ControlFlow;
use std::time::Duration;

pub(super) use checkers::TurnDemand;
pub(super) use loa::MoveDemand;

use super::params::{CHANGE_DECAY, LAST_START, OVERTIME};
use kingline::clock::Clock;
use kingline::game::Game;
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

    /// Limits of the search.
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
