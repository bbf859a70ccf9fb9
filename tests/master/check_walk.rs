//! `master check`: requirements are ok or wrong, unwise behavior is a note, and one run reports everything.

use std::process::Command;

use super::CASES;
use crate::support::checks::{filtered, findings, is_wrong, step, steps, wrong_steps};
use crate::support::referee::*;
use crate::support::table::rows;

fn notes(steps: &[Value]) -> String {
    let notes = steps.iter().flat_map(|step| list(&step["notes"]));
    notes.map(|note| note.as_str().expect("text")).collect::<Vec<_>>().join("\n")
}

/// Result of a check that finds nothing wrong.
fn passed(dir: &Dir, arguments: &[&str]) -> Value {
    let checked: Value = dir.master(&[&["check", "--json"], arguments].concat()).exits_with(0).json();
    assert_eq!(checked["passed"], true);
    checked
}

/// Shell line that uses about 0.2 s of CPU time on this machine, however busy it is.
fn burn() -> String {
    let count = |to: u64| format!("i=0; while [ $i -lt {to} ]; do i=$((i+1)); done");
    let script = format!("{}; times", count(200_000));
    let times = Command::new("sh").args(["-c", &script]).output().expect("a shell").stdout;
    // `0m0.21s 0m0.00s`: the user time of the shell comes first.
    let times = String::from_utf8(times).expect("text");
    let (_, used) = times.words()[0].trim_end_matches('s').split_once('m').expect("minutes and seconds");
    count((200_000.0 * 0.2 / used.parse::<f64>().expect("seconds")) as u64)
}

/// The first agent burns CPU time before it reads its input, as an interpreter does.
#[test]
fn a_slow_start_is_a_note_and_slow_thought_is_wrong() {
    let dir = Dir::new();
    let burn = burn();
    dir.scripted("starts", Program::Reference, &format!("{burn}; exec ./engine --seed 1"));
    let noted = steps(&passed(&dir, &["starts"]), "note");
    for title in ["in a game it answers in time", "for a single move it answers in time"] {
        let noted = notes(&[step(&noted, title).clone()]);
        assert!(noted.contains("0.01 s is less than the 0.") && noted.contains("needs to start"), "{title}: {noted}");
    }
    // Just as slow, but only where there is something to search.
    let many = "[ $(tail -n 8 input.txt | tr -dc bwBW | wc -c) -lt 6 ]";
    dir.scripted("thinks", Program::Reference, &format!("{many} || {{ {burn}; }}; exec ./engine --seed 1"));
    is_wrong(&dir, &["thinks"], "in a game it answers in time", "within 0.100 s");
}

#[test]
fn all_faults_are_found_in_one_run() {
    let dir = Dir::new();
    let script = "[ -e playdata.txt ] && [ -e calibration.txt ] && exit 4
        ./engine --seed 1 2>/dev/null
        echo 1 > playdata.txt; echo 1 > log.txt
        sed -n 1p output.txt | sed 's/$/ /' > log.txt; cat log.txt > output.txt";
    dir.scripted("several", Program::Reference, script);
    dir.write_program("several/calibrate", "#!/bin/sh\necho 1 > calibration.txt\n");
    let wrong = wrong_steps(&dir, &["several"]);
    for [title, message] in rows(CASES, "faults of one run") {
        let found = findings(step(&wrong, title));
        assert!(found.contains(message), "{title}: {found}");
    }
    let blanks = wrong.iter().filter(|step| findings(step).contains("ends in a blank")).count();
    assert_eq!(blanks, 1, "a slip is reported once: {wrong:#?}");
}

#[test]
fn output_in_place_of_an_answer_is_shown() {
    let dir = Dir::new();
    for [name, script, printed] in rows(CASES, "output in place of an answer") {
        dir.scripted(name, Program::Reference, script);
        let ran = dir.master(&["check", name]);
        ran.exits_with(1).stdout_contains(&[printed]);
        let has_help = ran.stdout.contains("help: write the turn to output.txt");
        assert_eq!(has_help, ["prints", "empties"].contains(&name), "{name}: {ran:#?}");
    }
}

