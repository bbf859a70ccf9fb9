//! What may a turn use, which fault is it to use more, and when is it the machine's?

use std::fmt;
use std::time::Duration;

use crate::master::clock_rules::{Allowance, ClockRules, Spent, TimeUsage};
use crate::master::league::League;
use crate::master::record::{FaultKind, Violation};
use crate::master::sandbox::{JobEnd, JobLimits, Run};

/// A turn may take this many times its CPU time asleep before it counts as hung.
const WALL_PER_CPU: u32 = 3;

/// How often a turn, or a game, that the machine has spoilt is played before there is no result.
pub(super) const TRIES: u32 = 3;
/// Where wall time counts, a turn is spoilt in which the referee could not look for so long: the agent may have stood still
/// meanwhile, or had the time for nothing.
const LONGEST_UNSEEN: Duration = Duration::from_secs(1);

/// The machine has spoilt a turn or a game, however often it was played: nobody's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overloaded;

impl fmt::Display for Overloaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no result: the machine is overloaded and has spoilt {TRIES} tries")
    }
}

impl std::error::Error for Overloaded {}

/// Whether the machine has spoilt a turn that ended so, with so much time in which the referee could not look.
pub(super) fn is_spoilt(clock: &ClockRules, end: Option<&JobEnd>, unseen: Duration) -> bool {
    end == Some(&JobEnd::Starved) || clock.counts == Allowance::Wall && unseen >= LONGEST_UNSEEN
}

/// The limits of a turn that may take `within` by the league's clock.
pub(super) fn limits(league: &League, within: Duration) -> JobLimits {
    let (cpu, wall) = match league.clock.counts {
        Allowance::Cpu => {
            let asleep = within.saturating_mul(WALL_PER_CPU).saturating_add(league.clock.patience);
            (Some(within), asleep)
        }
        Allowance::Wall => (None, within),
    };
    league.limits.of_job(cpu, wall)
}

/// What a run has used.
pub(super) fn usage(run: &Run) -> TimeUsage {
    TimeUsage { spent: Spent { cpu: run.cpu, wall: run.wall }, waited: run.waited }
}

/// The violation in a turn that the sandbox had to end, or could not start; one that the machine has spoilt has none.
pub(super) fn wrong_end(end: &JobEnd, clock: &ClockRules, within: Duration, usage: TimeUsage) -> Option<Violation> {
    let in_time = clock.in_time(within);
    let (kind, expected) = match (end, clock.counts) {
        (JobEnd::Exited(_) | JobEnd::Signalled(_) | JobEnd::Starved, _) => return None,
        (JobEnd::OverCpu, _) | (JobEnd::OverWall, Allowance::Wall) => (FaultKind::OverTime, in_time),
        (JobEnd::OverWall, Allowance::Cpu) => (FaultKind::Hung, in_time),
        (JobEnd::OverMemory, _) => (FaultKind::OverMemory, "less".into()),
        (JobEnd::OverDisk, _) => (FaultKind::OverDisk, "less".into()),
        (JobEnd::OverOutput, _) => (FaultKind::OverOutput, "an answer, and nothing more".into()),
        (JobEnd::NotStarted(_), _) => (FaultKind::NotStarted, "a program that runs here".into()),
    };
    let read = match kind {
        FaultKind::OverTime | FaultKind::Hung => format!("{end}: {usage}"),
        _ => end.to_string(),
    };
    Some(Violation { kind, read, expected })
}

/// What is odd about the end of a turn whose answer is right: a note, not a fault.
pub(in crate::master) fn oddity(end: &JobEnd) -> Option<String> {
    (!is_clean(end)).then(|| end.to_string())
}

/// Whether the program exited with code 0.
pub(super) fn is_clean(end: &JobEnd) -> bool {
    *end == JobEnd::Exited(0)
}
