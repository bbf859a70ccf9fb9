//! The page of figures is made of its rows, and what is to be typed for each row is still there.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kingline::figures::{Row, Rows};

use crate::support::command::{Dir, Program};

/// Where the programs of a release are, as one types it in the repository.
const BUILT: &str = "target/release/";

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn manifest() -> String {
    fs::read_to_string(in_repository("Cargo.toml")).expect("Cargo.toml")
}

fn rows() -> Vec<Row> {
    Rows::read(&in_repository("src/guide/figures.jsonl")).expect("rows").iter().cloned().collect()
}

/// A program by its name; none if this build has no such program.
fn program(name: &str) -> Result<Option<Program>, String> {
    Ok(Some(match name {
        "homework" => Program::Homework,
        "reference" => Program::Reference,
        "calibrate" => Program::Calibrate,
        "loa" => Program::Loa,
        "loa6" => Program::Loa6,
        "test-loa" => Program::TestLoa,
        #[cfg(feature = "master")]
        "master" => Program::Master,
        #[cfg(not(feature = "master"))]
        "master" => return Ok(None),
        _ => return Err(format!("there is no program {name}")),
    }))
}

/// What is wrong with a command; `None`: nothing, as far as this build can tell.
fn wrong(command: &str) -> Option<String> {
    match command.split_once(' ') {
        Some(("cargo", line)) => wrong_tests(line),
        Some((program, arguments)) => wrong_arguments(program, arguments),
        None => wrong_arguments(command, ""),
    }
}

/// Programs look at every word before `--help`: one that they do not know is refused, else they do nothing but help. That
/// an argument is missing, or that two exclude each other, they only see without it.
fn wrong_arguments(path: &str, arguments: &str) -> Option<String> {
    let Some(name) = path.strip_prefix(BUILT) else { return Some(format!("expected {BUILT}NAME, found {path}")) };
    let program = match program(name) {
        Ok(Some(program)) => program,
        Ok(None) => return None,
        Err(why) => return Some(why),
    };
    // The build that learns has more commands.
    let learns = ["round ", "fit ", "selfplay ", "positions ", "judge "];
    if name == "calibrate" && !cfg!(feature = "training") && learns.iter().any(|word| arguments.starts_with(word)) {
        return None;
    }
    // Behind `--` is the command line of another program, where `--help` would be that program's.
    let (own, other) = arguments.split_once("-- ").map_or((arguments, None), |(own, other)| (own, Some(other)));
    let ran = Dir::new().run_in_shell(&format!("\"$0\" {own} --help"), program);
    if ran.code != Some(0) || !ran.stdout.contains("Usage: ") {
        return Some(ran.stderr.lines().next().unwrap_or("no help").to_owned());
    }
    let other = other.and_then(|other| other.split(' ').next())?;
    let is_there = |name: &str| manifest().contains(&format!("[[example]]\nname = \"{name}\"\n"));
    match other.strip_prefix("target/release/examples/") {
        Some(name) if is_there(name) => None,
        _ => Some(format!("there is no program {other}")),
    }
}

/// The features of Cargo.toml that this build has.
fn features() -> BTreeSet<&'static str> {
    let all = [
        ("programs", cfg!(feature = "programs")),
        ("tables", cfg!(feature = "tables")),
        ("training", cfg!(feature = "training")),
        ("display", cfg!(feature = "display")),
        ("master", cfg!(feature = "master")),
    ];
    all.into_iter().filter_map(|(name, is_here)| is_here.then_some(name)).collect()
}

/// `test [--release] [--features NAME] [--test tests] -- [--ignored] FILTER ...`: the features must be there, and the
/// filter must leave tests to run.
fn wrong_tests(line: &str) -> Option<String> {
    let Some((of_cargo, of_tests)) = line.split_once(" -- ") else { return Some("expected `--` and a test".into()) };
    let mut words = of_cargo.split(' ');
    if words.next() != Some("test") {
        return Some(format!("expected `cargo test`, found `cargo {of_cargo}`"));
    }
    while let Some(word) = words.next() {
        let value = match word {
            "--release" | "--all-features" => continue,
            _ => words.next().unwrap_or_default(),
        };
        match word {
            "--features" if !manifest().lines().any(|line| line.starts_with(&format!("{value} = ["))) => {
                return Some(format!("there is no feature {value}"));
            }
            // The tests of that feature are not in this build.
            "--features" if !features().contains(value) => return None,
            "--features" => {}
            "--test" if value == "tests" => {}
            _ => return Some(format!("expected an option of `cargo test`, found {word} {value}")),
        }
    }
    let arguments = of_tests.split(' ').chain(["--list"]);
    let listed = Dir::new().run_command(Command::new(env::current_exe().expect("this program")).args(arguments));
    if listed.code != Some(0) {
        return Some(listed.stderr);
    }
    let found = listed.stdout.lines().any(|line| line.ends_with(": test"));
    // Without a filter all tests would do.
    let is_filtered = of_tests.split(' ').any(|word| !word.starts_with('-') && word.parse::<u32>().is_err());
    if found && is_filtered { None } else { Some(format!("no test has a name like that in `{of_tests}`")) }
}

#[test]
fn the_page_is_made_of_its_rows() {
    let page = fs::read_to_string(in_repository("src/guide/figures.md")).expect("the page");
    let rows = in_repository("src/guide/figures.jsonl");
    let ran = Dir::new().run_with_args(Program::Calibrate, &["figures", rows.to_str().expect("a path")]);
    let again = "target/release/calibrate figures src/guide/figures.jsonl > src/guide/figures.md";
    assert!(ran.exits_with(0).stdout == page, "the page is not that of its rows; `{again}` makes it");
    assert!(page.contains(again), "the page says how it is made");
}

