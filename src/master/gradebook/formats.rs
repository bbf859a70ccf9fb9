//! What other autograders read.

use anyhow::{Context, Result};
use kingline::draw::Paint;
use serde::Serialize;

use super::results::Results;
use crate::exam::{ExamPart, Mark};

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

/// The result of a question, its notes, and the explanation of lost points.
fn output(mark: &Mark) -> String {
    let mut output = mark.result.clone();
    mark.notes.iter().for_each(|note| output += &format!("\nnote: {note}"));
    mark.lost.iter().for_each(|lost| output += &format!("\n{}", lost.in_words(Paint::Plain)));
    output
}

/// `results.json` of Gradescope, as its autograder documentation describes it
/// (<https://gradescope-autograders.readthedocs.io/en/latest/specs/>): the part that `master grade --format gradescope
/// --results FILE` writes.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Gradescope<'a> {
    /// Points won.
    score: u32,
    /// Text above the tests; empty if there is nothing to say.
    output: &'a str,
    /// The output is plain text.
    output_format: OutputFormat,
    /// Students see it.
    visibility: Visibility,
    /// Hidden: the seed is printed there, and others may still be graded with it.
    stdout_visibility: Visibility,
    /// The questions so far.
    tests: Vec<GradescopeTest>,
    /// Columns of the leaderboard.
    leaderboard: (LeaderboardColumn<u32>, LeaderboardColumn<f64>),
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum OutputFormat {
    Text,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum Visibility {
    Visible,
    Hidden,
}

/// A question.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct GradescopeTest {
    /// Number of the question, from 1.
    number: String,
    /// Name of the question.
    name: String,
    /// Points won.
    score: u32,
    /// Maximum number of points.
    max_score: u32,
    /// Passed: all points.
    status: Status,
    /// Result, notes, and explanation of lost points.
    output: String,
    /// The output is plain text.
    output_format: OutputFormat,
    /// Students see it.
    visibility: Visibility,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum Status {
    Passed,
    Failed,
}

/// A column of the leaderboard.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct LeaderboardColumn<T> {
    /// Name of the column: points, or CPU seconds.
    name: &'static str,
    /// Points, or CPU seconds of the agent.
    value: T,
    /// asc: the smallest value comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
}

fn gradescope<'a>(results: &'a Results<'_>) -> Gradescope<'a> {
    let test = |(number, test): (usize, &&Mark)| GradescopeTest {
        number: (number + 1).to_string(),
        name: test.name(),
        score: test.points,
        max_score: test.of,
        status: if test.points == test.of { Status::Passed } else { Status::Failed },
        output: output(test),
        output_format: OutputFormat::Text,
        visibility: Visibility::Visible,
    };
    let points = LeaderboardColumn { name: "points", value: results.points, order: None };
    Gradescope {
        score: results.points,
        output: &results.message,
        output_format: OutputFormat::Text,
        visibility: Visibility::Visible,
        stdout_visibility: Visibility::Hidden,
        tests: results.tests.iter().enumerate().map(test).collect(),
        leaderboard: (points, LeaderboardColumn { name: "CPU seconds", value: results.seconds(), order: Some("asc") }),
    }
}

/// Results of an external grader of PrairieLearn (<https://prairielearn.readthedocs.io/en/latest/externalGrading/>): the
/// part that `master grade --format prairielearn --results FILE` writes.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PrairieLearn<'a> {
    /// False if this machine or the referee is to blame for missing points: such a submission uses up no attempt.
    gradable: bool,
    /// Share of all points, 0 to 1.
    score: f64,
    /// Text above the tests; empty if there is nothing to say.
    message: &'a str,
    /// The questions so far.
    tests: Vec<PrairieLearnTest>,
}

/// A question.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PrairieLearnTest {
    /// Name of the question.
    name: String,
    /// Points won.
    points: u32,
    /// Maximum number of points.
    max_points: u32,
    /// Result, notes, and explanation of lost points.
    output: String,
}

