//! Classroom 50's `result.json`, schema `classroom50/result/v1`
//! (<https://github.com/foundation50/classroom50/wiki/Advanced-Autograding>).

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::Results;

/// The result. `variable` returns the environment variables that Classroom 50's runner sets.
///
/// # Errors
/// One of them is missing.
pub(super) fn result(results: &Results, variable: &dyn Fn(&str) -> Option<String>) -> Result<Value> {
    let set = |name: &str| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.with_context(|| {
            format!("the environment variable {name} is not set; expected that of Classroom 50's runner")
        })
    };
    let commit = set("COMMIT_URL")?;
    let test = |test: &super::Test| {
        json!({
            "test-name": test.name,
            "passed": test.points == test.of,
            "score": test.points,
            "max-score": test.of,
        })
    };
    Ok(json!({
        "schema": "classroom50/result/v1",
        "classroom": set("CLASSROOM")?,
        "assignment": set("ASSIGNMENT")?,
        "submission": set("SUBMISSION_TAG")?,
        "release": set("RELEASE_URL")?,
        "review": set("REVIEW_URL").unwrap_or_else(|_| commit.clone()),
        "commit": commit,
        "datetime": jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "score": results.points,
        "max-score": results.of,
        "tests": results.tests.iter().map(test).collect::<Vec<_>>(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::results::tests::grades;

    #[test]
    fn fields_are_as_published() {
        let all = |name: &str| (name != "REVIEW_URL").then(|| format!("the {name}"));
        for grade in &grades() {
            let value = result(&Results::of_grade(grade), &all).unwrap();
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
        let missing = result(&Results::default(), &|name| all(name).filter(|_| name != "CLASSROOM")).unwrap_err();
        assert!(missing.to_string().contains("CLASSROOM is not set"), "{missing}");
    }
}
