//! How far does an agent get with its first answer?

use super::asked::Asked;
use super::step::{StepResult, Walk};
use crate::master::record::FaultKind;

/// One of the things that an agent's first answer needs, in order.
pub(super) struct Rung {
    pub(super) section: &'static str,
    pub(super) title: &'static str,
    /// The faults of an agent that fails here.
    pub(super) stops: &'static [FaultKind],
}

/// The first rung of every ladder.
pub(super) const STARTS: Rung =
    Rung { section: "§2", title: "the program can be started", stops: &[FaultKind::NotStarted] };
/// The second rung of every ladder.
pub(super) const ENDS: Rung = Rung {
    section: "§2",
    title: "it ends by itself, within its time and means",
    stops: &[FaultKind::OverTime, FaultKind::Hung, FaultKind::OverMemory, FaultKind::OverDisk, FaultKind::OverOutput],
};
/// The faults of an agent that does not answer at all.
pub(super) const SILENT: &[FaultKind] =
    &[FaultKind::Crashed, FaultKind::NoAnswer, FaultKind::EmptyAnswer, FaultKind::NotAFile, FaultKind::TooLong];

/// Reports the first answer as steps; returns whether the program can be started at all. If not, nothing else makes sense.
pub(super) fn climb<M>(walk: &mut Walk, rungs: &[Rung], first: &Asked<M>) -> bool {
    let kind = first.answer.mv.as_ref().err().map(|wrong| wrong.kind);
    let fell = kind.map(|kind| rungs.iter().position(|rung| rung.stops.contains(&kind)).unwrap_or(rungs.len() - 1));
    for (index, rung) in rungs.iter().enumerate() {
        let mut found = StepResult::did("looked at its first answer");
        match fell {
            Some(fell) if index > fell => {
                walk.skip(rung.section, rung.title, "a step before it went wrong");
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
