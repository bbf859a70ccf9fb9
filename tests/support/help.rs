//! Commands and options, as the help of the programs lists them.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::process::Command;

use crate::support::command::Dir;
use crate::support::programs::Program;

/// Command: its program, and the words after it.
pub(crate) type Words = (Program, Vec<String>);

pub(crate) fn printed((program, words): &Words, option: &str) -> String {
    let ran = Dir::new().run_command(Command::new(program.path()).args(words).arg(option));
    ran.exits_with(0).stdout.clone()
}

/// Command and all its subcommands.
pub(crate) fn with_commands(command: Words) -> Vec<Words> {
    let help = printed(&command, "--help");
    let (program, words) = command.clone();
    let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or_default());
    let names = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let below = names.flat_map(|name| with_commands((program, [&words[..], &[name.to_owned()]].concat())));
    [command].into_iter().chain(below).collect()
}

/// Long options in the help of a command, with their dashes.
pub(crate) fn long_options(command: &Words) -> Vec<String> {
    // `  -h, --help  Print help`, `      --time <TIME>`, or `      --watch[=<SECONDS>]`.
    let help = printed(command, "--help");
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words =
        lines.flat_map(|line| line.split([' ', ',', '[']).take_while(|word| word.is_empty() || word.starts_with('-')));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}
