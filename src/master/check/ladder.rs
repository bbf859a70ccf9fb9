//! How far does an agent get with its first answer?

use super::ShownBoard;
use super::step::{StepResult, Walk};
use crate::master::record::FaultKind;
use crate::master::referee::Answer;

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

/// Reports the first answer as steps; returns whether the agent answers at all, right or wrong. If it does not, nothing
/// else can be checked.
pub(super) fn climb<M>(walk: &mut Walk, rungs: &[Rung], asked: &str, shown: ShownBoard, answer: &Answer<M>) -> bool {
    let kind = answer.mv.as_ref().err().map(|wrong| wrong.kind);
    let fell = kind.map(|kind| rungs.iter().position(|rung| rung.stops.contains(&kind)).unwrap_or(rungs.len() - 1));
    for (index, rung) in rungs.iter().enumerate() {
        match fell {
            Some(fell) if index > fell => walk.skip(rung.section, rung.title, "the step before went wrong"),
            Some(fell) if index == fell => {
                let mut found = StepResult::did("looked at its first answer");
                found.answered(asked, shown, answer);
                walk.done(rung.section, rung.title, found);
            }
            _ => {
                let mut found = StepResult::did("looked at its first answer");
                if index == 0 {
                    found.add(answer.spent);
                    found.notes.clone_from(&answer.notes);
                }
                walk.done(rung.section, rung.title, found);
            }
        }
    }
    !kind.is_some_and(|kind| SILENT.contains(&kind) || ENDS.stops.contains(&kind) || STARTS.stops.contains(&kind))
}
