use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::buckets::GoesOn;
use super::params::{NEAR_END, POLL_NODES, POLL_NODES_NEAR_END};
use super::{Limits, Observer, TimeLimit};
use crate::game::Game;
use crate::score::Depth;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Counts the nodes of a running search, and checks them and the time against its limits.
pub(super) struct LimitCheck<'a, G: Game> {
    pub(super) observer: &'a mut dyn Observer<G>,
    nodes: u64,
    next_check: u64,
    node_limit: u64,
    time_limit: Option<TimeLimit>,
    member: Option<Member<'a>>,
}

impl<'a, G: Game> LimitCheck<'a, G> {
    /// Creates a check of the nodes and time of `limits`, which must have [started](Limits::started).
    pub(super) fn new(limits: Limits, observer: &'a mut dyn Observer<G>) -> LimitCheck<'a, G> {
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let next_check = POLL_NODES.min(node_limit);
        LimitCheck { observer, nodes: 0, next_check, node_limit, time_limit: limits.time, member: None }
    }

    /// Counts the nodes of the other threads as well, and stops when one of them ends the search.
    pub(super) fn with_member(self, member: Member<'a>) -> LimitCheck<'a, G> {
        LimitCheck { member: Some(member), ..self }
    }

    /// Nodes counted so far; those of other threads at their last checks.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.member.map_or(0, |member| member.exchange_nodes(self.nodes))
    }

    /// Counts a node. Every [`POLL_NODES`] nodes, and more often near the end of the time, it also checks the time and
    /// polls the observer; if the search continues, it calls `grow` with the time left, if limited, so that the table can
    /// grow as long as the observer lets it.
    #[inline]
    pub(super) fn count_node(&mut self, grow: impl FnOnce(Option<Duration>, GoesOn)) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes < self.next_check {
            return Ok(());
        }
        let left = self.check_limits()?;
        let mut flow = ControlFlow::Continue(());
        grow(left, &mut || {
            flow = self.observer.poll();
            flow.is_continue()
        });
        if flow.is_break() { Err(Stopped) } else { Ok(()) }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<Option<Duration>, Stopped> {
        let left = self.time_limit.map(TimeLimit::left);
        let nodes = self.nodes();
        if nodes >= self.node_limit
            || left == Some(Duration::ZERO)
            || self.observer.poll() == ControlFlow::Break(())
            || self.member.is_some_and(Member::is_over)
        {
            return Err(Stopped);
        }
        let step = if left.is_some_and(|left| left < NEAR_END) { POLL_NODES_NEAR_END } else { POLL_NODES };
        self.next_check = self.nodes + step.min(self.node_limit - nodes);
        Ok(left)
    }

    /// Depth of the iteration after the one to `depth`: the next, unless other threads leave this one another.
    pub(super) fn next_depth(&self, depth: Depth) -> Depth {
        self.member.map_or(depth + 1, |member| member.next_depth(depth))
    }

    /// Replaces the time limit if the observer wants another.
    pub(super) fn renew_time(&mut self) {
        self.time_limit = self.observer.time_limit().map(TimeLimit::started).or(self.time_limit);
    }

    pub(super) fn allow_more(&mut self, nodes: u64) {
        self.node_limit = self.nodes + nodes;
    }
}

pub(super) const FIRST_THREAD: usize = 0;

/// State that the threads of a search change for each other.
pub(super) struct Team {
    pub(super) is_over: AtomicBool,
    depth: AtomicI16,
    pub(super) nodes: Vec<Count>,
}

/// A count in a cache line of its own, since its thread writes it often.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Count(AtomicU64);

impl Team {
    pub(super) fn new(threads: usize) -> Team {
        Team {
            is_over: AtomicBool::new(false),
            depth: AtomicI16::new(0),
            nodes: (0..threads).map(|_| Count::default()).collect(),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.0.load(Relaxed)).sum()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) team: &'a Team,
    pub(super) number: usize,
}

impl Member<'_> {
    pub(super) fn is_over(self) -> bool {
        self.team.is_over.load(Relaxed)
    }

    /// Tells the other threads this one's number of nodes. Returns theirs.
    pub(super) fn exchange_nodes(self, own: u64) -> u64 {
        self.team.nodes[self.number].0.store(own, Relaxed);
        self.team.nodes() - own
    }

