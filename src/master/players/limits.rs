//! What may a turn use, which fault is it to use more, and when is it the machine's?

use std::fmt;
use std::time::Duration;

use crate::master::clock_rules::{Allowance, ClockRules};
use crate::master::record::{FaultKind, Violation};
use crate::master::sandbox::{JobEnd, JobLimits};

/// A turn may take this many times its CPU time asleep before it counts as hung.
const WALL_PER_CPU: u32 = 3;

/// A turn that the machine has spoilt is played so often ...
pub(super) const TRIES: u32 = 3;
/// ... where wall time counts also one in which the referee could not look for so long: a program that was stopped
/// meanwhile, with the machine or by it, may have missed its time, and one that was not had time for nothing.
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
pub(super) fn limits(clock: &ClockRules, within: Duration) -> JobLimits {
    match clock.counts {
        Allowance::Cpu => {
            let wall = within.saturating_mul(WALL_PER_CPU).saturating_add(clock.patience);
            JobLimits { cpu: Some(within), wall, ..JobLimits::default() }
        }
        Allowance::Wall => JobLimits { cpu: None, wall: within, ..JobLimits::default() },
    }
}

/// The violation in a turn that the sandbox had to end, or could not start; one that the machine has spoilt has none.
pub(super) fn wrong_end(end: &JobEnd, clock: &ClockRules, within: Duration) -> Option<Violation> {
    let seconds = within.as_secs_f64();
    let in_time = match clock.counts {
        Allowance::Cpu => format!("an answer within {seconds:.3} s of CPU time"),
        Allowance::Wall => format!("an answer within {seconds:.3} s"),
    };
    let (kind, expected) = match (end, clock.counts) {
        (JobEnd::Exited(_) | JobEnd::Signalled(_) | JobEnd::Starved, _) => return None,
        (JobEnd::OverCpu, _) | (JobEnd::OverWall, Allowance::Wall) => (FaultKind::OverTime, in_time),
        (JobEnd::OverWall, Allowance::Cpu) => (FaultKind::Hung, in_time),
        (JobEnd::OverMemory, _) => (FaultKind::OverMemory, "less".into()),
        (JobEnd::OverDisk, _) => (FaultKind::OverDisk, "less".into()),
        (JobEnd::OverOutput, _) => (FaultKind::OverOutput, "an answer, and nothing more".into()),
        (JobEnd::NotStarted(_), _) => (FaultKind::NotStarted, "a program that runs here".into()),
    };
    Some(Violation { kind, read: end.to_string(), expected })
}

/// What is odd about the end of a turn whose answer is right: a note, not a fault.
pub(in crate::master) fn oddity(end: &JobEnd) -> Option<String> {
    (!is_clean(end)).then(|| end.to_string())
}

/// Whether the program exited with code 0.
pub(super) fn is_clean(end: &JobEnd) -> bool {
    *end == JobEnd::Exited(0)
}
