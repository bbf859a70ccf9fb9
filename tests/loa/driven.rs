//! `loa` driven by another program: the session on the guide's page.

use crate::support::dialog::Dialog;
use crate::support::programs::Program;

const PAGE: &str = include_str!("../../src/players/guide/board_programs.md");

/// Returns true if `line` has this form, in which `...` stands for anything.
fn has_form(line: &str, form: &str) -> bool {
    let mut parts = form.split("...");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(end) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[test]
fn the_session_on_the_page_goes_as_written() {
    let session = PAGE.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a session");
    let mut program = Dialog::new(Program::Loa, &["--analyze"]);
    let (mut said, banner) = (0, [program.line(), program.line()]);
    for expected in session.lines() {
        if let Some(line) = expected.strip_prefix("> ") {
            program.say(line);
            said += 1;
            continue;
        }
        // Between the depths that are shown and the move at the end, there may be more.
        let mut others = Vec::new();
        loop {
            match program.line() {
                Some(line) if has_form(&line, expected) => break,
                Some(line) if line.starts_with("info ") => others.push(line),
                line => panic!("found {line:?} after {others:?}, expected {expected}"),
            }
        }
    }
    assert!(said > 10 && banner.iter().all(Option::is_some), "{session}");
    assert!(program.hang_up().success());
}

#[test]
fn forms_stand_for_lines() {
    for (line, form, expected) in [
        ("done move=a2-c2", "done move=...", true),
        ("info depth=1 score=0.1 pv=\"x\"", "info depth=1 score=... pv=\"...\"", true),
        ("info depth=12 score=0.1", "info depth=1 score=...", false),
        ("* a2-c2", "* a2-c2", true),
        ("* a2-c2 x", "* a2-c2", false),
        ("abc", "a...d", false),
    ] {
        assert_eq!(has_form(line, form), expected, "{line}");
    }
}
