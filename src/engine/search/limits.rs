use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::clock::Clock;
use crate::game::Game;
use crate::score::{Depth, Score};

/// Limits of a search, which ends at the first one that it reaches. Without any, it runs to the maximum depth. An
/// [`Observer`](super::Observer) may stop it earlier.
///
/// ```
/// # use std::time::Duration;
/// # use kingline::score::Depth;
/// # use kingline::search::Limits;
/// let short = Limits::time(Duration::from_millis(50));
/// let both = Limits { depth: Some(Depth(12)), ..short };
/// # assert_eq!(both.time, short.time);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time, checked every [`POLL_NODES`](super::POLL_NODES) nodes, and more often near its end.
    pub time: Option<TimeLimit>,
    /// Number of nodes; makes searches reproducible on any machine and under any load.
    pub nodes: Option<u64>,
    /// Depth of the last iteration.
    pub depth: Option<Depth>,
    /// Number of plies after which the game is drawn, if nobody has won; `None` if it has no such limit.
    pub game_plies: Option<u16>,
    /// Number of best moves whose exact scores are wanted, for analysis; 0 counts as 1. Each takes about as long as the
    /// first.
    pub lines: usize,
}

/// Time limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Wall time from the start of the search.
    Wall(Duration),
    /// CPU time of the process from the start of the search.
    Cpu(Duration),
    /// Until this clock shows this time.
    Until(Clock, Duration),
}

impl Limits {
    /// Limits the wall time from the start of the search.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(TimeLimit::Wall(time)), ..Limits::default() }
    }

    /// Limits the CPU time of the process from the start of the search.
    pub fn cpu_time(time: Duration) -> Limits {
        Limits { time: Some(TimeLimit::Cpu(time)), ..Limits::default() }
    }

    /// Lets the search run until `clock` shows `time`: to share one limit among several searches, or to count time from
    /// an earlier start.
    pub fn until(clock: Clock, time: Duration) -> Limits {
        Limits { time: Some(TimeLimit::Until(clock, time)), ..Limits::default() }
    }

    /// Limits the number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits the depth of the iterations, in plies.
    pub fn depth(depth: i16) -> Limits {
        Limits { depth: Some(Depth(depth)), ..Limits::default() }
    }

    /// Asks for the exact scores of the `lines` best moves, or of all if there are fewer.
    #[must_use]
    pub fn lines(self, lines: usize) -> Limits {
        Limits { lines, ..self }
    }

    /// Starts the time limit now, so that several searches can share it.
    #[must_use]
    pub fn started(self) -> Limits {
        Limits { time: self.time.map(TimeLimit::started), ..self }
    }

    /// Reduces the remaining time and nodes to the fraction `share`, from 0 to 1.
    #[must_use]
    pub fn part(self, share: f64) -> Limits {
        Limits {
            time: self.time.map(|time| time.part(share)),
            nodes: self.nodes.map(|nodes| (nodes as f64 * share) as u64),
            ..self
        }
    }

    /// Subtracts the nodes of an earlier search.
    #[must_use]
    pub fn after(self, nodes: u64) -> Limits {
        Limits { nodes: self.nodes.map(|most| most.saturating_sub(nodes)), ..self }
    }
}

impl TimeLimit {
    pub(super) fn started(self) -> TimeLimit {
        let (clock, time) = match self {
            TimeLimit::Wall(time) => (Clock::wall(), time),
            TimeLimit::Cpu(time) => (Clock::Process, time),
            until @ TimeLimit::Until(..) => return until,
        };
        TimeLimit::Until(clock, clock.now().saturating_add(time))
    }

    fn part(self, share: f64) -> TimeLimit {
        match self {
            TimeLimit::Wall(time) => TimeLimit::Wall(time.mul_f64(share)),
            TimeLimit::Cpu(time) => TimeLimit::Cpu(time.mul_f64(share)),
            TimeLimit::Until(clock, until) => {
                let now = clock.now();
                TimeLimit::Until(clock, now + until.saturating_sub(now).mul_f64(share))
            }
        }
    }

    /// Time left of a started limit; zero if it is over.
    pub(super) fn left(self) -> Duration {
        match self {
            TimeLimit::Until(clock, until) => until.saturating_sub(clock.now()),
            TimeLimit::Wall(time) | TimeLimit::Cpu(time) => time,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_count_from_the_start() {
        let limits = Limits::time(Duration::from_secs(3600)).started();
        let Some(TimeLimit::Until(clock, until)) = limits.time else { panic!("{limits:?}") };
        assert!(until >= Duration::from_secs(3600) && clock.now() < Duration::from_secs(60));
        assert_eq!(limits.started(), limits, "a limit that has started goes on");
        assert!(limits.time.unwrap().left() > Duration::from_secs(3000));
        assert!(Limits::cpu_time(Duration::ZERO).started().time.unwrap().left().is_zero());
        assert!(!Limits::time(Duration::MAX).started().time.unwrap().left().is_zero());
    }

    #[test]
    fn limits_can_be_split_and_reduced() {
        let limits = Limits { depth: Some(Depth(9)), ..Limits::nodes(1000) };
        assert_eq!(limits.part(0.05), Limits { nodes: Some(50), ..limits });
        assert_eq!(limits.after(50).nodes, Some(950));
        assert_eq!(limits.after(5000).nodes, Some(0));
        assert_eq!(Limits::time(Duration::from_secs(2)).part(0.5), Limits::time(Duration::from_secs(1)));
        let left = Limits::until(Clock::Process, Clock::Process.now() + Duration::from_secs(1000)).part(0.5);
        assert!(!left.time.unwrap().left().is_zero());
        assert!(Limits::until(Clock::Process, Duration::ZERO).part(1.0).time.unwrap().left().is_zero());
    }
}
