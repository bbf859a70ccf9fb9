use std::time::Duration;

use crate::master::league::{Allowance, Clock};
use crate::master::record::FaultKind;
use crate::master::referee::Wrong;
use crate::master::sandbox::{End, Limits};

/// On a loaded machine a turn may take this many times its CPU time before it counts as hung.
const WALL_PER_CPU: u32 = 3;

/// What a turn of at most `within`, of what the clock counts, may use in all.
pub(super) fn limits(clock: &Clock, within: Duration) -> Limits {
    match clock.counts {
        Allowance::Cpu => {
            let wall = within.saturating_mul(WALL_PER_CPU).saturating_add(clock.patience);
            Limits { cpu: Some(within), wall, ..Limits::default() }
        }
        Allowance::Wall => Limits { cpu: None, wall: within, ..Limits::default() },
    }
}

/// What is wrong with a turn that the sandbox had to end, or could not start.
pub(super) fn wrong_end(end: &End, clock: &Clock, within: Duration) -> Option<Wrong> {
    let seconds = within.as_secs_f64();
    let in_time = match clock.counts {
        Allowance::Cpu => format!("an answer within {seconds:.3} s of CPU time"),
        Allowance::Wall => format!("an answer within {seconds:.3} s"),
    };
    let (kind, expected) = match (end, clock.counts) {
        (End::Exited(_) | End::Signalled(_), _) => return None,
        (End::OverCpu, _) | (End::OverWall, Allowance::Wall) => (FaultKind::OverTime, in_time),
        (End::OverWall, Allowance::Cpu) => (FaultKind::Hung, in_time),
        (End::OverMemory, _) => (FaultKind::OverMemory, "less".into()),
        (End::OverDisk, _) => (FaultKind::OverDisk, "less".into()),
        (End::OverOutput, _) => (FaultKind::OverOutput, "an answer, and nothing more".into()),
        (End::NotStarted(_), _) => (FaultKind::NotStarted, "a program that runs here".into()),
    };
    Some(Wrong { kind, read: end.to_string(), expected })
}

/// What is odd about the end of a turn whose answer is right: a note, no fault.
pub(in crate::master) fn oddity(end: &End) -> Option<String> {
    (!is_clean(end)).then(|| end.to_string())
}

/// Whether the program itself says that all went well.
pub(super) fn is_clean(end: &End) -> bool {
    *end == End::Exited(0)
}
