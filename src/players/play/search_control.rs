//! A search in the background: how it is ended from outside, and what is reported of it.

use std::io;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::protocol::hub::Purpose;
use kingline::game::Game;
use kingline::score::Depth;
use kingline::search::{Observer, POLL_NODES, Report};

/// Requests to a search in progress, from any thread.
pub(super) struct SearchControl {
    pub(super) purpose: Purpose,
    requests: Mutex<Requests>,
    changed: Condvar,
}

#[derive(Clone, Copy)]
struct Requests {
    end: bool,
    /// Nobody waits for the move.
    no_move: bool,
    /// Start of the own clock, if it runs.
    on_clock: Option<Instant>,
}

impl SearchControl {
    /// Control of a search that begins now.
    pub(super) fn new(purpose: Purpose) -> SearchControl {
        let on_clock = (purpose == Purpose::Think).then(Instant::now);
        let requests = Mutex::new(Requests { end: false, no_move: false, on_clock });
        SearchControl { purpose, requests, changed: Condvar::new() }
    }

    pub(super) fn stop(&self) {
        self.change(|requests| requests.end = true);
    }

    /// No more requests will come: a search that is not on its own clock ends.
    pub(super) fn finish(&self) {
        self.change(|requests| requests.end |= requests.on_clock.is_none());
    }

    /// The expected move was made: the own clock runs.
    pub(super) fn hit(&self) {
        if self.purpose == Purpose::Ponder {
            self.change(|requests| requests.on_clock = requests.on_clock.or(Some(Instant::now())));
        }
    }

    /// Ends the search, for whose move nobody waits.
    pub(super) fn drop_move(&self) {
        self.change(|requests| (requests.no_move, requests.end) = (true, true));
    }

    pub(super) fn is_move_wanted(&self) -> bool {
        !self.requests().no_move
    }

    /// Waits until the move may be made: at once on the own clock, otherwise when the search must end.
    pub(super) fn wait_for_end(&self) {
        let waits = |requests: &mut Requests| !requests.end && requests.on_clock.is_none();
        drop(self.changed.wait_while(self.requests(), waits).unwrap_or_else(PoisonError::into_inner));
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Requests)) {
        change(&mut self.requests());
        self.changed.notify_all();
    }
}

/// Limits of a search that began on the opponent's clock, in force while it is on its own.
#[derive(Clone, Copy, Default)]
pub(super) struct HitLimits {
    /// Time on the own clock.
    pub(super) time: Option<Duration>,
    /// Depth, pondering included.
    pub(super) depth: Option<Depth>,
    /// Number of nodes, pondering included.
    pub(super) nodes: Option<u64>,
}

/// Receiver of finished iterations, each with the time since the search began.
pub(super) type Write<'a, G> = dyn FnMut(&Report<G>, Duration) -> io::Result<()> + 'a;

pub(super) struct Watch<'a, G: Game> {
    control: &'a SearchControl,
    limits: HitLimits,
    began: Instant,
    write: &'a mut Write<'a, G>,
    /// First error of `write`, which ends the search.
    failed: Option<io::Error>,
    depth: Depth,
    /// Nodes so far: exact after an iteration, those of the first thread after a poll.
    nodes: u64,
}