#[test]
fn the_rows_are_kept_as_they_are_written() {
    let text = fs::read_to_string(in_repository("src/guide/figures.jsonl")).expect("rows");
    assert_eq!(Rows::parse(&text).expect("rows").to_string(), text);
}

#[test]
fn every_figure_has_a_command_that_is_there() {
    let commands: BTreeSet<String> = rows().into_iter().map(|row| row.command).collect();
    assert!(commands.len() > 40, "{commands:#?}");
    let wrong: Vec<String> =
        commands.iter().filter_map(|command| Some(format!("{command}: {}", wrong(command)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_command_that_is_not_there_is_found() {
    for (command, expected) in [
        ("target/release/calibrate bunch perft", "unrecognized subcommand 'bunch'"),
        ("target/release/calibrate bench pearft", "invalid value 'pearft' for '[PART]...'"),
        ("target/release/calibrate bench perft --sidefile x", "unexpected argument '--sidefile' found"),
        ("target/release/calibrate bench perft --side-file", "a value is required for '--side-file <FILE>'"),
        ("target/release/calibrate tables --pieces 9 --output x", "invalid value '9' for '--pieces <N>'"),
        ("target/release/calibrate endings --player nobody", "invalid value 'nobody' for '--player <PLAYER>'"),
        ("target/release/calibrated bench perft", "there is no program calibrated"),
        ("calibrate bench perft", "expected target/release/NAME, found calibrate"),
        ("cargo run --release", "expected `--` and a test"),
        ("cargo build -- name", "expected `cargo test`, found `cargo build`"),
        ("cargo test --features mister -- name", "there is no feature mister"),
        ("cargo test --tset tests -- name", "expected an option of `cargo test`, found --tset tests"),
        ("cargo test --features programs -- no_such_test", "no test has a name like that in `no_such_test`"),
        ("cargo test -- --ignored every_figure_has", "no test has a name like that"),
        ("cargo test -- --nocapture", "no test has a name like that"),
    ] {
        let found = wrong(command).unwrap_or_else(|| panic!("nothing is wrong with `{command}`"));
        assert!(found.contains(expected), "{command}: {found}");
    }
    assert_eq!(wrong("cargo test -- every_figure_has_a_command"), None);
    #[cfg(feature = "master")]
    for (command, expected) in [
        ("target/release/master doctor --tier magic", "invalid value 'magic' for '--tier <TIER>'"),
        ("target/release/master doctor -- target/release/examples/hostel", "there is no program target/"),
    ] {
        assert!(wrong(command).is_some_and(|found| found.contains(expected)), "{command}");
    }
}

#[test]
fn a_file_that_has_no_rows_is_refused_and_stays() {
    let dir = Dir::new().with("figures", "{\"topic\":\"Search\"}\n");
    let ran = dir.run_with_args(Program::Calibrate, &["figures", "figures"]);
    ran.exits_with(2).stderr_contains(&["figures: line 1: found ", "a row of figures: missing field `figure`"]);
    // Before anything is measured.
    let ran = dir.run_with_args(Program::Calibrate, &["depth", "3", "--figures", "figures"]);
    ran.exits_with(2).stderr_contains(&["'--figures <FILE>'", "missing field `figure`"]);
    assert_eq!((dir.read("figures").as_deref(), ran.stdout.as_str()), (Some("{\"topic\":\"Search\"}\n"), ""));
    dir.run_with_args(Program::Calibrate, &["figures", "none"]).exits_with(1).stderr_contains(&["cannot read none"]);
}

#[test]
fn a_command_leaves_a_row_and_the_next_time_replaces_it() {
    let dir = Dir::new();
    for _ in 0..2 {
        for arguments in [
            &["depth", "3", "--figures", "figures"][..],
            &[
                "match",
                "{\"nodes\": 30}",
                "{\"nodes\": 9}",
                "--openings",
                "1",
                "--figures=figures",
                "--figure",
                "more nodes",
            ],
            &["depth", "2", "--figures", "figures"],
        ] {
            dir.run_with_args(Program::Calibrate, arguments).exits_with(0);
        }
    }
    let rows = Rows::read(&dir.path("figures")).expect("rows");
    let shown: Vec<(&str, &str)> = rows.iter().map(|row| (row.figure.as_str(), row.command.as_str())).collect();
    let built = rows.iter().next().and_then(|row| row.command.strip_suffix("/calibrate depth 3")).expect("a command");
    assert!(["target/release", "target/debug"].contains(&built), "{built}");
    let expected = [
        ("start and five middle games of checkers to depth 3", "depth 3"),
        ("start and five middle games of checkers to depth 2", "depth 2"),
        ("more nodes", "match '{\"nodes\": 30}' '{\"nodes\": 9}' --openings 1"),
    ]
    .map(|(figure, arguments)| (figure, format!("{built}/calibrate {arguments}")));
    assert_eq!(shown, expected.each_ref().map(|(figure, command)| (*figure, command.as_str())));
    let page = dir.run_with_args(Program::Calibrate, &["figures", "figures"]).exits_with(0).stdout.clone();
    assert!(page.contains("# Search\n\nMachine: ") && page.contains("| more nodes | "), "{page}");
}