#[test]
fn slips_in_the_form_are_reported() {
    let dir = Dir::new();
    for [name, filter, slip] in rows(CASES, "slips in the form") {
        filtered(&dir, name, filter);
        is_wrong(&dir, &[name], "output.txt has the form", slip);
        let lenient = passed(&dir, &[name, "--lenient"]);
        assert!(notes(&steps(&lenient, "note")).contains(slip), "{name}: {lenient:#?}");
    }
    // Slips that no league accepts: each is reported once, and hides nothing else.
    for (name, filter) in
        [("extra", "$s/$/\\nthe best of 7/"), ("arrows", "s,\\(..\\) \\(..\\)$,\\1->\\2,"), ("bare", "s/^..//")]
    {
        filtered(&dir, name, filter);
        let wrong = wrong_steps(&dir, &[name]);
        assert!(
            wrong.len() == 1 && !findings(step(&wrong, "output.txt has the form")).is_empty(),
            "{name}: {wrong:#?}"
        );
    }
    filtered(&dir, "cut", "1!d; a done");
    let wrong = is_wrong(&dir, &["cut"], "a jump continues", "illegal");
    assert!(wrong.len() < 12, "{wrong:#?}");
    let endless = "./engine --seed 1; turn=$(cat output.txt); printf %s \"$turn\" > output.txt";
    dir.scripted("endless", Program::Reference, endless);
    // A slow start on a busy machine is a note too, in other steps.
    let noted = steps(&passed(&dir, &["endless"]), "note");
    let noted = notes(&[step(&noted, "the program can be started").clone()]);
    assert_eq!(noted, "the last line of output.txt does not end in LF: it is accepted, but lines should end in LF");
    for (name, line, slip) in [
        ("lower", "tr A-F a-f", "the answer has lowercase letters: "),
        ("spaced", "sed 's/$/ /'", "the answer ends in a blank: "),
    ] {
        dir.agent(name, Program::Loa6, "engine");
        let answer = format!("{{ echo move; cat; }} | ./engine --time 0.02 | {line}");
        dir.script(name, &format!("read line\nif [ $line = move ]; then {answer}; else echo me; fi"));
        let wrong = is_wrong(&dir, &[name, "--league", "loa6"], "one line like D1B3", slip);
        assert_eq!(wrong.len(), 1, "{name}: {wrong:#?}");
    }
}

#[test]
fn missing_what_no_rule_requires_is_a_note() {
    let dir = Dir::new();
    let right = "./engine --seed 1 2>/dev/null";
    for [name, script, title, message] in rows(CASES, "what no rule requires") {
        dir.scripted(name, Program::Reference, &script.replace("RIGHT", right));
        let checked = passed(&dir, &[name]);
        let noted = steps(&checked, "note");
        assert!(findings(step(&noted, title)).contains(message), "{name}: {noted:#?}");
        assert!(notes(&noted).contains("no rule forbids it") || notes(&noted).contains("not required"), "{noted:#?}");
    }
}

/// Each program does something else where the texts of the course are silent or differ.
#[test]
fn cases_that_no_text_decides_are_notes() {
    let dir = Dir::new();
    for [name, league, lines, title] in rows(CASES, "what no text decides") {
        dir.agent(name, Program::Loa, "engine");
        let edition = league.strip_prefix("loa-").unwrap_or("2020");
        dir.script(name, &format!("sed -u '{lines}' | ./engine --time 0.02 --dialect {edition}"));
        let noted = steps(&passed(&dir, &[name, "--league", league]), "note");
        assert!(notes(&[step(&noted, title).clone()]).starts_with("not required: "), "{name}: {noted:#?}");
    }
}

#[test]
fn an_agent_that_hangs_in_every_step_is_given_up() {
    let dir = Dir::new();
    for (name, league, script, steps_tried) in [
        ("spins", "checkers", "while :; do :; done", 3),
        ("silent", "checkers", "true", 4),
        ("sleeps", "loa6", "sleep 100", 3),
    ] {
        dir.scripted(name, Program::Reference, script);
        let checked: Value = dir.master(&["check", name, "--league", league, "--json"]).exits_with(1).json();
        assert!((1..=steps_tried).contains(&steps(&checked, "wrong").len()), "{name}: {checked:#}");
        let given_up = steps(&checked, "skipped");
        let why = given_up.last().map(|step| step["did"].to_string()).unwrap_or_default();
        assert!(why.contains("ran out of time") || why.contains("no answer in 6 turns"), "{name}: {why}");
        let first = findings(&steps(&checked, "wrong")[0]);
        assert!(name != "spins" || first.contains("within 5.000 s of CPU time"), "{first}");
    }
}

/// The agent's first answer is wrong, and all others are right.
#[test]
fn a_wrong_first_answer_does_not_end_the_walk() {
    let dir = Dir::new();
    let late = "case $(sed -n 3p input.txt) in 5|5.0) exit 7;; esac; exec ./engine --seed 1";
    dir.scripted("late", Program::Reference, late);
    let checked: Value = dir.master("check late --json").exits_with(1).json();
    let wrong = steps(&checked, "wrong");
    assert!(findings(step(&wrong, "it writes output.txt")).contains("exit code 7"), "{wrong:#?}");
    assert_eq!((wrong.len(), steps(&checked, "skipped").len()), (1, 2), "{wrong:#?}");
    // A program with a command mode may fail only at its end.
    dir.agent("stays", Program::Loa, "engine");
    dir.script("stays", "./engine --time 0.02\nexit 1");
    let wrong = wrong_steps(&dir, &["stays", "--league", "loa"]);
    let titles: Vec<_> = wrong.iter().map(|step| step["title"].to_string()).collect();
    assert!(titles.len() == 2 && titles.iter().all(|title| title.contains("with status 0")), "{titles:#?}");
}
