//! Checks of a running search against its limits.

use std::ops::ControlFlow;
use std::time::Duration;

use super::buckets::GoesOn;
use super::params::{NEAR_END, POLL_NODES, POLL_NODES_NEAR_END};
use super::threads::Member;
use super::{Limits, Observer, TimeLimit};
use crate::game::Game;
use crate::score::Depth;

/// Signal that the search must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// Counts the nodes of a running search, and checks them and the time against its limits.
pub(super) struct LimitCheck<'a, G: Game> {
    pub(super) observer: &'a mut dyn Observer<G>,
    nodes: u64,
    /// Node count at the next check.
    next_check: u64,
    node_limit: u64,
    time_limit: Option<TimeLimit>,
    /// Place among the threads of the search, if there are several.
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

    /// Returns the time left, if limited.
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

    /// Allows `nodes` more nodes from now on.
    pub(super) fn allow_more(&mut self, nodes: u64) {
        self.node_limit = self.nodes + nodes;
    }
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
}
