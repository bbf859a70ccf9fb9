//! What must stand in the help of every program and every command.

use std::path::Path;
use std::process::Command;

use super::names::NAMED;
use crate::support::command::{Dir, Program};

/// A command: its program, and the words after it.
pub(crate) type Words = (Program, Vec<String>);

fn printed((program, words): &Words, option: &str) -> String {
    let ran = Dir::new().run_command(Command::new(program.path()).args(words).arg(option));
    ran.exits_with(0).stdout.clone()
}

/// A command and all below it. What this build lacks is listed with commas, and has no help.
pub(crate) fn with_commands(command: Words) -> Vec<Words> {
    let help = printed(&command, "--help");
    let (program, words) = command.clone();
    let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or_default());
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let below = names.filter(|name| *name != "help" && !name.ends_with(','));
    let below = below.flat_map(|name| with_commands((program, [&words[..], &[name.to_owned()]].concat())));
    [command].into_iter().chain(below).collect()
}

/// The long options that the help of a command lists, with their dashes.
#[cfg(any(feature = "manual", all(feature = "display", feature = "master", feature = "training")))]
pub(crate) fn long_options(command: &Words) -> Vec<String> {
    // `  -h, --help  Print help`, or `      --time <TIME>`.
    let help = printed(command, "--help");
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words =
        lines.flat_map(|line| line.split([' ', ',']).take_while(|word| word.is_empty() || word.starts_with('-')));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

fn all_commands() -> Vec<Words> {
    NAMED.iter().flat_map(|&(program, _)| with_commands((program, Vec::new()))).collect()
}

#[test]
fn every_help_says_its_exit_codes_and_ends_with_a_page_of_the_guide() {
    let commands = all_commands();
    assert!(commands.len() >= 13, "commands are found: {commands:?}");
    for command in commands {
        let help = printed(&command, "--help");
        assert!(help.contains("Exit codes: "), "{command:?}: {help}");
        let page = help.lines().last().and_then(|line| line.strip_prefix("Guide: ")?.split(' ').next());
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(page.unwrap_or_default());
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
