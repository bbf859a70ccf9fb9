//! Reports tests that this machine cannot run. The test runner would hide such reports, since it shows no output of
//! passed tests.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::process::Command;

use crate::support::command::Dir;

/// Environment variable with the path of the list of skipped tests. `.ci/run` sets it, and prints the list at its end.
const LIST: &str = "KINGLINE_SKIPPED_TESTS";
/// Environment variable set for a process that is started only to skip the test below.
const TRIED: &str = "KINGLINE_TEST_SKIPS";

/// Reports on standard error that a test or a part of it is skipped, and adds it to the list of skipped tests, if there
/// is one.
pub(crate) fn skipped(test: &str, why: &str) {
    // Writes one line, even if the reason has more.
    let line = format!("skipped: {test}: {}\n", why.split_whitespace().collect::<Vec<_>>().join(" "));
    // Unlike `eprint!`, this is not captured by the test runner. An error means that nobody reads standard error.
    let _ = io::stderr().write_all(line.as_bytes());
    if let Some(list) = env::var_os(LIST) {
        append(&list, &line).expect("a list of skipped tests that can be written");
    }
}

/// Reports that the test that runs, or a part of it, is skipped. Its name is that of its thread.
pub(crate) fn skipped_here(why: &str) {
    skipped(std::thread::current().name().unwrap_or_default(), why);
}

/// Appends a line by one write, since other tests may append at the same time.
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
