//! Results for other autograders: a class, single submissions, and an autograder's folder as Gradescope has it.

use std::process::Command;

use crate::support::referee::*;

/// Autograders with a format of their own.
pub(super) const SYSTEMS: [&str; 4] = ["gradescope", "prairielearn", "autolab", "classroom50"];

fn json(dir: &Dir, path: &str) -> Value {
    let text = dir.text(path);
    serde_json::from_str(text.lines().last().filter(|_| !text.starts_with("{\n")).unwrap_or(&text)).expect("JSON")
}

/// Asserts that the results for a system have the points of the gradebook, out of `of`.
pub(super) fn same_totals(class: &Dir, system: &str, of: u64) {
    for fields in class.book() {
        let result = json(class, &format!("{system}/{}.json", fields[0]));
        let points = match system {
            "prairielearn" => result["score"].as_f64().expect("a score") * of as f64,
            "autolab" => result["scores"].as_object().expect("scores").values().filter_map(Value::as_f64).sum(),
            _ => result["score"].as_f64().expect("a score"),
        };
        // A student whose program this machine could not run has no points.
        assert!((points - fields[1].parse().unwrap_or(0.0)).abs() < 1e-9, "{fields:?}: {result}");
    }
}

/// Grades a class, and writes the results for a system into a folder of its name.
pub(super) fn formatted(class: &Dir, system: &str, words: &str) -> Ran {
    let variables = ["CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"];
    let mut command = master(&grade(&format!("{words} --format {system} --results {system}")));
    class.run_command(command.envs(variables.map(|name| (name, "x"))))
}

#[test]
fn a_class_has_the_same_totals_in_every_format() {
    let class = Dir::class(3);
    class.hand_in(&["ada", "cem"]);
    class.write("class/dan/notes.txt", "");
    for system in SYSTEMS {
        formatted(&class, system, "--csv book.csv --seed 5").exits_with(0);
        assert_eq!(class.book().len(), 3);
        assert!(class.book().iter().all(|fields| fields[1].parse::<f64>().is_ok()), "{:?}", class.book());
        same_totals(&class, system, 3);
    }
    let unset = &["--format: the environment variable", "is not set"];
    class.refuses(&grade("--format classroom50 --results x"), unset);
    class.refuses(&grade("--format gradescope"), &["--results"]);
    class.refuses(&grade("--format moodle --results x"), &["gradescope"]);
}

#[test]
fn one_submission_always_has_results() {
    let class = Dir::class(2);
    class.hand_in(&["ada"]);
    class.write("class/dan/notes.txt", "");
    class.write("class/eva/homework.c", "int main( {");
    for (name, code, message) in
        [("ada", 0, ""), ("dan", 2, "The program cannot play: no program"), ("eva", 2, "it cannot be built")]
    {
        let words = "--course course.json --any-tier --format gradescope --results r.json";
        class.master(&format!("grade class/{name} {words}")).exits_with(code);
        let result = json(&class, "r.json");
        assert!(result["output"].as_str().is_some_and(|output| output.contains(message)), "{name}: {result}");
        assert_eq!(list(&result["tests"]).len(), if code == 0 { 2 } else { 0 }, "{result}");
    }
}

#[test]
fn results_so_far_are_there_when_the_grading_is_killed() {
    let class = Dir::class(400);
    class.hand_in(&["ada"]);
    let words = "grade class/ada --course course.json --any-tier --format gradescope --results r.json";
    let tests = || class.read("r.json").map(|_| json(&class, "r.json")["tests"].as_array().map_or(0, Vec::len));
    class.kill_when(&mut master(words), || tests().is_some_and(|tests| tests >= 3));
    let result = json(&class, "r.json");
    assert!(result["output"].as_str().is_some_and(|output| output.starts_with("Not finished: ")), "{result}");
}

#[test]
fn the_gradescope_sample_works_in_a_folder_like_the_containers() {
    let class = Dir::class(2);
    for program in [Program::Master, Program::Reference] {
        class.copy(program.path(), &format!("autograder/source/bin/{}", program.name()));
    }
    class.copy(root().join("samples/gradescope/run_autograder"), "autograder/run_autograder");
    class.rename("course.json", "autograder/source/course.json");
    class.write("autograder/source/seed", "7\n");
    class.make_dir("autograder/submission");
    let run = || {
        let top = class.path("autograder");
        let mut command = Command::new(top.join("run_autograder"));
        class.run_command(command.env("AUTOGRADER", top).current_dir("/")).exits_with(0);
        json(&class, "autograder/results/results.json")
    };
    contains(&run()["output"].to_string(), &["an empty folder"]);
    class.write("autograder/submission/run.sh", ANSWER);
    let results = run();
    assert_eq!(list(&results["tests"]).len(), 2, "{results}");
    assert!(!results.to_string().contains("seed"), "the seed is secret: {results}");
}
