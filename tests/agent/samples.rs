//! All samples, run with the real programs. samples/README.md describes the contents of answer.txt.

use std::fs;
use std::path::Path;

use kingline::checkers::Position;
use kingline::game::Game;
use kingline_players::protocol::turn_files::{TurnRequest, read_answer};

use crate::support::command::*;

/// Correct answers to a sample.
enum Right {
    Any,
    None,
    OneOf(Vec<String>),
}

struct Sample {
    name: String,
    input: String,
    right: Right,
}

fn samples() -> Vec<Sample> {
    let folders = paths_in("samples", "");
    folders.iter().filter(|folder| folder.join("input.txt").is_file()).map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Sample {
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let text =
        |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{name}/{file}: {error}"));
    let answer = text("answer.txt");
    let right = match answer.as_str() {
        any if any.starts_with("any legal turn") => Right::Any,
        none if none.starts_with("no turn") => Right::None,
        blocks => Right::OneOf(blocks.trim_end().split("\n\n").map(|block| format!("{block}\n")).collect()),
    };
    Sample { input: text("input.txt"), name, right }
}

fn position(sample: &Sample) -> Position {
    TurnRequest::parse(&sample.input).unwrap_or_else(|error| panic!("{}: {error:?}", sample.name)).position
}

/// Runs a program on a sample. Asserts that its answer is legal, or missing if no turn is legal.
fn run(sample: &Sample, program: Program) -> Ran {
    let ran = Dir::with_input(&sample.input).run(program);
    match sample.right {
        Right::None => {
            ran.exits_with(3).stderr_contains(&["the game is over"]);
            assert_eq!(ran.answer, None, "{}", sample.name);
        }
        _ => {
            read_answer(ran.exits_with(0).answer(), &position(sample))
                .unwrap_or_else(|error| panic!("{}: {error}: {ran:#?}", sample.name));
        }
    }
    ran
}

#[test]
fn homework_solves_every_sample() {
    for sample in samples() {
        let ran = run(&sample, Program::Homework);
        if let Right::OneOf(right) = &sample.right {
            assert!(right.iter().any(|right| right == ran.answer()), "{}: {ran:#?}", sample.name);
        }
    }
}

/// The README shows this output.
#[test]
fn homework_shows_the_labeled_board_and_the_reason_for_its_move() {
    let opening = samples().into_iter().find(|sample| sample.name == "only-win").expect("the sample");
    let ran = run(&opening, Program::Homework);
    let (board, last) = ran.stderr.trim_end().rsplit_once("\n\n").expect("a board, a blank line, the move");
    let lines: Vec<&str> = board.lines().collect();
    let [rows @ .., rule, columns] = &lines[..] else { panic!("{board}") };
    assert_eq!(rows.len(), 8, "{board}");
    for (row, line) in rows.iter().enumerate() {
        assert!(line.starts_with(&format!("  {} | ", 8 - row)) && line.len() == 21, "{line:?}");
    }
    let turn = position(&opening).turn();
    assert_eq!((*rule, *columns), ("    +-----------------", &*format!("      a b c d e f g h     {turn} to move")));
    assert!(last.starts_with(&format!("{turn} plays ")) && last.ends_with(')'), "{last}");
}

#[test]
fn the_reference_answers_every_sample_with_a_legal_turn() {
    for sample in samples() {
        run(&sample, Program::Reference);
    }
}

#[test]
fn sample_answers_are_legal_and_distinct() {
    for sample in samples() {
        if let Right::OneOf(right) = &sample.right {
            for (index, answer) in right.iter().enumerate() {
                read_answer(answer, &position(&sample))
                    .unwrap_or_else(|error| panic!("{}: {answer}: {error}", sample.name));
                assert!(!right[..index].contains(answer), "{}: {answer} twice", sample.name);
            }
        }
    }
}

#[test]
fn the_readme_describes_every_sample() {
    let page = include_str!("../../samples/README.md");
    let all = samples();
    assert!(all.len() >= 12);
    for sample in all {
        assert!(page.contains(&format!("| {} |", sample.name)), "{} is not in samples/README.md", sample.name);
    }
}
