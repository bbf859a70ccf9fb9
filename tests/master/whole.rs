//! Whole checks and exams of our own agents.

use std::collections::BTreeSet;

use crate::support::checks::short_exam;
use crate::support::referee::*;

#[test]
fn our_checkers_agents_pass_every_step() {
    let dir = Dir::new();
    for (name, program) in [("ours", Program::Homework), ("plain", Program::Reference)] {
        dir.agent(name, program, "homework");
        let ran = dir.master(&["check", name]);
        ran.exits_with(0);
        let steps = ran.stdout.lines().filter(|line| line.starts_with("ok ") && line.contains('§')).count();
        assert!(steps >= 40 && ran.stdout.ends_with(&format!("All {steps} steps passed.\n")), "{ran:#?}");
        assert!(!ran.stdout.contains('\u{1b}'), "colors without a terminal: {ran:#?}");
    }
}

#[test]
fn a_drawn_game_goes_to_the_side_with_more_time_left() {
    let dir = Dir::new();
    short_exam(&dir);
    // Both play the same moves; one of them is slower.
    dir.scripted("quick", Program::Reference, "exec ./engine --seed 1");
    let slow = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exec ./engine --seed 1";
    dir.scripted("slow", Program::Reference, slow);
    dir.write("budgets.txt", "9\n".repeat(9));
    let exam = "--positions exam --budgets budgets.txt --opening 0 --json --jobs 2";
    for (first, second, expected) in [("slow", "quick", 0), ("quick", "slow", 10)] {
        let ran = dir.master(&format!("grade {first} --reference {second} {exam}"));
        let grade: Value = ran.exits_with(0).json();
        let marks = list(&grade["marks"]).iter();
        let drawn: Vec<_> = marks.filter(|mark| mark["records"][0]["verdict"]["reason"]["why"] == "drawn").collect();
        assert!(!drawn.is_empty() && drawn.iter().all(|mark| mark["points"] == expected), "{drawn:#?}");
        let reason = drawn[0]["lost"]["wrong"].as_str().unwrap_or_default();
        assert_eq!(reason.contains("has more time left"), expected == 0, "{reason}");
        let is_whole = |time: &Value| time.as_u64().is_some_and(|time| time.is_multiple_of(10_000));
        let steps = |mark: &&Value| list(&mark["records"][0]["left"]).iter().all(is_whole);
        assert!(drawn.iter().all(steps), "time is counted in steps of 0.01 s: {drawn:#?}");
    }
}

#[test]
fn grading_is_reproducible() {
    let dir = Dir::new();
    short_exam(&dir);
    dir.scripted("steady", Program::Reference, "exec ./engine --seed 5");
    let games = |seed: &str| -> Vec<String> {
        let ran = dir.master(&format!("grade steady --positions exam --seed {seed} --json --jobs 2"));
        let grade: Value = ran.exits_with(0).json();
        let moves = |mark: &Value| {
            let turns = list(&mark["records"][0]["turns"]).iter();
            turns.map(|turn| turn["mv"].as_str().unwrap_or("-")).collect::<Vec<_>>().join(" ")
        };
        list(&grade["marks"]).iter().filter(|mark| mark["part"] == "game").map(moves).collect()
    };
    let first = games("7");
    assert_eq!(games("7"), first);
    assert_ne!(games("8"), first);
    let different = first.iter().collect::<BTreeSet<_>>();
    assert!(different.len() >= 8, "{first:#?}");
}
