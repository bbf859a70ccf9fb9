//! PrairieLearn's results of an external grader
//! (<https://prairielearn.readthedocs.io/en/latest/externalGrading/>).

use serde_json::{Value, json};

use super::Results;

pub(super) fn results(results: &Results) -> Value {
    let test = |test: &super::Test| {
        json!({
            "name": test.name,
            "points": test.points,
            "max_points": test.of,
            "output": test.output,
        })
    };
    json!({
        // What cannot be graded costs no attempt.
        "gradable": results.is_gradable,
        "score": f64::from(results.points) / f64::from(results.of.max(1)),
        "message": results.message,
        "tests": results.tests.iter().map(test).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exam::grade::results::tests::grades;

    #[test]
    fn fields_are_as_published() {
        for grade in &grades() {
            let value = results(&Results::of_grade(grade));
            let score = value["score"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&score) && value["gradable"].is_boolean(), "{value}");
            assert_eq!((score * f64::from(grade.of)).round() as u32, grade.points);
            for test in value["tests"].as_array().unwrap() {
                assert!(test["name"].is_string() && test["output"].is_string(), "{test}");
                assert!(test["points"].as_u64() <= test["max_points"].as_u64(), "{test}");
            }
        }
    }
}
