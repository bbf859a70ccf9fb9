//! Steps of a walk and their results.

use std::fmt;

use serde::Serialize;

use super::ShownBoard;
pub use super::finding::Finding;
use super::giving_up::{GivingUp, TurnEnd};
use crate::league::clock_rules::Spent;
use crate::record::FaultKind;
use crate::referee::Answer;
use crate::sandbox::{JobEnd, Run};

/// A step of a walk and its result.
#[derive(Clone, Debug, Serialize)]
pub struct CheckStep {
    /// Section of the contract that states the requirement.
    pub section: &'static str,
    /// Requirement.
    pub title: String,
    /// Result.
    pub status: Status,
    /// The referee's action, in words.
    pub did: String,
    /// Everything that was wrong or unwise.
    pub findings: Vec<Finding>,
    /// Oddities that are not wrong, and reasons why a finding is merely unwise.
    pub notes: Vec<String>,
    /// Total time of its turns.
    pub spent: Spent,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything is right.
    Ok,
    /// The contract is met, but something is odd or unwise.
    Note,
    /// A requirement of the contract is not met.
    Wrong,
    /// The step was skipped because it no longer made sense.
    Skipped,
}

/// Result of a step so far.
#[derive(Debug, Default)]
pub(super) struct StepResult {
    pub(super) did: String,
    pub(super) findings: Vec<Finding>,
    pub(super) notes: Vec<String>,
    pub(super) spent: Spent,
    /// Ends of its turns, in order.
    ends: Vec<TurnEnd>,
    /// Reason why its findings are unwise rather than wrong.
    unwise: Option<&'static str>,
}

/// The steps so far, and the observer of each new one.
pub(super) struct Walk<'a> {
    steps: Vec<CheckStep>,
    giving_up: GivingUp,
    /// True once a step has reported that all others are skipped.
    skips_all: bool,
    watch: &'a mut dyn FnMut(&CheckStep),
}

impl StepResult {
    /// Starts a result without findings.
    pub(super) fn did(what: impl Into<String>) -> StepResult {
        StepResult { did: what.into(), ..StepResult::default() }
    }

    /// Adds a finding.
    pub(super) fn wrong(mut self, finding: Finding) -> StepResult {
        self.findings.push(finding);
        self
    }

    /// Marks its findings as unwise rather than wrong; `why` says why the contract does not require this step.
    pub(super) fn unwise(self, why: &'static str) -> StepResult {
        StepResult { unwise: Some(why), ..self }
    }

    /// Adds a note, unless it is already there.
    pub(super) fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    /// Adds an answer; returns true if it is correct.
    pub(super) fn answered<M>(&mut self, asked: &str, shown: ShownBoard, answer: &Answer<M>) -> bool {
        self.count(answer);
        match &answer.mv {
            Ok(_) => true,
            Err(wrong) => {
                self.findings.push(Finding::new(asked.to_owned(), Some(shown), wrong));
                false
            }
        }
    }

    /// Adds the time, notes and end of a turn, but no finding.
    pub(super) fn count<M>(&mut self, answer: &Answer<M>) {
        self.add(answer.spent);
        answer.notes.iter().for_each(|note| self.note(note));
        self.ended(answer.mv.as_ref().err().map(|wrong| wrong.kind), answer.spent);
    }

    /// Adds the end of a turn that took this time, with or without a fault.
    pub(super) fn ended(&mut self, fault: Option<FaultKind>, spent: Spent) {
        self.ends.push(match fault {
            None | Some(FaultKind::IllFormed | FaultKind::Illegal | FaultKind::WrongWinner) => TurnEnd::Answered,
            Some(FaultKind::OverTime | FaultKind::Hung) => TurnEnd::TimedOut(spent.wall),
            Some(_) => TurnEnd::Silent,
        });
    }

    /// True if its last turn hung, so that repeating the step would be pointless.
    pub(super) fn is_stuck(&self) -> bool {
        self.ends.last().is_some_and(|end| end.is_costly())
    }

    /// Adds the time of a run.
    pub(super) fn add(&mut self, spent: Spent) {
        self.spent += spent;
    }
}

