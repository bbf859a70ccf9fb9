//! Each player starts on another system, and answers as it does on this one.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use kingline::checkers::Position;
use kingline_players::protocol::hub::write_position;
use kingline_players::protocol::turn_files::{TurnRequest, read_answer};

use crate::support::command::*;
use crate::support::moves;

/// Runs a program of the other system and that of this one on the same files and input. Asserts that both end alike, and
/// returns what they print.
#[track_caller]
fn as_here(program: Program, arguments: &[&str], files: &[(&str, &[u8])], input: &str) -> String {
    let run = |command: &mut Command| {
        let dir = Dir::new();
        files.iter().for_each(|(name, bytes)| dir.write(name, bytes));
        dir.run_command_with_input(command.args(arguments), input)
    };
    let [there, here] = [program.command(), Command::new(program.path())].map(|mut command| run(&mut command));
    assert_eq!((there.code, &there.stdout), (here.code, &here.stdout), "{input}\n{there:#?}");
    there.stdout
}

#[test]
#[ignore = "for other systems"]
fn the_first_command_of_the_readme_takes_a_turn() {
    let input = fs::read_to_string(root().join("samples/opening/input.txt")).expect("a sample");
    let dir = Dir::new();
    dir.make_dir("opening");
    dir.write("opening/input.txt", &input);
    let ran = dir.run_with_args(Program::Homework, &["opening"]);
    ran.exits_with(0)
        .stderr_contains(&["      a b c d e f g h     White to move\n\nWhite plays "])
        .stderr_lacks(&["warning"]);
    let position = TurnRequest::parse(&input).expect("a request").position;
    let answer = dir.text("opening/output.txt");
    read_answer(&answer, &position).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
}

#[test]
#[ignore = "for other systems"]
fn scripts_of_loa_are_answered_alike() {
    let scripts = paths_in("samples/loa", ".in");
    assert!(scripts.len() >= 15);
    for script in scripts {
        let edition = &script.file_name().expect("a name").to_string_lossy()[..4];
        let text = fs::read_to_string(&script).expect("a script");
        as_here(Program::Loa, &[&format!("--dialect={edition}")], &[], &text);
    }
    let game = as_here(Program::Loa, &[], &[], "seed 7\nlimit 5\nauto black\n");
    assert!(game.matches("* ").count() >= 10, "{game}");
}

/// A line about a search, without its time and speed.
fn untimed(line: &str) -> String {
    let is_timed = |word: &&str| word.starts_with("time=") || word.starts_with("nps=");
    line.split(' ').filter(|word| !is_timed(word)).collect::<Vec<_>>().join(" ")
}

/// Lines of `hub` about its searches of these positions, one after the other, since a further line would stop a search.
fn searches(hub: &mut Command, positions: &[Position]) -> Vec<String> {
    let mut child = hub.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program that starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    writeln!(input, "init\nlevel depth=11").expect("a program that reads");
    let mut lines = Vec::new();
    for position in positions {
        writeln!(input, "pos pos={}\ngo think", write_position(position)).expect("a program that reads");
        let before = lines.len();
        while lines[before..].last().is_none_or(|line: &String| !line.starts_with("done")) {
            lines.push(untimed(&output.next().expect("an answer")));
        }
    }
    drop(input);
    assert!(child.wait().expect("a child").success());
    lines
}

#[test]
#[ignore = "for other systems"]
fn searches_visit_the_same_nodes() {
    // Those of tests/search/signature.rs.
    let positions: Vec<Position> = moves::lines().map(|(position, _)| position).step_by(12).collect();
    let [mut there, mut here] = [Program::Hub.command(), Command::new(Program::Hub.path())];
    let [there, here] = [searches(&mut there, &positions), searches(&mut here, &positions)];
    assert!(here.iter().any(|line| line.starts_with("info depth=11 ") && line.contains(" nodes=")), "{here:#?}");
    assert_eq!(there.len(), here.len());
    for (there, here) in there.iter().zip(&here) {
        assert_eq!(there, here);
    }
}

#[test]
#[ignore = "for other systems"]
fn games_are_reviewed_alike() {
    let game = fs::read(root().join("samples/records/win.sgf")).expect("a sample");
    let review = as_here(Program::Review, &["--seconds=0.005", "win.sgf"], &[("win.sgf", &game)], "");
    assert!(review.lines().count() > 10, "{review}");
}

#[test]
#[ignore = "for other systems"]
fn turns_follow_the_measurements_of_calibrate() {
    let dir = Dir::with_input(fs::read(root().join("samples/only-win/input.txt")).expect("a sample"));
    let measured = dir.run_with_args(Program::Calibrate, "");
    println!("{}", measured.exits_with(0).stdout);
    dir.run(Program::Homework).exits_with(0).stderr_lacks(&["warning"]);
    assert!(dir.names().contains(&"calibration.txt".to_owned()), "{:?}", dir.names());
}
