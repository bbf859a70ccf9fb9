//! A request to an agent and its answer.

use super::ShownBoard;
use super::step::{Finding, StepResult};
use crate::record::Violation;
use crate::referee::Answer;

/// A request to an agent and its answer.
pub(super) struct Asked<M> {
    /// Description of the request.
    pub(super) asked: String,
    pub(super) shown: ShownBoard,
    /// The answer, parsed leniently.
    pub(super) answer: Answer<M>,
    /// A slip in the answer's form that did not prevent parsing it.
    pub(super) slip: Option<Violation>,
}

impl<M> Asked<M> {
    /// The finding about the slip, if any.
    pub(super) fn slip_found(&self) -> Option<Finding> {
        self.slip.as_ref().map(|slip| Finding::new(self.asked.clone(), Some(self.shown), slip))
    }

    /// Adds the findings; returns true if the answer is a legal move, even one with a slip in its form.
    pub(super) fn add_to(&self, found: &mut StepResult) -> bool {
        found.findings.extend(self.slip_found());
        found.answered(&self.asked, self.shown, &self.answer)
    }
}
