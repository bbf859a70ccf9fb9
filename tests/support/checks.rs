//! Agents that `master check` and `master grade` judge, and the steps of a check.

use std::fs;

use super::referee::*;

/// Makes an agent whose turns pass through this sed script. It writes no other file: a turn that runs out of time is
/// killed, and would leave it behind.
pub(crate) fn filtered(dir: &Dir, name: &str, filter: &str) {
    let read = format!("turn=$(sed '{filter}' output.txt; echo .)");
    let script = format!("./engine --seed 1; {read}; printf %s \"${{turn%.}}\" > output.txt");
    dir.scripted(name, Program::Reference, &script);
}

/// Steps that a check finds wrong. There must be some, and the output must be pure JSON.
pub(crate) fn wrong_steps(dir: &Dir, arguments: &[&str]) -> Vec<Value> {
    let ran = dir.master(&[&["check", "--json"], arguments].concat());
    let checked = ran.exits_with(1).stderr_contains(&["steps failed"]).json::<Value>();
    assert_eq!(checked["passed"], false);
    steps(&checked, "wrong")
}

pub(crate) fn steps(checked: &Value, status: &str) -> Vec<Value> {
    list(&checked["steps"]).iter().filter(|step| step["status"] == status).cloned().collect()
}

/// Fault, actual text and expected text of each finding of a step.
pub(crate) fn findings(step: &Value) -> String {
    let words = |finding: &Value| format!("{} | {} | {}", finding["wrong"], finding["read"], finding["expected"]);
    list(&step["findings"]).iter().map(words).collect::<Vec<_>>().join("\n")
}

pub(crate) fn step<'a>(steps: &'a [Value], title: &str) -> &'a Value {
    let titles: Vec<_> = steps.iter().map(|step| &step["title"]).collect();
    let found = steps.iter().find(|step| step["title"].as_str().is_some_and(|known| known.contains(title)));
    found.unwrap_or_else(|| panic!("\"{title}\" is not wrong, but these are: {titles:#?}"))
}

/// Asserts that a check finds a step wrong, with this text in its findings; returns all wrong steps.
pub(crate) fn is_wrong(dir: &Dir, arguments: &[&str], title: &str, message: &str) -> Vec<Value> {
    let steps = wrong_steps(dir, arguments);
    assert!(findings(step(&steps, title)).contains(message), "{arguments:?}: {steps:#?}");
    steps
}

/// Writes ten easy positions and nine short budgets to files.
pub(crate) fn short_exam(dir: &Dir) {
    for path in paths_in("samples/grading", "") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a sample");
        let mut lines: Vec<&str> = text.lines().collect();
        if name != "budgets.txt" {
            lines[2] = "0.3";
        }
        dir.write(&format!("exam/{name}"), lines.join("\n"));
    }
    dir.write("exam/budgets.txt", "0.9\n0.85\n0.8\n0.75\n0.7\n0.65\n0.6\n0.55\n0.5\n");
}