impl<'a, G: Game> Watch<'a, G> {
    /// Observer of a search that begins now.
    pub(super) fn new(control: &'a SearchControl, limits: HitLimits, write: &'a mut Write<'a, G>) -> Watch<'a, G> {
        Watch { control, limits, began: Instant::now(), write, failed: None, depth: Depth::ZERO, nodes: 0 }
    }

    /// Writes the result of the search, unless it was the last iteration: a win in one ply is found without any, and a
    /// thread that helps may have come deeper.
    pub(super) fn finish(mut self, report: &Report<G>) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None if report.depth > self.depth => (self.write)(report, self.began.elapsed()),
            None => Ok(()),
        }
    }

    fn is_at_limit(&self, on_clock: Instant) -> bool {
        let HitLimits { time, depth, nodes } = self.limits;
        time.is_some_and(|time| on_clock.elapsed() >= time)
            || depth.is_some_and(|depth| self.depth >= depth)
            || nodes.is_some_and(|nodes| self.nodes >= nodes)
    }

    fn decide(&self) -> ControlFlow<()> {
        let Requests { end, on_clock, .. } = *self.control.requests();
        let ends = end || on_clock.is_some_and(|since| self.is_at_limit(since));
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<G: Game> Observer<G> for Watch<'_, G> {
    fn poll(&mut self) -> ControlFlow<()> {
        self.nodes += POLL_NODES;
        self.decide()
    }

    fn iteration(&mut self, report: &Report<G>) -> ControlFlow<()> {
        (self.depth, self.nodes) = (report.depth, report.nodes);
        match (self.write)(report, self.began.elapsed()) {
            Ok(()) => self.decide(),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers::Position;
    use kingline::score::Score;

    fn report(depth: i16, nodes: u64) -> Report<Position> {
        let (best, principal_variation, lines) = (None, Vec::new(), Vec::new());
        Report { best, depth: Depth(depth), score: Score::DRAW, principal_variation, lines, nodes }
    }

    /// Depths written by a search of these iterations and this result, and whether it was let go on after each.
    fn watched(control: &SearchControl, limits: HitLimits, iterations: &[Report<Position>]) -> (Vec<i16>, Vec<bool>) {
        let mut depths = Vec::new();
        let mut write = |report: &Report<Position>, _: Duration| {
            depths.push(report.depth.0);
            Ok(())
        };
        let mut watch = Watch::new(control, limits, &mut write);
        let goes_on = iterations.iter().map(|report| watch.iteration(report).is_continue()).collect();
        watch.finish(&report(7, 0)).unwrap();
        (depths, goes_on)
    }

    #[test]
    fn a_result_deeper_than_the_last_iteration_is_written() {
        let control = SearchControl::new(Purpose::Analyze);
        assert_eq!(watched(&control, HitLimits::default(), &[]).0, [7]);
        assert_eq!(watched(&control, HitLimits::default(), &[report(6, 1), report(7, 2)]).0, [6, 7]);
        assert_eq!(watched(&control, HitLimits::default(), &[report(6, 1)]).0, [6, 7]);
    }

    #[test]
    fn the_limits_apply_after_the_hit() {
        let iterations = [report(5, 100), report(6, 2000)];
        for limits in [
            HitLimits { depth: Some(Depth(6)), ..HitLimits::default() },
            HitLimits { nodes: Some(1000), ..HitLimits::default() },
        ] {
            let control = SearchControl::new(Purpose::Ponder);
            assert_eq!(watched(&control, limits, &iterations).1, [true, true]);
            control.hit();
            assert_eq!(watched(&control, limits, &iterations).1, [true, false]);
        }
        let control = SearchControl::new(Purpose::Ponder);
        control.hit();
        let at_once = HitLimits { time: Some(Duration::ZERO), ..HitLimits::default() };
        assert_eq!(watched(&control, at_once, &iterations).1, [false, false]);
        let analysis = SearchControl::new(Purpose::Analyze);
        analysis.hit();
        assert_eq!(watched(&analysis, at_once, &iterations).1, [true, true], "an analysis has no clock");
    }

    #[test]
    fn the_first_error_of_the_reader_ends_the_search() {
        let control = SearchControl::new(Purpose::Think);
        let mut write = |_: &Report<Position>, _: Duration| Err(io::ErrorKind::BrokenPipe.into());
        let mut watch = Watch::new(&control, HitLimits::default(), &mut write);
        assert!(watch.iteration(&report(1, 1)).is_break());
        assert_eq!(watch.finish(&report(1, 1)).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn without_more_requests_only_a_search_on_its_own_clock_goes_on() {
        let goes_on = |control: &SearchControl| watched(control, HitLimits::default(), &[report(1, 1)]).1 == [true];
        for (purpose, expected) in [(Purpose::Think, true), (Purpose::Ponder, false), (Purpose::Analyze, false)] {
            let control = SearchControl::new(purpose);
            control.finish();
            assert_eq!(goes_on(&control), expected, "{purpose:?}");
            control.drop_move();
            assert!(!goes_on(&control) && !control.is_move_wanted());
        }
    }
}