/// The fault of a run that is not a turn: it did not end, or it failed without output.
pub(super) fn run_fault(run: &Run) -> Option<FaultKind> {
    match run.end {
        JobEnd::OverCpu | JobEnd::OverWall => Some(FaultKind::Hung),
        JobEnd::Exited(0) => None,
        _ => run.stdout.is_empty().then_some(FaultKind::Crashed),
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(watch: &'a mut dyn FnMut(&CheckStep)) -> Walk<'a> {
        Walk { steps: Vec::new(), giving_up: GivingUp::default(), skips_all: false, watch }
    }

    pub(super) fn into_steps(self) -> Vec<CheckStep> {
        self.steps
    }

    /// Runs a step. Once the check has given up on the agent, all remaining steps are reported together as one skipped
    /// step.
    ///
    /// # Errors
    /// The step fails with an error.
    pub(super) fn step(
        &mut self,
        section: &'static str,
        title: &str,
        step: impl FnOnce() -> anyhow::Result<StepResult>,
    ) -> anyhow::Result<()> {
        match self.giving_up.reason() {
            Some(_) if self.skips_all => {}
            Some(why) => {
                self.skips_all = true;
                self.skip(section, "all other turns", &why);
            }
            None => self.done(section, title, step()?),
        }
        Ok(())
    }

    /// Ends a step and decides its status.
    pub(super) fn done(&mut self, section: &'static str, title: &str, mut found: StepResult) {
        // Optional steps are no reason to give up on an agent.
        if found.unwise.is_none() {
            found.ends.iter().for_each(|&end| self.giving_up.add(end));
        }
        let status = match (found.findings.is_empty(), found.unwise) {
            (false, None) => Status::Wrong,
            (false, Some(why)) => {
                found.note(why);
                Status::Note
            }
            (true, _) if found.notes.is_empty() => Status::Ok,
            (true, _) => Status::Note,
        };
        self.push(section, title, status, found);
    }

    /// Skips a step for this reason.
    pub(super) fn skip(&mut self, section: &'static str, title: &str, why: &str) {
        self.push(section, title, Status::Skipped, StepResult::did(why));
    }

    fn push(&mut self, section: &'static str, title: &str, status: Status, found: StepResult) {
        let StepResult { did, findings, notes, spent, .. } = found;
        let step = CheckStep { section, title: title.to_owned(), status, did, findings, notes, spent };
        (self.watch)(&step);
        self.steps.push(step);
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Ok => "ok",
            Status::Note => "note",
            Status::Wrong => "WRONG",
            Status::Skipped => "skipped",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_worst_finding_decides_the_status_of_a_step() {
        let finding = || Finding::plain("y", "1", "2");
        let mut seen = Vec::new();
        let mut watch = |step: &CheckStep| seen.push(step.status);
        let mut walk = Walk::new(&mut watch);
        walk.done("§1", "a", StepResult::did("x"));
        walk.done("§1", "b", StepResult { notes: vec!["odd".into()], ..StepResult::default() });
        walk.done("§1", "c", StepResult::did("x").wrong(finding()));
        walk.done("§1", "d", StepResult::did("x").wrong(finding()).unwise("nobody asks for it"));
        walk.skip("§1", "e", "c was wrong");
        let steps = walk.into_steps();
        assert_eq!((steps.len(), &steps[3].notes[..]), (5, &["nobody asks for it".to_owned()][..]));
        assert_eq!(seen, [Status::Ok, Status::Note, Status::Wrong, Status::Note, Status::Skipped]);
    }

    #[test]
    fn an_agent_that_hangs_is_given_up() {
        let mut watch = |_: &CheckStep| {};
        let mut walk = Walk::new(&mut watch);
        for _ in 0..5 {
            let hung = || {
                let mut found = StepResult::did("x").wrong(Finding::plain("y", "1", "2"));
                found.ended(Some(FaultKind::Hung), Spent { wall: Duration::from_secs(10), ..Spent::default() });
                Ok(found)
            };
            walk.step("§1", "a", hung).unwrap();
        }
        let steps = walk.into_steps();
        assert_eq!(steps.iter().filter(|step| step.status == Status::Wrong).count(), 3);
        assert_eq!((steps.len(), &*steps[3].did), (4, "it ran out of time 3 times in a row"));
    }
}
