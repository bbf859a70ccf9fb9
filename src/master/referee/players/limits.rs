//! Limits of a turn, faults for exceeding them, and turns that the machine spoiled.

use std::time::Duration;

use crate::league::League;
use crate::league::clock_rules::{Allowance, ClockRules, Spent, TimeUsage};
use crate::record::{Failure, FaultKind, Violation};
use crate::sandbox::{CpuTime, JobEnd, JobLimits, Run};

/// A turn may sleep for this multiple of its CPU time limit, plus the league's patience, before it counts as hung.
const WALL_PER_CPU: u32 = 3;

/// Maximum number of attempts at a turn or a game if the machine spoils it.
pub(crate) const TRIES: u32 = 3;
/// Under a wall clock, a turn is spoiled if the referee could not observe it for this long: the agent may have been
/// stopped as well, or may have had that time for free.
const LONGEST_UNSEEN: Duration = Duration::from_secs(1);

/// The error that a player returns if the machine spoiled every attempt at its turn.
pub(crate) fn overloaded() -> anyhow::Error {
    Failure::Overloaded { tries: TRIES }.into()
}

/// Returns true if the machine spoiled a turn that ended with `end` and went unobserved for `unseen`.
pub(crate) fn is_spoiled(clock: &ClockRules, end: Option<&JobEnd>, unseen: Duration) -> bool {
    end.is_some_and(JobEnd::is_machines) || clock.counts == Allowance::Wall && unseen >= LONGEST_UNSEEN
}

/// Limits of a turn that may take `within` by the league's clock.
pub(crate) fn limits(league: &League, within: Duration) -> JobLimits {
    let asleep = within.saturating_mul(WALL_PER_CPU).saturating_add(league.clock.patience);
    let (cpu, counts, wall) = match league.clock.counts {
        Allowance::Cpu => (Some(within), CpuTime::UserAndSystem, asleep),
        Allowance::User => (Some(within), CpuTime::User, asleep),
        Allowance::Wall => (None, CpuTime::UserAndSystem, within),
    };
    JobLimits { counts, ..league.limits.of_job(cpu, wall) }
}

/// Time used by a run.
pub(crate) fn usage(run: &Run) -> TimeUsage {
    TimeUsage { spent: Spent { cpu: run.cpu, wall: run.wall }, waited: run.waited }
}

/// Violation in a turn that the sandbox had to end or could not start; `None` if the machine spoiled it.
pub(crate) fn wrong_end(end: &JobEnd, clock: &ClockRules, within: Duration, usage: TimeUsage) -> Option<Violation> {
    let in_time = clock.in_time(within);
    let (kind, expected) = match (end, clock.counts) {
        (JobEnd::Exited(_) | JobEnd::Signalled(_) | JobEnd::Starved | JobEnd::MachineOutOfMemory, _) => return None,
        (JobEnd::OverCpu, _) | (JobEnd::OverWall, Allowance::Wall) => (FaultKind::OverTime, in_time),
        (JobEnd::OverWall, Allowance::Cpu | Allowance::User) => (FaultKind::Hung, in_time),
        (JobEnd::OverMemory, _) => (FaultKind::OverMemory, "less".into()),
        (JobEnd::OverDisk, _) => (FaultKind::OverDisk, "less".into()),
        (JobEnd::OverOutput, _) => (FaultKind::OverOutput, "only an answer".into()),
        (JobEnd::NotStarted(_), _) => (FaultKind::NotStarted, "a program that runs here".into()),
    };
    // Not the words of the kind once more.
    let read = match (kind, end) {
        (FaultKind::OverTime, _) => format!("{end}: {usage}"),
        (FaultKind::Hung, _) => usage.to_string(),
        (FaultKind::OverOutput, _) => "it was ended in the middle of the line".into(),
        (_, JobEnd::NotStarted(why)) => why.clone(),
        _ => end.to_string(),
    };
    Some(Violation { kind, read, expected })
}

/// Note about a turn with a correct answer but an unclean exit.
pub(crate) fn oddity(end: &JobEnd) -> Option<String> {
    (!is_clean(end)).then(|| end.to_string())
}

/// Returns true if the program exited with code 0.
pub(crate) fn is_clean(end: &JobEnd) -> bool {
    *end == JobEnd::Exited(0)
}
