//! Results of a grading in the formats of other autograders.

use std::time::Duration;

use anyhow::Result;

use super::class::NotGraded;
use super::formats::{autolab, classroom50, gradescope, prairielearn};
use crate::exam::{ExamPart, Grade, Mark};

/// Format of a system that runs autograders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ResultsFormat {
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

impl ResultsFormat {
    /// The results as this system reads them.
    pub(crate) fn write(self, results: &Results<'_>) -> Result<String> {
        let text = match self {
            ResultsFormat::Gradescope => serde_json::to_string_pretty(&gradescope(results))?,
            ResultsFormat::Prairielearn => serde_json::to_string_pretty(&prairielearn(results))?,
            ResultsFormat::Classroom50 => {
                serde_json::to_string_pretty(&classroom50(results, &|name: &str| std::env::var(name).ok())?)?
            }
            // One line: whatever comes before it is the feedback.
            ResultsFormat::Autolab => serde_json::to_string(&autolab(results))?,
        };
        Ok(text + "\n")
    }

    /// Checks that results can be written, before an hour of games.
    pub(crate) fn check(self) -> Result<()> {
        self.write(&Results::default()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::formats::output;
    use super::*;
    use crate::check::Finding;
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
            notes: vec!["odd".to_owned()],
            spent: Spent { cpu: Duration::from_millis(1234), wall: Duration::from_secs(2) },
            failed: failed.map(str::to_owned),
            ..Mark::default()
        }
    }

    /// A finished grade, one whose referee failed, and one that was stopped.
    fn grades() -> [Grade; 3] {
        let marks = [
            mark(ExamPart::Move, 1, 1, None),
            mark(ExamPart::Move, 2, 0, None),
            mark(ExamPart::Game, 1, 10, None),
            mark(ExamPart::Game, 2, 5, None),
        ];
        let failed = mark(ExamPart::Game, 2, 0, Some("overloaded"));
        [marks.to_vec(), [&marks[..3], &[failed]].concat(), marks[..2].to_vec()].map(|marks| Grade {
            points: marks.iter().map(|mark| mark.points).sum(),
            of: 22,
            steps: 4,
            is_finished: marks.len() == 4,
            notes: vec!["calibrate took too long".to_owned()],
            marks,
            ..Grade::default()
        })
    }

    #[test]
    fn totals_are_those_of_the_grade() {
        let grades = grades();
        let [whole, failed, stopped] = grades.each_ref().map(|grade| {
            let results = Results::of_grade(grade);
            assert_eq!((results.points, results.of, results.tests.len()), (grade.points, 22, grade.marks.len()));
            assert!(results.message.ends_with("Before the first move: calibrate took too long"), "{results:?}");
            results
        });
        assert_eq!((whole.points, whole.points_of(ExamPart::Move), whole.points_of(ExamPart::Game)), (16, 1, 15));
        assert!(whole.is_gradable && !failed.is_gradable && !stopped.is_gradable);
        assert!(failed.message.starts_with("Not finished: 3 of 4 moves and games are graded."), "{failed:?}");
        let output = output(whole.tests[1]);
        assert!(output.contains("expected") && output.contains("note: odd"));
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

    /// Fields and their values as published; `score` is required without tests.
    #[test]
    fn fields_of_gradescope_are_as_published() {
        for grade in &grades() {
            let value = json!(gradescope(&Results::of_grade(grade)));
            let is_visibility = |value: &Value| {
                ["visible", "hidden", "after_due_date", "after_published"].iter().any(|known| value == *known)
            };
            assert!(value["score"].is_u64() && value["output"].is_string(), "{value}");
            assert!(is_visibility(&value["visibility"]) && is_visibility(&value["stdout_visibility"]));
            let tests = value["tests"].as_array().unwrap();
            for test in tests {
                assert!(test["score"].as_u64() <= test["max_score"].as_u64(), "{test}");
                assert!(["passed", "failed"].iter().any(|known| test["status"] == *known));
                assert!(is_visibility(&test["visibility"]) && test["name"].is_string() && test["number"].is_string());
                assert_eq!(test["output_format"], "text");
            }
            let sum: u64 = tests.iter().filter_map(|test| test["score"].as_u64()).sum();
            assert_eq!(Some(sum), value["score"].as_u64());
            for row in value["leaderboard"].as_array().unwrap() {
                assert!(row["name"].is_string() && row["value"].is_number());
                assert!(row.get("order").is_none_or(|order| order == "asc" || order == "desc"));
            }
        }
    }

    #[test]
    fn fields_of_prairielearn_are_as_published() {
        for grade in &grades() {
            let value = json!(prairielearn(&Results::of_grade(grade)));
            let score = value["score"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&score) && value["gradable"].is_boolean(), "{value}");
            assert_eq!((score * f64::from(grade.of)).round() as u32, grade.points);
            for test in value["tests"].as_array().unwrap() {
                assert!(test["name"].is_string() && test["output"].is_string(), "{test}");
                assert!(test["points"].as_u64() <= test["max_points"].as_u64(), "{test}");
            }
        }
    }

    #[test]
    fn fields_of_classroom50_are_as_published() {
        let all = |name: &str| (name != "REVIEW_URL").then(|| format!("the {name}"));
        for grade in &grades() {
            let value = json!(classroom50(&Results::of_grade(grade), &all).unwrap());
            let fields = ["schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime"];
            assert!(fields.iter().all(|field| value[field].as_str().is_some_and(|text| !text.is_empty())), "{value}");
            assert_eq!((&value["schema"], &value["review"]), (&json!("classroom50/result/v1"), &value["commit"]));
            assert!(value["datetime"].as_str().unwrap().parse::<jiff::Timestamp>().is_ok());
            assert_eq!((&value["score"], &value["max-score"]), (&json!(grade.points), &json!(grade.of)));
            for test in value["tests"].as_array().unwrap() {
                assert!(test["test-name"].is_string() && test["passed"].is_boolean(), "{test}");
                assert!(test["score"].as_u64() <= test["max-score"].as_u64(), "{test}");
            }
        }
        let missing =
            classroom50(&Results::default(), &|name| all(name).filter(|_| name != "CLASSROOM")).err().unwrap();
        assert!(missing.to_string().contains("CLASSROOM is not set"), "{missing}");
    }

    #[test]
    fn scores_of_autolab_are_one_line() {
        for grade in &grades() {
            let line = ResultsFormat::Autolab.write(&Results::of_grade(grade)).unwrap();
            assert_eq!(line.matches('\n').count(), 1);
            let value: Value = serde_json::from_str(&line).unwrap();
            let sum: u64 = value["scores"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
            assert_eq!(sum, u64::from(grade.points));
            assert_eq!(value["scoreboard"][0], grade.points);
        }
    }
}
