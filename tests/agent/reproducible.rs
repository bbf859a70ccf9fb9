//! The same input gives the same answer, byte for byte.

use crate::support::command::*;

/// Runs a shell command twice, in fresh directories, on the same input, and compares all files and output.
fn twice(line: &str, program: Program, input: &str) {
    let run = || {
        let dir = Dir::with_input(input);
        let ran = dir.run_in_shell(line, program);
        ran.exits_with(0);
        (ran.answer, dir.names())
    };
    assert_eq!(run(), run());
}

#[test]
fn forced_answers_are_byte_equal() {
    for input in [
        include_str!("../../samples/double-jump/input.txt"),
        include_str!("../../samples/king-circle/input.txt"),
        include_str!("../../samples/one-move/input.txt"),
    ] {
        twice("exec \"$0\"", Program::Homework, input);
    }
}

#[test]
fn the_reference_is_reproducible_for_a_seed() {
    for input in [include_str!("../../samples/opening/input.txt"), include_str!("../../samples/first-move/input.txt")] {
        twice("exec \"$0\" --seed 5", Program::Reference, input);
    }
}

#[test]
fn the_reference_varies_with_the_seed() {
    let input = include_str!("../../samples/first-move/input.txt");
    let answer =
        |seed: u32| Dir::with_input(input).run_in_shell(&format!("\"$0\" --seed {seed}"), Program::Reference).answer;
    let first = answer(0);
    assert!((1..30).any(|seed| answer(seed) != first));
}
