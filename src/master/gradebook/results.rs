//! Results of a grading, as other autograders need them.

use std::time::Duration;

use super::class::NotGraded;
use crate::exam::{ExamPart, Grade, Mark};

/// Results of one submission so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results<'a> {
    pub(crate) points: u32,
    pub(crate) of: u32,
    pub(super) tests: Vec<&'a Mark>,
    /// Text above the tests: why the submission cannot play, or that grading is not finished.
    pub(crate) message: String,
    /// False if this machine or the referee is to blame for missing points.
    pub(crate) is_gradable: bool,
    pub(crate) cpu: Duration,
}

impl<'a> Results<'a> {
    /// Results after these marks, of `steps` moves and games and `of` points altogether.
    pub(crate) fn so_far(marks: &'a [Mark], steps: usize, of: u32) -> Results<'a> {
        let mut results = Results { of, is_gradable: true, tests: marks.iter().collect(), ..Results::default() };
        results.points = marks.iter().map(|mark| mark.points).sum();
        results.cpu = marks.iter().map(|mark| mark.spent.cpu).sum();
        results.tests.sort_by_key(|mark| mark.part);
        let graded = marks.iter().filter(|mark| mark.failed.is_none()).count();
        if graded < steps {
            results.is_gradable = false;
            results.message = format!("Not finished: {graded} of {steps} moves and games are graded.");
        }
        results
    }

    pub(crate) fn of_grade(grade: &'a Grade) -> Results<'a> {
        let mut results = Results::so_far(&grade.marks, grade.steps, grade.of);
        if let Some(failed) = &grade.failed {
            results.message = format!("Not graded, which is not the fault of the agent: {failed}");
        }
        let notes: Vec<String> = grade.notes.iter().map(|note| format!("Before the first move: {note}")).collect();
        results.message = [vec![results.message], notes].concat().join("\n").trim().to_owned();
        results
    }

    /// Results of a submission that cannot play: no points, unless this machine is to blame.
    pub(crate) fn of_refused(refused: &NotGraded, of: u32) -> Results<'static> {
        let blame = if refused.is_machines { "Not graded, which is not your fault" } else { "The program cannot play" };
        let message = format!("{blame}: {}", refused.why);
        Results { of, message, is_gradable: !refused.is_machines, ..Results::default() }
    }

    /// CPU time in seconds, to the hundredth.
    pub(super) fn seconds(&self) -> f64 {
        (self.cpu.as_secs_f64() * 100.0).round() / 100.0
    }

    pub(super) fn points_of(&self, part: ExamPart) -> u32 {
        self.tests.iter().filter(|test| test.part == part).map(|test| test.points).sum()
    }
}
