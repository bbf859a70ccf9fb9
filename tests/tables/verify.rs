//! The verification command: sound values and files pass, others fail.

use super::{built, run};
use crate::support::command::Dir;

#[test]
fn solved_values_and_their_file_pass() {
    let dir = Dir::new().with("t", built("3"));
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    assert_eq!(ran.exits_with(0).stdout, "199,520 positions are correct\n");
    let ran = run(&dir, &["--pieces", "2", "--verify"]);
    assert_eq!(ran.exits_with(0).stdout, "3,488 positions are correct\n");
    assert_eq!(dir.names(), ["t"]);
}

#[test]
fn a_sample_has_about_the_size_given() {
    let ran = run(&Dir::new(), &["--pieces", "4", "--verify", "--sample", "20000"]);
    let count = ran.exits_with(0).stdout.split(' ').next().expect("a number").replace(',', "");
    // Some of the sampled numbers belong to no position.
    assert!((15_000..21_000).contains(&count.parse::<u32>().expect("a number")), "{ran:#?}");
}

#[test]
fn an_altered_file_fails_where_it_is_read() {
    let right = built("3");
    let mut altered = right.clone();
    *altered.last_mut().expect("a byte") ^= 1;
    let dir = Dir::new().with("t", altered);
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    ran.exits_with(1).stderr_contains(&["positions are wrong"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 10, "{ran:#?}");
    for line in lines {
        assert!(line.starts_with("W:W") && line.contains("in the file, expected "), "{line}");
    }
}

#[test]
fn a_file_without_some_materials_is_refused() {
    let dir = Dir::new().with("t", built("2"));
    let ran = run(&dir, &["--pieces", "3", "--verify", "--output", "t"]);
    ran.exits_with(1).stderr_contains(&["t has no KK-K"]);
}

#[test]
fn a_foreign_file_is_refused() {
    let dir = Dir::new().with("t", "something else");
    let verify = |file| run(&dir, &["--pieces", "2", "--verify", "--output", file]);
    verify("t").exits_with(1).stderr_contains(&["cannot use t: not an endgame table file"]);
    verify("none").exits_with(1).stderr_contains(&["cannot read none"]);
    verify(".").exits_with(1).stderr_contains(&["cannot read ."]);
}
