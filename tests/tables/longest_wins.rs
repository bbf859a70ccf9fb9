//! The longest wins. The tests replay their lines by the rules.

use kingline::checkers::Position;
use kingline::game::{Color, Ending, Game, History, Progress, Rules};
use kingline::knowledge::tablebase::Material;

use super::run;
use crate::support::command::Dir;

const SAMPLE: &str = include_str!("../../samples/tables/longest-wins.txt");

/// A line such as `mK-K  POSITION  7 plies to the zeroing turn, 11 to the end: 1-5 ...`.
struct Win<'a> {
    material: &'a str,
    start: Position,
    distance: usize,
    length: usize,
    moves: Vec<&'a str>,
}

fn read(line: &str) -> Win<'_> {
    let (head, moves) = line.split_once(": ").expect("moves");
    let [material, start, lengths] = head.split("  ").collect::<Vec<_>>()[..] else { panic!("{line}") };
    let numbers: Vec<usize> = lengths.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [distance, length] = numbers[..] else { panic!("{line}") };
    Win { material, start: start.parse().expect("a position"), distance, length, moves: moves.split(' ').collect() }
}

#[test]
fn every_line_wins_by_the_rules() {
    for line in SAMPLE.lines() {
        let Win { start, distance, length, moves, .. } = read(line);
        assert_eq!(moves.len(), length, "{line}");
        let mut history = History::new(start).under(Rules::Course);
        let mut zeroing = Vec::new();
        for (ply, text) in (1..).zip(&moves) {
            assert_eq!(history.ending(), None, "before ply {ply} of {line}");
            let position = history.position();
            let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{error}, ply {ply} of {line}"));
            if position.progress(mv) == Progress::Zeroing {
                zeroing.push(ply);
            }
            history.play(mv);
        }
        assert_eq!(history.ending(), Some(Ending::Win(start.turn())), "{line}");
        assert_eq!(zeroing.first().copied().unwrap_or(length), distance, "{line}");
    }
}

#[test]
fn every_winnable_material_has_a_line() {
    let five = Material::all(5, 4);
    let all = (2..=4).flat_map(|pieces| Material::all(pieces, 3)).chain(five);
    let expected: Vec<String> = all.map(|material| material.to_string()).collect();
    let found: Vec<&str> = SAMPLE.lines().map(|line| read(line).material).collect();
    assert_eq!(found, expected);
    for line in SAMPLE.lines() {
        let Win { material, start, .. } = read(line);
        let side = |color| {
            let kings = start.kings(color) as usize;
            "m".repeat(start.count(color) as usize - kings) + &"K".repeat(kings)
        };
        assert_eq!(format!("{}-{}", side(Color::White), side(Color::Black)), material);
    }
}

#[test]
fn the_command_prints_the_sample() {
    let ran = run(&Dir::new(), &["--pieces", "3", "--longest"]);
    let count = ran.exits_with(0).stdout.lines().count();
    assert_eq!(count, 16, "{ran:#?}");
    assert!(SAMPLE.starts_with(&ran.stdout), "{ran:#?}");
}
