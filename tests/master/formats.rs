//! Results for other autograders: a class, single submissions, and an autograder's folder as Gradescope has it.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::master::submissions::{As, class, grade, text};
use crate::support::command::{Dir, Ran};
use crate::support::programs::{Program, root};
use crate::support::referee::ANSWER;

/// Autograders with a format of their own.
pub(super) const SYSTEMS: [&str; 4] = ["gradescope", "prairielearn", "autolab", "classroom50"];

pub(super) fn json(dir: &Dir, path: &str) -> Value {
    let text = dir.text(path);
    serde_json::from_str(text.lines().last().filter(|_| !text.starts_with("{\n")).unwrap_or(&text)).expect("JSON")
}

/// Points that a result of this system gives, out of `of`.
pub(super) fn points_in(system: &str, result: &Value, of: u64) -> f64 {
    match system {
        "prairielearn" => result["score"].as_f64().expect("a score") * of as f64,
        "autolab" => result["scores"].as_object().expect("scores").values().filter_map(Value::as_f64).sum(),
        _ => result["score"].as_f64().expect("a score"),
    }
}

/// Grades a class, and writes the results for a system into a folder of its name.
pub(super) fn formatted(class: &Dir, system: &str, more: &[&str]) -> Ran {
    let variables = ["CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"];
    let mut command = Command::new(Program::Master.path());
    command.args(["grade", "class", "--class", "--course", "course.json", "--any-tier"]).args(more);
    command.args(["--format", system, "--results", system]).current_dir(class.path(""));
    class.run_command(command.envs(variables.map(|name| (name, "x"))))
}

#[test]
fn a_class_has_the_same_totals_in_every_format() {
    let class = class(3);
    for name in ["ada", "cem"] {
        As::Folder.write(&class, name, &text("run.sh", ANSWER));
    }
    As::Folder.write(&class, "dan", &text("notes.txt", ""));
    for system in SYSTEMS {
        formatted(&class, system, &["--csv", "book.csv", "--seed", "5"]).exits_with(0);
        let book = class.text("book.csv");
        let lines: Vec<&str> = book.lines().skip(1).collect();
        assert_eq!(lines.len(), 3);
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let result = json(&class, &format!("{system}/{}.json", fields[0]));
            assert!(
                (points_in(system, &result, 3) - fields[1].parse::<f64>().expect("points")).abs() < 1e-9,
                "{result}"
            );
        }
    }
    grade(&class, &["--format", "classroom50", "--results", "x"])
        .exits_with(2)
        .stderr_contains(&["--format: the environment variable", "is not set"]);
    grade(&class, &["--format", "gradescope"]).exits_with(2).stderr_contains(&["--results"]);
    grade(&class, &["--format", "moodle", "--results", "x"]).exits_with(2).stderr_contains(&["gradescope"]);
}

#[test]
fn one_submission_always_has_results() {
    let class = class(2);
    As::Folder.write(&class, "ada", &text("run.sh", ANSWER));
    As::Folder.write(&class, "dan", &text("notes.txt", ""));
    As::Folder.write(&class, "eva", &text("homework.c", "int main( {"));
    for (name, code, message) in
        [("ada", 0, ""), ("dan", 2, "The program cannot play: no program"), ("eva", 2, "it cannot be built")]
    {
        let submission = format!("class/{name}");
        let arguments = ["grade", &submission, "--course", "course.json", "--any-tier", "--format", "gradescope"];
        let ran = class.master(&[&arguments[..], &["--results", "r.json"]].concat());
        ran.exits_with(code);
        let result = json(&class, "r.json");
        assert!(result["output"].as_str().is_some_and(|output| output.contains(message)), "{name}: {result}");
        assert_eq!(result["tests"].as_array().map(Vec::len), Some(if code == 0 { 2 } else { 0 }), "{result}");
    }
}

#[test]
fn results_so_far_are_there_when_the_grading_is_killed() {
    let class = class(400);
    As::Folder.write(&class, "ada", &text("run.sh", ANSWER));
    let mut command = Command::new(Program::Master.path());
    command.args(["grade", "class/ada", "--course", "course.json", "--any-tier"]).current_dir(class.path(""));
    command.args(["--format", "gradescope", "--results", "r.json"]);
    let tests = || class.read("r.json").map(|_| json(&class, "r.json")["tests"].as_array().map_or(0, Vec::len));
    class.kill_when(&mut command, || tests().is_some_and(|tests| tests >= 3));
    let result = json(&class, "r.json");
    assert!(result["output"].as_str().is_some_and(|output| output.starts_with("Not finished: ")), "{result}");
}

#[test]
fn the_gradescope_sample_works_in_a_folder_like_the_containers() {
    let class = class(2);
    let top = class.path("autograder");
    fs::create_dir_all(top.join("source/bin")).expect("a folder");
    fs::create_dir_all(top.join("submission")).expect("a folder");
    for (program, name) in [(Program::Master, "master"), (Program::Reference, "reference")] {
        fs::copy(program.path(), top.join("source/bin").join(name)).expect("a copy");
    }
    fs::copy(root().join("samples/gradescope/run_autograder"), top.join("run_autograder")).expect("a copy");
    fs::copy(class.path("course.json"), top.join("source/course.json")).expect("a copy");
    fs::write(top.join("source/seed"), "7\n").expect("a file");
    let run = || {
        let mut command = Command::new(top.join("run_autograder"));
        class.run_command(command.env("AUTOGRADER", &top).current_dir("/"))
    };
    run().exits_with(0);
    let output = json(&class, "autograder/results/results.json")["output"].clone();
    assert!(output.as_str().is_some_and(|output| output.contains("an empty folder")), "{output}");
    fs::write(top.join("submission/run.sh"), ANSWER).expect("a file");
    run().exits_with(0);
    let results = json(&class, "autograder/results/results.json");
    assert_eq!(results["tests"].as_array().map(Vec::len), Some(2), "{results}");
    assert!(!results.to_string().contains("seed"), "the seed is secret: {results}");
}
