//! The agent's first answer, judged step by step.

use super::asked::Asked;
use super::step::{StepResult, Walk};
use crate::record::FaultKind;

/// A step on the way to a first answer.
pub(super) struct Rung {
    pub(super) section: &'static str,
    pub(super) title: &'static str,
    /// Faults that fail this step.
    pub(super) stops: &'static [FaultKind],
}

/// First step of every ladder.
pub(super) const STARTS: Rung =
    Rung { section: "§2", title: "the program can be started", stops: &[FaultKind::NotStarted] };
/// Second step of every ladder.
pub(super) const ENDS: Rung = Rung {
    section: "§2",
    title: "it ends on its own, within its limits",
    stops: &[FaultKind::OverTime, FaultKind::Hung, FaultKind::OverMemory, FaultKind::OverDisk, FaultKind::OverOutput],
};
/// Faults of an agent that gives no answer.
pub(super) const SILENT: &[FaultKind] =
    &[FaultKind::Crashed, FaultKind::NoAnswer, FaultKind::EmptyAnswer, FaultKind::NotAFile, FaultKind::TooLong];

/// Reports the first answer as steps; returns true if the program can be started. If it cannot, no other step makes
/// sense.
pub(super) fn climb<M>(walk: &mut Walk, rungs: &[Rung], first: &Asked<M>) -> bool {
    let kind = first.answer.mv.as_ref().err().map(|wrong| wrong.kind);
    let fell = kind.map(|kind| rungs.iter().position(|rung| rung.stops.contains(&kind)).unwrap_or(rungs.len() - 1));
    for (index, rung) in rungs.iter().enumerate() {
        let mut found = StepResult::did("looked at its first answer");
        match fell {
            Some(fell) if index > fell => {
                walk.skip(rung.section, rung.title, "an earlier step failed");
                continue;
            }
            Some(fell) if index == fell => {
                found.answered(&first.asked, first.shown, &first.answer);
            }
            None if index == 0 => found.count(&first.answer),
            _ => {}
        }
        if rung.stops.contains(&FaultKind::IllFormed) {
            found.findings.extend(first.slip_found());
        }
        walk.done(rung.section, rung.title, found);
    }
    kind != Some(FaultKind::NotStarted)
}
