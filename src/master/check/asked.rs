//! What was asked for, and what was the answer?

use super::ShownBoard;
use super::step::{Finding, StepResult};
use crate::master::record::Violation;
use crate::master::referee::Answer;

/// An answer, and what was asked for.
pub(super) struct Asked<M> {
    /// In words.
    pub(super) asked: String,
    pub(super) shown: ShownBoard,
    /// As it was meant.
    pub(super) answer: Answer<M>,
    /// A slip in its form, in spite of which it was read.
    pub(super) slip: Option<Violation>,
}

impl<M> Asked<M> {
    /// The finding of the slip, if there is one.
    pub(super) fn slip_found(&self) -> Option<Finding> {
        self.slip.as_ref().map(|slip| Finding::new(self.asked.clone(), Some(self.shown), slip))
    }

    /// Adds what was found; returns whether there is a move, right or with a slip in its form.
    pub(super) fn add_to(&self, found: &mut StepResult) -> bool {
        found.findings.extend(self.slip_found());
        found.answered(&self.asked, self.shown, &self.answer)
    }
}
