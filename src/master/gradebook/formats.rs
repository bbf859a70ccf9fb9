//! What other autograders read.

use anyhow::{Context, Result};
use kingline::draw::Paint;
use serde::Serialize;

use super::results::Results;
use crate::exam::{ExamPart, Mark};

/// The result of a question, its notes, and the explanation of lost points.
pub(super) fn output(mark: &Mark) -> String {
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

pub(super) fn gradescope<'a>(results: &'a Results<'_>) -> Gradescope<'a> {
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

pub(super) fn prairielearn<'a>(results: &'a Results<'_>) -> PrairieLearn<'a> {
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
pub(super) fn classroom50(results: &Results<'_>, variable: &dyn Fn(&str) -> Option<String>) -> Result<Classroom50> {
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

pub(super) fn autolab(results: &Results<'_>) -> Autolab {
    let [moves, games, thresholds] = ExamPart::ALL.map(|part| results.points_of(part));
    let has_thresholds = results.tests.iter().any(|test| test.part == ExamPart::Threshold);
    let scores = AutolabScores { moves, games, thresholds: has_thresholds.then_some(thresholds) };
    Autolab { scores, scoreboard: (results.points, results.seconds()) }
}
