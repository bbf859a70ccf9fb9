//! Autolab's scores: a line of JSON at the end of an autograder's output, with the points of each problem
//! (<https://docs.autolabproject.com/lab/#scoreboards>).

use serde_json::{Value, json};

use super::{ExamPart, Results};

pub(super) fn scores(results: &Results) -> Value {
    let [moves, games, thresholds] = ExamPart::ALL.map(|part| results.points_of(part));
    let mut scores = json!({ "moves": moves, "games": games });
    // Autolab refuses scores of problems that the assessment does not have.
    if results.tests.iter().any(|test| test.part == ExamPart::Threshold) {
        scores["thresholds"] = thresholds.into();
    }
    json!({
        "scores": scores,
        "scoreboard": [results.points, (results.cpu.as_secs_f64() * 100.0).round() / 100.0],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::ResultsFormat;
    use crate::exam::grade::results::tests::grades;

    #[test]
    fn the_scores_are_one_line() {
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
