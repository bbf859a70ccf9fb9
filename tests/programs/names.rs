//! Each program prints its own name.

use std::process::Command;

use crate::support::command::*;

#[test]
fn every_program_prints_its_name_and_version() {
    for (program, name) in Program::ALL.map(|program| (program, program.name())) {
        let ran = Dir::new().run_command(Command::new(program.path()).arg("--version"));
        assert_eq!(ran.exits_with(0).stdout, format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn usage_starts_with_the_name_of_the_program() {
    for (program, name) in Program::ALL.map(|program| (program, program.name())) {
        let ran = Dir::new().run_command(Command::new(program.path()).arg("--help"));
        let usage = ran.exits_with(0).stdout.lines().find_map(|line| line.strip_prefix("Usage: ")).expect("a usage");
        assert_eq!(usage.split(' ').next(), Some(name), "{ran:#?}");
    }
}
