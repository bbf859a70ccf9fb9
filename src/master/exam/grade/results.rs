//! Results of a grading in the formats of other autograders.
//!
//! | file | whose format? |
//! | --- | --- |
//! | `gradescope` | Gradescope: `results.json` |
//! | `prairielearn` | PrairieLearn: `results.json` of an external grader |
//! | `classroom50` | Classroom 50: `result.json`, `classroom50/result/v1` |
//! | `autolab` | Autolab: the last line of the output |

mod autolab;
mod classroom50;
mod gradescope;
mod prairielearn;

use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use super::{ExamPart, Grade, Mark, NotGraded};
use kingline::draw::Paint;

/// Format of a system that runs autograders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ResultsFormat {
    /// results.json of Gradescope
    Gradescope,
    /// results.json of an external grader of PrairieLearn
    Prairielearn,
    /// result.json of Classroom 50, classroom50/result/v1
    Classroom50,
    /// The last line of an autograder's output in Autolab
    Autolab,
}

/// Results of one submission so far.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Points won.
    pub points: u32,
    /// Maximum number of points.
    pub of: u32,
    /// The single moves and games so far.
    pub tests: Vec<Test>,
    /// Text above the tests: why the submission cannot play, or that grading is not finished.
    pub message: String,
    /// False if this machine or the referee is to blame for missing points.
    pub is_gradable: bool,
    /// CPU time of the agent.
    pub cpu: Duration,
}

/// A single move or a game.
#[derive(Clone, Debug)]
pub struct Test {
    part: ExamPart,
    name: String,
    points: u32,
    of: u32,
    output: String,
    is_graded: bool,
}

impl Test {
    fn of(mark: &Mark) -> Test {
        let mut output = mark.result.clone();
        mark.notes.iter().for_each(|note| output += &format!("\nnote: {note}"));
        mark.lost.iter().for_each(|lost| output += &format!("\n{}", lost.in_words(Paint::Plain)));
        Test {
            part: mark.part,
            name: mark.name(),
            points: mark.points,
            of: mark.of,
            output,
            is_graded: mark.failed.is_none(),
        }
    }
}

impl Results {
    /// Results after these marks, of `steps` moves and games and `of` points altogether.
    pub fn so_far<'a>(marks: impl IntoIterator<Item = &'a Mark>, steps: usize, of: u32) -> Results {
        let mut results = Results { of, is_gradable: true, ..Results::default() };
        for mark in marks {
            results.points += mark.points;
            results.cpu += mark.spent.cpu;
            results.tests.push(Test::of(mark));
        }
        results.tests.sort_by_key(|test| test.part);
        let graded = results.tests.iter().filter(|test| test.is_graded).count();
        if graded < steps {
            results.is_gradable = false;
            results.message = format!("Not finished: {graded} of {steps} moves and games are graded.");
        }
        results
    }

    /// Results of a submission that was graded.
    pub fn of_grade(grade: &Grade) -> Results {
        let mut results = Results::so_far(&grade.marks, grade.steps, grade.of);
        if let Some(failed) = &grade.failed {
            results.message = format!("Not graded, which is not the fault of the agent: {failed}");
        }
        let notes: Vec<String> = grade.notes.iter().map(|note| format!("Before the first move: {note}")).collect();
        results.message = [vec![results.message], notes].concat().join("\n").trim().to_owned();
        results
    }

    /// Results of a submission that cannot play: no points, unless this machine is to blame.
    pub fn of_refused(refused: &NotGraded, of: u32) -> Results {
        let blame = if refused.is_machines { "Not graded, which is not your fault" } else { "The program cannot play" };
        let message = format!("{blame}: {}", refused.why);
        Results { of, message, is_gradable: !refused.is_machines, ..Results::default() }
    }

    /// Points won in a part.
    fn points_of(&self, part: ExamPart) -> u32 {
        self.tests.iter().filter(|test| test.part == part).map(|test| test.points).sum()
    }
}

