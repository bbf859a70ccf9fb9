//! Gradescope's `results.json`, as its autograder documentation describes it
//! (<https://gradescope-autograders.readthedocs.io/en/latest/specs/>).

use serde_json::{Value, json};

use super::Results;

pub(super) fn results(results: &Results) -> Value {
    let test = |(number, test): (usize, &super::Test)| {
        json!({
            "number": (number + 1).to_string(),
            "name": test.name,
            "score": test.points,
            "max_score": test.of,
            "status": if test.points == test.of { "passed" } else { "failed" },
            "output": test.output,
            "output_format": "text",
            "visibility": "visible",
        })
    };
    json!({
        "score": results.points,
        "output": results.message,
        "output_format": "text",
        "visibility": "visible",
        // The seed is printed there, and others may still be graded with it.
        "stdout_visibility": "hidden",
        "tests": results.tests.iter().enumerate().map(test).collect::<Vec<_>>(),
        "leaderboard": [
            { "name": "points", "value": results.points },
            { "name": "CPU seconds", "value": (results.cpu.as_secs_f64() * 100.0).round() / 100.0, "order": "asc" },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::results::tests::grades;

    /// Fields and their values as published; `score` is required without tests.
    #[test]
    fn fields_are_as_published() {
        for grade in &grades() {
            let value = results(&Results::of_grade(grade));
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
}
