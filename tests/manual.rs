//! Integration tests of the manual: man pages and completions of all programs, compared with their help.

// On other systems, `master` has no commands.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::process::Command;

mod support {
    //! Running programs, and reporting skipped tests.
    pub(crate) mod command;
    pub(crate) mod help;
    pub(crate) mod programs;
    pub(crate) mod skipped;
}

use support::command::{Dir, Ran};
use support::help::{long_options, with_commands};
use support::programs::Program;
use support::skipped::skipped;

/// Text that no completion may contain: the description of a command that only `calibrate` itself runs.
const HIDDEN: &str = "CPU clock of the process at its start";

fn run(dir: &Dir, words: &[&str]) -> Ran {
    dir.run_command(Command::new(env!("CARGO_BIN_EXE_kingline-manual")).args(words))
}

/// Writes the manual to a new folder.
fn written() -> Dir {
    let dir = Dir::new();
    let ran = run(&dir, &["manual"]);
    assert_eq!((ran.exits_with(0).stdout.as_str(), ran.stderr.as_str()), ("", ""));
    dir
}

/// Text of a man page, with its dashes unescaped.
fn man_page(dir: &Dir, name: &str) -> String {
    let path = format!("manual/man1/{name}.1");
    dir.read(&path).unwrap_or_else(|| panic!("no {path}")).replace("\\-", "-")
}

fn completion(dir: &Dir, file: &str) -> String {
    dir.read(&format!("manual/completions/{file}")).unwrap_or_else(|| panic!("no {file}"))
}

#[test]
fn man_pages_and_completions_have_every_option_of_the_help() {
    let (dir, mut pages) = (written(), 0);
    for program in Program::ALL {
        let name = program.name();
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
        }
        pages += commands.len();
    }
    assert_eq!(dir.names_in("manual/man1").len(), pages, "a page for each command");
}

#[test]
fn completions_offer_no_hidden_command() {
    let dir = written();
    for file in ["calibrate.bash", "_calibrate", "calibrate.fish"] {
        let text = completion(&dir, file);
        assert!(text.contains("selfplay"), "{file}");
        assert!(!text.contains(HIDDEN), "{file}: {text}");
    }
}

/// Completions that bash offers for the last of these words, from the scripts in the folder.
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
        return skipped("manual::bash_accepts_and_uses_the_completions", "there is no bash here");
    }
    let dir = written();
    for name in Program::ALL.map(Program::name) {
        let ran = dir.run_command(Command::new("bash").args(["-n", &format!("manual/completions/{name}.bash")]));
        assert_eq!(ran.exits_with(0).stderr, "", "{name}");
    }
    for (words, expected) in [
        (&["loa", "--st"][..], &["--strict"][..]),
        (&["calibrate", "self"], &["selfplay"]),
        (&["calibrate", "fit", "--hel"], &["--held-out", "--help"]),
        (&["calibrate", "pro"], &[]),
        (&["master", "ver"], &["verify"]),
    ] {
        assert_eq!(offered(&dir, words), expected.iter().map(|&word| word.to_owned()).collect(), "{words:?}");
    }
}

#[test]
fn every_man_page_tells_the_exit_codes() {
    let dir = written();
    for name in Program::ALL.map(Program::name) {
        let page = man_page(&dir, name);
        assert!(page.contains("Exit codes: "), "{name}: {page}");
    }
}

#[test]
fn help_lists_the_exit_codes() {
    run(&Dir::new(), &["--help"]).exits_with(0).stdout_contains(&["\nExit codes: 0 done, "]);
}

#[test]
fn bad_usage_writes_nothing() {
    for words in [&[][..], &["a", "b"]] {
        let dir = Dir::new();
        run(&dir, words).exits_with(2).stderr_contains(&["Usage: kingline-manual <FOLDER>"]);
        assert_eq!(dir.names().len(), 0);
    }
}

#[test]
fn unwritable_folder_is_an_error() {
    let dir = Dir::new().with("manual", "a file");
    run(&dir, &["manual"]).exits_with(1).stderr_contains(&["kingline-manual: cannot create the folder manual/man1: "]);
    assert_eq!(dir.read("manual").as_deref(), Some("a file"));
}