impl ResultsFormat {
    /// The results as this system reads them.
    ///
    /// # Errors
    /// The system's environment variables are missing.
    pub fn write(self, results: &Results) -> Result<String> {
        let pretty = |value: Value| serde_json::to_string_pretty(&value).map(|text| text + "\n");
        Ok(match self {
            ResultsFormat::Gradescope => pretty(gradescope::results(results))?,
            ResultsFormat::Prairielearn => pretty(prairielearn::results(results))?,
            ResultsFormat::Classroom50 => {
                pretty(classroom50::result(results, &|name: &str| std::env::var(name).ok())?)?
            }
            // One line: whatever comes before it is the feedback.
            ResultsFormat::Autolab => autolab::scores(results).to_string() + "\n",
        })
    }

    /// Checks that results can be written, before an hour of games.
    ///
    /// # Errors
    /// See [`write`](Self::write).
    pub fn check(self) -> Result<()> {
        self.write(&Results::default()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::check::Finding;
    use crate::league::clock_rules::Spent;

    fn mark(part: ExamPart, number: usize, points: u32, failed: Option<&str>) -> Mark {
        let of = if part == ExamPart::Move { 1 } else { 10 };
        let lost = Finding::plain("a turn".to_owned(), "E c3 d3".to_owned(), "a legal turn".to_owned());
        Mark {
            part,
            number,
            title: "black, 9 s".to_owned(),
            points,
            of,
            result: "won in turn 40".to_owned(),
            lost: (points < of).then_some(lost),
            fault: None,
            notes: vec!["odd".to_owned()],
            spent: Spent { cpu: Duration::from_millis(1234), wall: Duration::from_secs(2) },
            peak: None,
            records: Vec::new(),
            failed: failed.map(str::to_owned),
        }
    }

    /// A finished grade, one whose referee failed, and one that was stopped.
    pub(in crate::exam::grade::results) fn grades() -> [Grade; 3] {
        let marks = [
            mark(ExamPart::Move, 1, 1, None),
            mark(ExamPart::Move, 2, 0, None),
            mark(ExamPart::Game, 1, 10, None),
            mark(ExamPart::Game, 2, 5, None),
        ];
        let failed = mark(ExamPart::Game, 2, 0, Some("overloaded"));
        [marks.to_vec(), [&marks[..3], &[failed]].concat(), marks[..2].to_vec()].map(|marks| Grade {
            agent: "ada".to_owned(),
            hash: "0".to_owned(),
            reference: "reference".to_owned(),
            seed: 7,
            tier: "rusage".to_owned(),
            points: marks.iter().map(|mark| mark.points).sum(),
            of: 22,
            steps: 4,
            is_finished: marks.len() == 4,
            notes: vec!["calibrate took too long".to_owned()],
            failed: None,
            marks,
        })
    }

    #[test]
    fn totals_are_those_of_the_grade() {
        let [whole, failed, stopped] = grades().map(|grade| {
            let results = Results::of_grade(&grade);
            assert_eq!((results.points, results.of, results.tests.len()), (grade.points, 22, grade.marks.len()));
            assert!(results.message.ends_with("Before the first move: calibrate took too long"), "{results:?}");
            results
        });
        assert_eq!((whole.points, whole.points_of(ExamPart::Move), whole.points_of(ExamPart::Game)), (16, 1, 15));
        assert!(whole.is_gradable && !failed.is_gradable && !stopped.is_gradable);
        assert!(failed.message.starts_with("Not finished: 3 of 4 moves and games are graded."), "{failed:?}");
        assert!(whole.tests[1].output.contains("expected") && whole.tests[1].output.contains("note: odd"));
    }

    #[test]
    fn who_cannot_play_has_no_points_unless_the_machine_is_to_blame() {
        for is_machines in [false, true] {
            let refused = NotGraded { name: "ada".to_owned(), why: "no program".to_owned(), is_machines };
            let results = Results::of_refused(&refused, 22);
            assert_eq!((results.points, results.of, results.is_gradable), (0, 22, !is_machines));
            assert!(results.message.ends_with(": no program"), "{results:?}");
        }
    }
}
