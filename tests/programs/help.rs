//! Requirements for the help of every program and every command.

use crate::support::help::{Words, printed, with_commands};
use crate::support::programs::{Program, root};

fn all_commands() -> Vec<Words> {
    Program::ALL.into_iter().flat_map(|program| with_commands((program, Vec::new()))).collect()
}

#[test]
fn every_help_lists_its_exit_codes_and_ends_with_a_page_of_the_guide() {
    let commands = all_commands();
    assert!(commands.len() >= 13, "commands are found: {commands:?}");
    for command in commands {
        let help = printed(&command, "--help");
        assert!(help.contains("Exit codes: "), "{command:?}: {help}");
        let page = help.lines().last().and_then(|line| line.strip_prefix("Guide: ")?.split(' ').next());
        let file = root().join(page.unwrap_or_default());
        assert!(file.is_file(), "{command:?}: {help}");
    }
}

#[test]
fn every_option_is_described() {
    for command in all_commands() {
        let help = printed(&command, "-h");
        for line in help.lines().filter(|line| line.trim_start().starts_with('-')) {
            let text = line.trim_start().split_once("  ").map_or("", |(_, text)| text.trim());
            assert!(!text.is_empty(), "{command:?}: {line}");
        }
    }
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    for program in Program::ALL {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let ran = program.command().arg("--help").stdout(full).output().expect("the program");
        let message = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{program:?}: {message}");
        assert!(message.starts_with("cannot write to standard output: "), "{program:?}: {message}");
    }
}
