//! Limits of a search.

use std::time::Duration;

use crate::clock::Clock;
use crate::score::Depth;

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
