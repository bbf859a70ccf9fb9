//! Reports of a search, and observers that receive them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::TimeLimit;
use crate::game::Game;
use crate::score::{Depth, Score};

/// State of a search after an iteration.
#[derive(Clone, Debug)]
pub struct Report<G: Game> {
    /// Best move, always legal; `None` only if there is no legal move.
    pub best: Option<G::Move>,
    /// Depth of the last completed iteration; zero before the first.
    pub depth: Depth,
    /// Value of the position for the side to move, from the last completed iteration; before the first, from the
    /// evaluation.
    pub score: Score,
    /// Principal variation from the transposition table: the best move and the expected play after it; may be short.
    pub principal_variation: Vec<G::Move>,
    /// The best moves, the best first, as many as [`Limits::lines`](super::Limits::lines) asks for, from the last
    /// completed iteration; empty before the first. The first is the principal variation with its score.
    pub lines: Vec<Line<G>>,
    /// Number of nodes visited so far.
    pub nodes: u64,
}

/// A move at the root with its score and the expected play after it.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    /// Value of the position after the first move, for the side that makes it. A bound from an unfinished search is
    /// never reported.
    pub score: Score,
    /// The move and the play after it, from the transposition table; may be short.
    pub moves: Vec<G::Move>,
}

/// An observer of a search, which may stop it.
///
/// `()` lets the search run to its limits; a closure sees each iteration, `|report: &Report<_>| ...`; a reference to an
/// [`AtomicBool`] stops it from another thread.
pub trait Observer<G: Game> {
    /// Called every [`POLL_NODES`](super::POLL_NODES) nodes, and more often near the end of the time and while the
    /// transposition table grows.
    fn poll(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after every iteration.
    fn iteration(&mut self, _report: &Report<G>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after every iteration. Returns a time limit that replaces the current one, for results that justify less
    /// time or more. Its durations count from this call.
    fn time_limit(&self) -> Option<TimeLimit> {
        None
    }
}

/// Lets the search run to its limits.
impl<G: Game> Observer<G> for () {}

/// Stops the search when the flag is set, from any thread: within [`POLL_NODES`](super::POLL_NODES) nodes.
///
/// ```
/// # use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
/// # use std::thread;
/// # use kingline::{checkers::Position, evaluate::checkers::Evaluation};
/// # use kingline::search::{Limits, Searcher};
/// # use kingline::game::Game;
/// let stop = AtomicBool::new(false);
/// let mut searcher = Searcher::new(Evaluation::default());
/// let report = thread::scope(|scope| {
///     let search = scope.spawn(|| searcher.search(Position::start(), Limits::default(), &mut &stop));
///     stop.store(true, Relaxed);
///     search.join().unwrap()
/// });
/// assert!(report.best.is_some());
/// ```
impl<G: Game> Observer<G> for &AtomicBool {
    fn poll(&mut self) -> ControlFlow<()> {
        if self.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Sees each iteration, and may stop the search there.
impl<G: Game, F: FnMut(&Report<G>) -> ControlFlow<()>> Observer<G> for F {
    fn iteration(&mut self, report: &Report<G>) -> ControlFlow<()> {
        self(report)
    }
}
