//! Ten right agents in seven languages: `check` and the default exam find nothing wrong with them.

use std::process::{Command, Output, Stdio};

use kingline_players::figures::{Figure, Topic};
use serde_json::Value;

use crate::master::honest::{AGENTS, Gallery, Honest};
use crate::support::figures;
use crate::support::programs::Program;

/// Names of the agents.
const RIGHT: [&str; 10] = [
    "c",
    "c++ with threads",
    "rust",
    "shell",
    "python",
    "python deep recursion",
    "python tempfile",
    "java",
    "java with garbage",
    "node",
];

/// Runs the master on an agent, however long it takes.
fn master(gallery: &Gallery, arguments: &[&str]) -> Output {
    let mut command = Command::new(Program::Master.path());
    command.args(arguments).current_dir(gallery.dir.path("")).stdin(Stdio::null());
    command.output().expect("a master")
}

/// Findings of `check` that are wrong.
fn wrong_steps(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = master(gallery, &["check", agent.name]);
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut wrong: Vec<String> = text.lines().filter(|line| line.starts_with("WRONG")).map(str::to_owned).collect();
    if !ran.status.success() && wrong.is_empty() {
        wrong.push(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    wrong
}

/// Faults in the default exam, except that a budget was too short for the language.
fn faults(gallery: &Gallery, agent: &Honest) -> Vec<String> {
    let ran = master(gallery, &["grade", agent.name, "--json", "--any-tier"]);
    assert!(ran.status.success(), "{}: {ran:?}", agent.name);
    let grade: Value = serde_json::from_slice(&ran.stdout).expect("a grade");
    let marks = grade["marks"].as_array().expect("marks");
    assert_eq!(marks.len(), 19, "{grade}");
    let fault = |mark: &Value| Some(format!("{}: {}", mark["title"], mark["fault"].as_str()?));
    marks.iter().filter_map(fault).filter(|fault| !fault.contains("time")).collect()
}

/// Records the figure.
#[test]
#[ignore = "takes many minutes"]
fn ten_right_agents_are_never_wrong() {
    let agents: Vec<&Honest> = AGENTS.iter().filter(|agent| RIGHT.contains(&agent.name)).collect();
    assert_eq!(agents.len(), RIGHT.len());
    let gallery = Gallery::new(AGENTS, 4);
    let mut wrong = Vec::new();
    let mut asked = 0;
    for agent in agents {
        if gallery.agent(agent).is_none() {
            continue;
        }
        asked += 1;
        let found = [wrong_steps(&gallery, agent), faults(&gallery, agent)].concat();
        println!("{}: {found:?}", agent.name);
        wrong.extend(found);
    }
    let command = "cargo test --release -p kingline-master -- --ignored ten_right_agents --nocapture";
    let name = "right agents in seven languages, in `check` and in the default exam";
    let measured = format!("{asked} agents, {} steps wrong", wrong.len());
    figures::record(Topic::Referee, command, Figure::new(name, measured).against("none wrong", wrong.is_empty()));
    assert!(wrong.is_empty(), "{wrong:?}");
}
