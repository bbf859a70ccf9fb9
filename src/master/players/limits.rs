//! What may a turn use, and which fault is it to use more?

use std::time::Duration;

use crate::master::clock_rules::{Allowance, ClockRules};
use crate::master::record::{FaultKind, Violation};
use crate::master::sandbox::{JobEnd, JobLimits};

/// On a loaded machine a turn may take this many times its CPU time before it counts as hung.
const WALL_PER_CPU: u32 = 3;

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

/// The violation in a turn that the sandbox had to end, or could not start.
pub(super) fn wrong_end(end: &JobEnd, clock: &ClockRules, within: Duration) -> Option<Violation> {
    let seconds = within.as_secs_f64();
    let in_time = match clock.counts {
        Allowance::Cpu => format!("an answer within {seconds:.3} s of CPU time"),
        Allowance::Wall => format!("an answer within {seconds:.3} s"),
    };
    let (kind, expected) = match (end, clock.counts) {
        (JobEnd::Exited(_) | JobEnd::Signalled(_), _) => return None,
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
