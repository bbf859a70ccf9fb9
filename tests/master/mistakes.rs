//! Common mistakes in submissions, each reported with help, before the first game if possible; and what this machine lacks,
//! which is reported once at the top and for each student, and costs nobody a point.

use super::CASES;
use crate::support::referee::*;
use crate::support::submissions::*;
use crate::support::table::rows;

#[test]
fn programs_that_cannot_run_are_refused_before_the_first_game() {
    for [file, text, reported] in rows(CASES, "programs that cannot run") {
        let dir = Dir::new();
        dir.write_program(&format!("agent/{file}"), text);
        dir.refuses("play agent agent", &[reported]);
        dir.master("check agent").exits_with(1).stdout_contains(&[reported]);
    }
    let dir = Dir::new();
    dir.write("agent/homework", "#!/bin/sh\n");
    dir.refuses("play agent agent", &["homework is not executable; help: chmod +x "]);
}

#[test]
fn an_agent_that_cannot_start_processes_gets_help() {
    let dir = Dir::new();
    dir.script("agent", "cat input.txt > output.txt");
    let said =
        "the rusage tier allows none; help: start fewer, or use a machine with another tier (see `master doctor`)";
    dir.master("check agent --tier rusage").exits_with(1).stdout_contains(&[said]);
}

#[test]
fn the_verdict_names_the_cause_of_a_failure() {
    let java = "#!/bin/sh\necho 'Error: Could not find or load main class Homework' >&2; exit 1\n";
    let only_agent = "there is no class Homework, only Agent; help: run `java Agent` in run.sh";
    for (script, kind, said) in [
        (java, FaultKind::Crashed, only_agent),
        ("#!/bin/sh\nexec ./engine\n", FaultKind::Crashed, "engine is not executable; help: run `chmod +x engine`"),
        ("#!VENV/sh\n", FaultKind::NotStarted, "VENV/sh, which agents cannot see: "),
    ] {
        let dir = Dir::new();
        dir.make_dir("venv");
        dir.link("/bin/sh", "venv/sh");
        let venv = dir.path("venv").display().to_string();
        dir.write_program("agent/run.sh", &script.replace("VENV", &venv));
        dir.write("agent/Agent.class", "");
        dir.write("agent/engine", "#!/bin/sh\n");
        let record = &dir.play("agent agent")[0];
        let fault = fault(record);
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(fault.read.contains(&said.replace("VENV", &venv)), "{fault}");
        dir.master("check agent").exits_with(1).stdout_contains(&["help: "]);
    }
}

/// A program that plays a whole game can also be missing, or end early.
#[test]
fn the_verdict_names_the_end_of_a_console_program() {
    let dir = Dir::new();
    dir.copy(Program::Loa.path(), "good/loa");
    dir.make_dir("venv");
    dir.link("/bin/sh", "venv/sh");
    dir.write_program("missing/loa", &format!("#!{}\n", dir.path("venv/sh").display()));
    dir.script("broken", "echo no board >&2\nexit 3");
    for (name, kind, read) in [
        ("missing", FaultKind::NotStarted, "venv/sh, which agents cannot see: "),
        ("broken", FaultKind::Crashed, "exit code 3; stderr: no board"),
    ] {
        let record = &dir.play(&format!("{name} good --league loa --opening 0"))[0];
        let fault = fault(record);
        assert!(fault.kind == kind && fault.read.contains(read), "{fault}");
    }
}

#[test]
fn a_promised_module_that_is_missing_is_not_the_students_fault() {
    if is_skipped("master::mistakes", &["python3"]) {
        return;
    }
    let class = Dir::class(1);
    for (name, import) in [
        ("ada", "import nosuchmodule"),
        ("cem", "import nosuchmodule_of_mine"),
        ("dan", "try:\n  import nosuchmodule\nexcept ImportError:\n  pass"),
        ("eva", "import nosuchmodule"),
    ] {
        // It always answers the same.
        let answer = "open('output.txt', 'w').write('E c3 b4\\n')";
        class.write(&format!("class/{name}/homework.py"), format!("{import}\n{answer}\n"));
    }
    class.write("class/eva/nosuchmodule.py", "");
    class.course(&json!({ "modules": ["nosuchmodule"] }));
    class.grade("--csv book.csv --report reports --seed 3").exits_with(1).stderr_contains(&[
        "master: this machine lacks nosuchmodule for python3, which 3 of these need: ada, dan, eva\n",
        "master: 1 of 4 submissions could not be graded completely",
    ]);
    let book = class.book();
    let states: Vec<_> = book.iter().map(|row| (&*row[0], row.concat().contains("not graded"))).collect();
    assert_eq!(states, [("ada", true), ("cem", false), ("dan", false), ("eva", false)], "{book:?}");
    let page = class.text("reports/pages/ada.html");
    contains(&page, &["not graded: this machine has no nosuchmodule for python3"]);
    class.course(&json!({ "modules": [3] }));
    class.refuses(&grade(""), &["course.json", "expected a string"]);
}
