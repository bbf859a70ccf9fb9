//! `NAME --manual FOLDER`: man pages and completions of every program.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::support::command::{Dir, Program, Ran};
use crate::support::skipped::skipped;

use super::help::{long_options, with_commands};
use super::names::NAMED;

fn write_manual(dir: &Dir, program: Program) -> Ran {
    dir.run_with_args(program, &["--manual", "manual"])
}

/// A man page as text, with its dashes as they are typed.
fn man_page(dir: &Dir, name: &str) -> String {
    let path = format!("manual/man1/{name}.1");
    dir.read(&path).unwrap_or_else(|| panic!("no {path}")).replace("\\-", "-")
}

fn completion(dir: &Dir, file: &str) -> String {
    dir.read(&format!("manual/completions/{file}")).unwrap_or_else(|| panic!("no {file}"))
}

#[test]
fn every_option_of_the_help_is_in_man_page_and_completions() {
    for &(program, name) in NAMED {
        let dir = Dir::new();
        assert_eq!(write_manual(&dir, program).exits_with(0).stderr, "");
        let [bash, zsh, fish] = [format!("{name}.bash"), format!("_{name}"), format!("{name}.fish")];
        let [bash, zsh, fish] = [bash, zsh, fish].map(|file| completion(&dir, &file));
        let commands = with_commands((program, Vec::new()));
        for command in &commands {
            let ((_, path), options) = (command, long_options(command));
            let page = man_page(&dir, &[&[name.to_owned()], &path[..]].concat().join("-"));
            assert!(options.contains(&"--help".to_owned()), "{name} {path:?}: {options:?}");
            for option in &options {
                let found = [
                    page.contains(&format!("\\fB{option}\\fR")),
                    bash.contains(&format!("{option} ")) || bash.contains(&format!("{option}\"")),
                    zsh.contains(option),
                    fish.contains(&format!("-l {} ", &option[2..])) || fish.contains(&format!("-l {}\n", &option[2..])),
                ];
                assert_eq!(found, [true; 4], "{name} {path:?} {option}: man page, bash, zsh, fish");
            }
            assert!(!page.contains("--manual"), "{name} {path:?}");
        }
        let pages = fs::read_dir(dir.path("manual/man1")).expect("man pages").count();
        assert_eq!(pages, commands.len(), "{name}: a page for each command");
    }
}

/// What bash offers for the last of these words of a command line, by the completions in the folder.
fn offered(dir: &Dir, words: &[&str]) -> BTreeSet<String> {
    let name = words[0];
    let script = format!(
        ". manual/completions/{name}.bash && COMP_WORDS=({}) COMP_CWORD={} && _{name} {name} '{}' '{}' && \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let ran = dir.run_command(Command::new("bash").args(["-c", &script]));
    ran.exits_with(0).stdout.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_accepts_and_uses_the_completions() {
    if Command::new("bash").arg("--version").output().is_err() {
        return skipped("programs::manual", "there is no bash here");
    }
    let dir = Dir::new();
    for &(program, name) in NAMED {
        write_manual(&dir, program).exits_with(0);
        let ran = dir.run_command(Command::new("bash").args(["-n", &format!("manual/completions/{name}.bash")]));
        assert_eq!(ran.exits_with(0).stderr, "", "{name}");
    }
    for (words, expected) in [
        (&["loa", "--st"][..], &["--strict"][..]),
        (&["calibrate", "self"], &["selfplay"]),
        (&["calibrate", "fit", "--hel"], &["--held-out", "--help"]),
    ] {
        assert_eq!(offered(&dir, words), expected.iter().map(|&word| word.to_owned()).collect(), "{words:?}");
    }
}

#[test]
fn exit_codes_are_a_section_of_every_program() {
    for &(program, name) in NAMED {
        let dir = Dir::new();
        write_manual(&dir, program).exits_with(0);
        let page = man_page(&dir, name);
        assert!(page.contains(".SH \"EXIT STATUS\"\n") && !page.contains("Exit codes"), "{name}: {page}");
    }
}

#[test]
fn bad_usage_is_told_and_writes_nothing() {
    for words in [&["--manual"][..], &["--manual", "a", "b"]] {
        let dir = Dir::new();
        let ran = dir.run_with_args(Program::TestLoa, words);
        ran.exits_with(2).stderr_contains(&["test-loa: --manual: found ", "expected a folder alone"]);
        assert_eq!(dir.names().len(), 0);
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let dir = Dir::new().with("manual", "a file");
    let ran = write_manual(&dir, Program::Loa6);
    ran.exits_with(1).stderr_contains(&["loa6: cannot make the folder manual/man1: "]);
    assert_eq!(dir.read("manual").as_deref(), Some("a file"));
}
