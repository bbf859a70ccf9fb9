//! The `test-loa` program: scripts of both editions with the real `loa`, and with faulty players, which are short shell
//! scripts.

mod as_the_course;
mod faults;
mod long_waits;
mod options;
mod reports;
mod short_times;
mod verdicts_2015;
mod verdicts_2020;
mod warnings;

use std::fs;

use crate::support::command::*;

/// Player that does nothing until the end of its input.
const IDLE: &str = "cat >/dev/null";

/// Tables of cases.
const CASES: &str = include_str!("cases.txt");

/// Player that prints lines at once, then does nothing.
fn says(lines: &str) -> String {
    format!("printf '{lines}'\n{IDLE}")
}

/// Runs scripts in a directory, which may contain `player.sh` and `other.sh`.
fn run(dir: &Dir, arguments: &[&str]) -> Ran {
    dir.run_with_args(Program::TestLoa, arguments)
}

/// Expected output of a 2020 program that prints neither dumps nor recorded ends.
const NOTHING: &str = "# nothing\n";

/// Verdict on a player by a 2020 script, given without its first line: the text in the parentheses of the report, empty
/// if the test passed. The test expects no output. The course's tester must agree.
#[track_caller]
fn verdict_2020(player: &str, script: &str) -> String {
    let dir = Dir::new().with("player.sh", player).with("t.in", format!("#* sh player.sh\n{script}"));
    dir.write("t.std", NOTHING);
    agreed(&dir, "t.in", "** t PASSED.", "** t FAILED (")
}

#[track_caller]
fn verdict_of_two_2020(players: [&str; 2], scripts: [&str; 2]) -> String {
    let dir = Dir::new().with("player.sh", players[0]).with("other.sh", players[1]);
    dir.write("t-1.in", format!("#* sh player.sh\n{}", scripts[0]));
    dir.write("t-2.in", format!("#* sh other.sh\n{}", scripts[1]));
    dir.write("t-1.std", NOTHING);
    dir.write("t-2.std", NOTHING);
    agreed(&dir, "t-1.in", "** t-1 PASSED.", "** t-1 FAILED (")
}

/// Verdict on a player by a 2015 script, whose command may have options.
#[track_caller]
fn verdict_2015(player: &str, options: &str, script: &str) -> String {
    let text = format!("sh player.sh {options}\nNone\n===#1===\n{script}");
    let dir = Dir::new().with("player.sh", player).with("t.in", text);
    agreed(&dir, "t.in", "t: OK", "t: FAIL (")
}

#[track_caller]
fn verdict_of_two_2015(players: [&str; 2], options: &str, scripts: [&str; 2]) -> String {
    let dir = Dir::new().with("player.sh", players[0]).with("other.sh", players[1]);
    let [first, second] = scripts;
    dir.write("t.in", format!("sh player.sh\nsh other.sh {options}\n===#1===\n{first}\n===#2===\n{second}\n"));
    agreed(&dir, "t.in", "t: OK", "t: FAIL (")
}

/// Verdict on a test, on which both testers must agree.
#[track_caller]
fn agreed(dir: &Dir, script: &str, passed: &str, failed: &str) -> String {
    let verdict = reason(&run(dir, &[script]), passed, failed);
    let course = reason(&run(dir, &["--as-the-course", script]), passed, failed);
    assert_eq!(verdict.is_empty(), course.is_empty(), "{verdict:?}, but as the course {course:?}");
    verdict
}

/// Reason in the first line of a report. The exit code must agree.
#[track_caller]
fn reason(ran: &Ran, passed: &str, failed: &str) -> String {
    let line = ran.stdout.lines().next().unwrap_or_default();
    if line == passed {
        assert_eq!(ran.exits_with(0).stdout, format!("{passed}\n\nPassed all 1 tests.\n"));
        return String::new();
    }
    let reason = line.strip_prefix(failed).and_then(|rest| rest.strip_suffix(')'));
    let reason = reason.unwrap_or_else(|| panic!("{passed} or {failed}: {ran:#?}"));
    assert_eq!(ran.exits_with(1).stdout, format!("{line}\n\nPassed 0 out of 1 tests.\n"));
    reason.to_string()
}

/// Copies the samples of a language into a directory, and returns it with their names.
fn samples(language: &str) -> (Dir, Vec<String>) {
    let dir = Dir::new();
    let mut scripts = Vec::new();
    for path in paths_in("samples/test-loa", "") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with(language) {
            dir.write(&name, fs::read(&path).expect("a sample"));
            scripts.extend(Some(name).filter(|name| name.ends_with(".in")));
        }
    }
    (dir, scripts)
}

/// Runs samples with the real `loa` instead of the programs that they name.
fn run_samples(dir: &Dir, options: &str, scripts: &[String]) -> Ran {
    let loa = Program::Loa.path().display();
    let [first, second] = ["java -ea loa.Main", "staff-loa"].map(|name| format!("--program={name}={loa} {options}"));
    let mut arguments = vec![first.as_str(), second.as_str()];
    arguments.extend(scripts.iter().map(String::as_str));
    run(dir, &arguments)
}

#[test]
fn loa_passes_the_2020_samples() {
    let (dir, scripts) = samples("2020");
    let before = dir.names();
    let ran = run_samples(&dir, "", &scripts);
    let names = ["by-hand-1", "self-play-1", "start-1", "two-programs-1", "win-in-one-1"];
    let passed: String = names.map(|name| format!("** 2020-{name} PASSED.\n")).concat();
    assert_eq!(ran.exits_with(0).stdout, format!("{passed}\nPassed all 5 tests.\n"));
    assert_eq!((ran.stderr.as_str(), dir.names()), ("", before));
}

#[test]
fn loa_passes_the_2015_samples() {
    let (dir, scripts) = samples("2015");
    let before = dir.names();
    let ran = run_samples(&dir, "--dialect 2015", &scripts);
    let names = ["by-hand: OK", "self-play: OK", "start: OK", "two-programs: White wins"];
    let passed: String = names.map(|name| format!("2015-{name}\n")).concat();
    assert_eq!(ran.exits_with(0).stdout, format!("{passed}\nPassed all 4 tests.\n"));
    assert_eq!((ran.stderr.as_str(), dir.names()), ("", before));
}

#[test]
fn a_wrong_expected_line_fails_every_sample() {
    for (language, options) in [("2020", ""), ("2015", "--dialect=2015")] {
        let (dir, scripts) = samples(language);
        for name in dir.names().iter().filter(|name| !name.ends_with(".in")) {
            let text = dir.text(name);
            dir.write(name, text.replacen("- -", "- b", 1).replacen("* White wins.", "* Black wins.", 1));
        }
        let ran = run_samples(&dir, options, &scripts);
        let wrong = dir.names().iter().filter(|name| !name.ends_with(".in") && !name.ends_with("-2.std")).count();
        ran.exits_with(i32::try_from(wrong).expect("a number"));
        assert_eq!(ran.stdout.matches("(output differs from ").count(), wrong, "{ran:?}");
    }
}

#[test]
fn the_readme_describes_every_sample() {
    let page = include_str!("../../samples/README.md");
    for language in ["2015", "2020"] {
        for script in samples(language).1 {
            let name = script.trim_end_matches(".in");
            assert!(page.contains(name), "{name} is not in samples/README.md");
        }
    }
}