    /// Depth of the iteration after the one to `depth`. The first thread leaves none out; the others keep
    /// [ahead](plies_ahead) of it.
    pub(super) fn next_depth(self, depth: Depth) -> Depth {
        let next = depth + 1;
        if self.number == FIRST_THREAD {
            self.team.depth.store(next.0, Relaxed);
            return next;
        }
        next.max(Depth(self.team.depth.load(Relaxed)) + plies_ahead(self.number))
    }
}

/// Plies by which the iterations of a helper are deeper than that of the first thread: 3, 2 and 1 in turn. With 3, two
/// threads take 0.66 of the time of one to a depth of Lines of Action, with 2, 1 and 4 plies 0.68, 0.71 and 0.77, and
/// with every other depth, whatever the first thread does, 0.77.
fn plies_ahead(number: usize) -> i16 {
    3 - ((number - 1) % 3) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::Position;

    /// Stops the search at this call of `poll`.
    struct StopsAt(u32);

    impl Observer<Position> for StopsAt {
        fn poll(&mut self) -> ControlFlow<()> {
            self.0 -= 1;
            if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// Counts nodes until the check stops; returns their number, and how often the table could have grown.
    fn run(limits: Limits, observer: &mut dyn Observer<Position>) -> (u64, u32) {
        let mut check = LimitCheck::new(limits.started(), observer);
        let mut grown = 0;
        while check.count_node(|_, _| grown += 1) == Ok(()) {}
        (check.nodes(), grown)
    }

    #[test]
    fn the_node_limit_is_kept_to_the_node() {
        assert_eq!(run(Limits::nodes(1), &mut ()), (1, 0));
        assert_eq!(run(Limits::nodes(POLL_NODES + 5), &mut ()), (POLL_NODES + 5, 1));
    }

    #[test]
    fn time_and_observer_are_asked_every_poll_nodes() {
        assert_eq!(run(Limits::time(Duration::ZERO), &mut ()), (POLL_NODES, 0));
        assert_eq!(run(Limits::default(), &mut StopsAt(3)), (3 * POLL_NODES, 2));
    }

    #[test]
    fn a_search_that_is_stopped_during_a_growth_ends() {
        let mut observer = StopsAt(3);
        let mut check = LimitCheck::new(Limits::default(), &mut observer);
        let mut asked = Vec::new();
        while check.count_node(|_, goes_on| asked.extend([goes_on(), goes_on()])) == Ok(()) {}
        assert_eq!((check.nodes(), asked), (POLL_NODES, vec![true, false]));
    }

    #[test]
    fn the_table_is_told_the_time_left() {
        let left = |limits: Limits| {
            let mut left = Vec::new();
            let mut observer = ();
            let mut check = LimitCheck::<Position>::new(limits.started(), &mut observer);
            while check.count_node(|time, _| left.push(time)) == Ok(()) {}
            left
        };
        let nodes = Limits::nodes(POLL_NODES + 1);
        assert_eq!(left(nodes), [None]);
        let times = left(Limits { nodes: nodes.nodes, ..Limits::time(Duration::from_secs(3600)) });
        assert!(matches!(times[..], [Some(time)] if time > Duration::from_secs(3000)), "{times:?}");
    }

    #[test]
    fn a_search_whose_nodes_are_spent_may_be_allowed_more() {
        let mut observer = ();
        let mut check = LimitCheck::<Position>::new(Limits::nodes(5), &mut observer);
        while check.count_node(|_, _| ()) == Ok(()) {}
        check.allow_more(10);
        assert_eq!(check.count_node(|_, _| ()), Ok(()));
        while check.count_node(|_, _| ()) == Ok(()) {}
        assert_eq!(check.nodes(), 15);
    }

    #[test]
    fn helpers_keep_ahead_of_the_first_thread() {
        let team = Team::new(5);
        let next = |number, depth| Member { team: &team, number }.next_depth(Depth(depth)).0;
        assert_eq!(next(1, 0), 3, "before the first thread");
        assert_eq!([next(FIRST_THREAD, 0), next(FIRST_THREAD, 6)], [1, 7]);
        assert_eq!([1, 2, 3, 4].map(|number| next(number, 5)), [10, 9, 8, 10]);
        assert_eq!([1, 2, 3, 4].map(|number| next(number, 12)), [13; 4], "ahead already");
    }
}