fn prairielearn<'a>(results: &'a Results<'_>) -> PrairieLearn<'a> {
    let test = |test: &&Mark| PrairieLearnTest {
        name: test.name(),
        points: test.points,
        max_points: test.of,
        output: output(test),
    };
    PrairieLearn {
        gradable: results.is_gradable,
        score: f64::from(results.points) / f64::from(results.of.max(1)),
        message: &results.message,
        tests: results.tests.iter().map(test).collect(),
    }
}

/// `result.json` of Classroom 50, schema `classroom50/result/v1`
/// (<https://github.com/foundation50/classroom50/wiki/Advanced-Autograding>), as `master grade --format classroom50
/// --results FILE` writes it. The names and addresses are from the variables of its runner.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Classroom50 {
    /// classroom50/result/v1.
    schema: &'static str,
    /// Variable CLASSROOM.
    classroom: String,
    /// Variable ASSIGNMENT.
    assignment: String,
    /// Variable SUBMISSION_TAG.
    submission: String,
    /// Variable RELEASE_URL.
    release: String,
    /// Variable REVIEW_URL, else COMMIT_URL.
    review: String,
    /// Variable COMMIT_URL.
    commit: String,
    /// Time of the grading in UTC, such as 2026-11-26T05:06:20Z.
    datetime: String,
    /// Points won.
    score: u32,
    /// Maximum number of points.
    max_score: u32,
    /// The questions so far.
    tests: Vec<Classroom50Test>,
}

/// A question.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
struct Classroom50Test {
    /// Name of the question.
    test_name: String,
    /// True with all points.
    passed: bool,
    /// Points won.
    score: u32,
    /// Maximum number of points.
    max_score: u32,
}

/// `variable` returns the environment variables that the runner of Classroom 50 sets.
fn classroom50(results: &Results<'_>, variable: &dyn Fn(&str) -> Option<String>) -> Result<Classroom50> {
    let set = |name: &str| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.with_context(|| {
            format!("the environment variable {name} is not set; expected that of Classroom 50's runner")
        })
    };
    let commit = set("COMMIT_URL")?;
    let test = |test: &&Mark| Classroom50Test {
        test_name: test.name(),
        passed: test.points == test.of,
        score: test.points,
        max_score: test.of,
    };
    Ok(Classroom50 {
        schema: "classroom50/result/v1",
        classroom: set("CLASSROOM")?,
        assignment: set("ASSIGNMENT")?,
        submission: set("SUBMISSION_TAG")?,
        release: set("RELEASE_URL")?,
        review: set("REVIEW_URL").unwrap_or_else(|_| commit.clone()),
        commit,
        datetime: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        score: results.points,
        max_score: results.of,
        tests: results.tests.iter().map(test).collect(),
    })
}

/// Scores for Autolab: a line of JSON at the end of an autograder's output
/// (<https://docs.autolabproject.com/lab/#scoreboards>), as `master grade --format autolab --results FILE` writes it.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Autolab {
    /// Points of each problem.
    scores: AutolabScores,
    /// Columns of the scoreboard: points won, and CPU seconds of the agent.
    scoreboard: (u32, f64),
}

/// Points of each problem.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct AutolabScores {
    /// Points for single moves.
    moves: u32,
    /// Points for games.
    games: u32,
    /// Points for thresholds. Absent in an exam without: Autolab refuses scores of problems that the assessment lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    thresholds: Option<u32>,
}

fn autolab(results: &Results<'_>) -> Autolab {
    let [moves, games, thresholds] = ExamPart::ALL.map(|part| results.points_of(part));
    let has_thresholds = results.tests.iter().any(|test| test.part == ExamPart::Threshold);
    let scores = AutolabScores { moves, games, thresholds: has_thresholds.then_some(thresholds) };
    Autolab { scores, scoreboard: (results.points, results.seconds()) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use std::time::Duration;

    use super::super::class::NotGraded;
    use super::*;
    use crate::check::Finding;
    use crate::exam::Grade;
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
