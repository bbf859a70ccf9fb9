//! A stopped `master grade` keeps its answers, and the same command continues the exam.

use std::fs;
use std::path::PathBuf;

use crate::support::referee::*;

const STEPS: usize = 19;

/// A deterministic agent that takes some time.
fn steady() -> Dir {
    let dir = Dir::new();
    dir.scripted("steady", Program::Reference, "sleep 0.01\nexec ./engine --seed 3");
    // Budgets with which the reference agent looks one turn ahead.
    dir.write("budgets.txt", "1.9\n".repeat(9));
    dir
}

fn exam(words: &str) -> String {
    format!("grade steady --budgets budgets.txt {words}")
}

/// The files of unfinished exams.
fn kept(dir: &Dir) -> Vec<PathBuf> {
    dir.names().iter().filter(|name| name.ends_with(".part")).map(|name| dir.path(name)).collect()
}

/// Number of answers in the only unfinished exam.
fn answers(dir: &Dir) -> usize {
    let text = kept(dir).first().map_or(String::new(), |path| fs::read_to_string(path).unwrap_or_default());
    text.split_inclusive('\n').filter(|line| line.starts_with("{\"answer\"") && line.ends_with('\n')).count()
}

/// Starts an exam and stops it with `signal` once `answered` answers are kept.
fn stopped(dir: &Dir, words: &str, signal: Signal, answered: usize) -> Ran {
    let child = dir.start_until(&mut master(&exam(words)), || answers(dir) >= answered);
    send(signal, &child);
    dir.wait_for(child)
}

#[test]
fn a_stopped_exam_continues_with_its_seed() {
    let dir = steady();
    let ran = stopped(&dir, "--report report.md", Signal::SIGINT, 11);
    let done = answers(&dir);
    assert!((11..STEPS).contains(&done), "{done}");
    ran.exits_with(1).stderr_contains(&[
        &format!("stopped: {done} of {STEPS} moves and games are graded, and kept in "),
        ".part; help: run the same command again to continue",
    ]);
    assert!(ran.stdout.contains("steady: not finished, so far "), "{ran:#?}");
    let seed = ran.stdout.lines().find(|line| line.starts_with("seed ")).expect("the seed").to_owned();
    let report = dir.text("report.md");
    assert!(report.starts_with("# steady: not finished, so far "), "{report}");
    assert!(report.contains(&format!("**The exam was stopped after {done} of {STEPS} moves and games")), "{report}");
    let before = fs::read_to_string(&kept(&dir)[0]).expect("an unfinished exam");

    // A power cut may leave half a line.
    fs::write(&kept(&dir)[0], before.clone() + "{\"answer\":[18,{\"game").expect("a file");
    // A killed exam loses only answers in progress.
    stopped(&dir, "--report report.md", Signal::SIGKILL, done + 1);
    let later = answers(&dir);
    assert!(later > done && fs::read_to_string(&kept(&dir)[0]).expect("an exam").starts_with(&before));

    let ran = dir.master(&exam("--report report.md --save games"));
    ran.exits_with(0).stderr_contains(&[&format!("continuing an exam: {later} of {STEPS} moves and games are done")]);
    assert!(ran.stdout.contains(&seed), "{seed}: {ran:#?}");
    let marks = ran.stdout.lines().filter(|line| line.starts_with("move ") || line.starts_with("game ")).count();
    assert_eq!(marks, STEPS);
    let report = dir.text("report.md");
    assert!(report.starts_with("# steady: ") && !report.contains("not finished"), "{report}");
    assert_eq!(dir.names_in("games").len(), 9);
    assert_eq!(kept(&dir), Vec::<PathBuf>::new());
}

#[test]
fn a_stopped_exam_has_the_marks_of_a_whole_one() {
    let dir = steady();
    let words = "--seed 7 --json";
    let first: Value = stopped(&dir, words, Signal::SIGTERM, 10).exits_with(1).json();
    assert_eq!(first["is_finished"], false);
    let whole: Value = dir.master(&exam(words)).exits_with(0).json();
    assert_eq!((&whole["is_finished"], &whole["seed"]), (&Value::Bool(true), &Value::from(7)));
    // Kept answers are not requested again, so their times are equal to the microsecond.
    let (before, after) = (list(&first["marks"]), list(&whole["marks"]));
    assert_eq!(after.len(), STEPS);
    assert!(before.iter().all(|mark| after.contains(mark)), "{before:#?}");
}

#[test]
fn another_agent_or_other_terms_are_another_exam() {
    let dir = steady();
    stopped(&dir, "--seed 7", Signal::SIGINT, 1);
    let begun = kept(&dir);
    let text = fs::read_to_string(&begun[0]).expect("an unfinished exam");
    let others = ["--seed 8", "", "--seed 7 --lenient", "--seed 7 --opening 2", "--seed 7 --reference steady"];
    for (number, words) in others.into_iter().enumerate() {
        dir.kill_when(&mut master(&exam(words)), || kept(&dir).len() == 2);
        let new: Vec<PathBuf> = kept(&dir).into_iter().filter(|path| !begun.contains(path)).collect();
        assert_eq!(new.len(), 1, "exam {number}");
        fs::remove_file(&new[0]).expect("a file to delete");
    }
    assert_eq!(fs::read_to_string(&begun[0]).expect("an exam"), text);
    dir.script("steady", "exec ./engine --seed 4");
    dir.master(&exam("--seed 7 --jobs 2")).exits_with(0).stderr_lacks(&["continuing an exam"]);
    assert_eq!(kept(&dir), begun, "the old exam is kept, as the agent's old files may return");
}

#[test]
fn a_file_that_is_not_an_unfinished_exam_is_not_touched() {
    let dir = steady();
    stopped(&dir, "--seed 7", Signal::SIGINT, 1);
    let path = kept(&dir).remove(0);
    let whole = fs::read_to_string(&path).expect("an unfinished exam");
    let (first, rest) = whole.split_once('\n').expect("lines");
    for (text, message) in [
        ("notes of mine\n".to_owned(), "expected the journal of a grading, found something else"),
        (rest.to_owned() + "\n", "its first line is not that of an exam"),
        (format!("{first}\n{first}\n"), "line 2: it is damaged"),
    ] {
        fs::write(&path, &text).expect("a file");
        dir.refuses(&exam("--seed 7"), &[message, "help: move it away to start a new exam"]);
        assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    }
}
