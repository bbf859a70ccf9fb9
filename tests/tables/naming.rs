//! Tables named in an agent's calibration.txt.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use kingline::checkers::{Diagram, Position};
use serde_json::{Value, json};

use super::{command, run};
use crate::support::command::*;

/// Makes a folder that contains a folder `agent` with this calibration.txt.
fn with_agent(calibration: Option<&str>) -> Dir {
    let dir = Dir::new();
    dir.make_dir("agent");
    if let Some(text) = calibration {
        dir.write("agent/calibration.txt", text);
    }
    dir
}

const NAMED: [&str; 6] = ["--pieces", "2", "--output", "t", "--name-in", "agent"];

fn calibration(dir: &Dir) -> Value {
    let text = dir.text("agent/calibration.txt");
    serde_json::from_str(&text).expect("JSON")
}

fn absolute(dir: &Dir, name: &str) -> String {
    let folder = fs::canonicalize(dir.path(".")).expect("a folder");
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn naming_keeps_the_other_fields() {
    let dir = with_agent(None);
    let ran = run(&dir, &NAMED);
    assert!(ran.exits_with(0).stdout.ends_with("/agent/calibration.txt\n"), "{ran:#?}");
    assert_eq!(calibration(&dir), json!({ "tables": absolute(&dir, "t") }));

    let before = r#"{"frugality": -1, "mine": [1, null, "x"], "tables": 7, "costs": {"exit_ms": 2.5}, "version": 1}"#;
    let dir = with_agent(Some(before));
    let ran = run(&dir, &[&NAMED[..], &["--json"]].concat());
    ran.exits_with(0)
        .stderr_contains(&["frugality is -1, expected 0 to 1", "unknown field \"mine\""])
        .stderr_lacks(&["tables is 7"]);
    let mut expected: Value = serde_json::from_str(before).expect("JSON");
    expected["tables"] = json!(absolute(&dir, "t"));
    assert_eq!(calibration(&dir), expected);
    assert_eq!(dir.names(), ["agent", "t"]);
    assert_eq!(dir.names_in("agent").len(), 1);
}

#[test]
fn the_agent_uses_the_named_file() {
    let dir = with_agent(None);
    let position: Position = "W:WK22:B3".parse().expect("a position");
    dir.write("agent/input.txt", format!("SINGLE\nWHITE\n1\n{}", Diagram(&position)));
    run(&dir, &NAMED).exits_with(0);
    let homework = |dir: &Dir| dir.run_command(Command::new(Program::Homework.path()).arg("agent"));
    homework(&dir).exits_with(0).stderr_contains(&["by the endgame tables"]).stderr_lacks(&["warning"]);
    dir.delete("t");
    homework(&dir).exits_with(0).stderr_contains(&["warning: ", "/t\" are ignored: cannot be read"]);
}

/// Checks that the command refuses before it builds anything.
#[test]
fn invalid_files_and_agents_are_refused_at_once() {
    let refused = |dir: &Dir, output: &str, agent: &str, expected: &[&str]| {
        run(dir, &["--pieces", "5", "--output", output, "--name-in", agent]).exits_with(1).stderr_contains(expected);
        assert!(!dir.path("t").exists() && !dir.path("t.parts").exists() && !dir.path("agent/t.parts").exists());
    };
    let dir = with_agent(None);
    dir.make_dir("agent/deep");
    dir.write("file", "");
    let inside = "would lie in the agent's directory";
    refused(&dir, "agent/t", "agent", &["agent/t", inside, "expected a file outside it"]);
    refused(&dir, "agent/deep/t", "agent", &[inside]);
    refused(&dir, "agent/deep/../t", "./agent/deep/..", &[inside]);
    refused(&dir, "t", ".", &[inside]);
    refused(&dir, "t", "none", &["cannot find none"]);
    refused(&dir, "t", "file", &["file: expected an agent's directory"]);
    refused(&dir, "none/t", "agent", &["cannot find none"]);
    refused(&dir, "..", "agent", &["expected a file name"]);
    assert_eq!(dir.names_in("agent").len(), 1);

    for text in ["", "{", "[]", "null", "\u{fffd}", "{\"version\": 2}", "{\"frugality\": 1e400}"] {
        let dir = with_agent(Some(text));
        refused(&dir, "t", "agent", &["agent/calibration.txt is invalid: "]);
        assert_eq!(dir.read("agent/calibration.txt").as_deref(), Some(text));
    }
    let dir = with_agent(None);
    dir.make_dir("agent/calibration.txt");
    refused(&dir, "t", "agent", &["cannot read ", "agent/calibration.txt"]);
}

#[test]
fn a_path_that_is_not_utf_8_is_refused() {
    let dir = with_agent(None);
    let name = OsStr::from_bytes(b"t\xff");
    let mut named = command(&["--pieces", "2", "--name-in", "agent", "--output"]);
    dir.run_command(named.arg(name)).exits_with(1).stderr_contains(&["t\\xFF", "expected a UTF-8 path"]);
    assert_eq!(dir.names(), ["agent"]);
    dir.run_command(command(&["--pieces", "2", "--output"]).arg(name))
        .exits_with(0)
        .stdout_contains(&["calibration.txt cannot name it: "]);
    assert!(dir.path(".").join(name).is_file());
}
