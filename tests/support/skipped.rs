//! Tests that this machine cannot run are reported: the test runner hides what a passed test prints.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::process::Command;

use crate::support::command::Dir;

/// Names the file in which skipped tests are listed; `.ci/run` sets it, and shows the list at its end.
const LIST: &str = "KINGLINE_SKIPPED_TESTS";
/// Set in a process that is started to skip the test below.
const TRIED: &str = "KINGLINE_TEST_SKIPS";

/// Says on standard error, past the test runner, that a test or a part of it is skipped, and adds it to the list of
/// such tests, if there is one.
pub(crate) fn skipped(test: &str, why: &str) {
    // One line, even if the reason has several.
    let line = format!("skipped: {test}: {}\n", why.split_whitespace().collect::<Vec<_>>().join(" "));
    // Unlike the output of `eprint!`, this is not captured. stderr may be closed; ignore.
    let _ = io::stderr().write_all(line.as_bytes());
    if let Some(list) = env::var_os(LIST) {
        append(&list, &line).expect("a list of skipped tests that can be written");
    }
}

/// In one write: other tests may append at the same time.
fn append(list: &OsStr, line: &str) -> io::Result<()> {
    File::options().create(true).append(true).open(list)?.write_all(line.as_bytes())
}

#[test]
fn skipped_tests_are_printed_and_listed() {
    let test = "support::skipped::skipped_tests_are_printed_and_listed";
    if env::var_os(TRIED).is_some() {
        return skipped(test, "only\n to try it out ");
    }
    let dir = Dir::new();
    let run = |list: Option<&str>| {
        let mut command = Command::new(env::current_exe().expect("this program"));
        command.args([test, "--exact"]).env(TRIED, "1").env_remove(LIST);
        list.map(|name| command.env(LIST, dir.path(name)));
        dir.run_command(&mut command)
    };
    let line = format!("skipped: {test}: only to try it out\n");
    let ran = run(None);
    assert!(ran.exits_with(0).stdout.contains("1 passed"), "{ran:#?}");
    assert_eq!((ran.stderr.as_str(), dir.names().len()), (line.as_str(), 0));
    for times in 1..=2 {
        assert_eq!(run(Some("list")).exits_with(0).stderr, line);
        assert_eq!(dir.read("list"), Some(line.repeat(times)));
    }
}
