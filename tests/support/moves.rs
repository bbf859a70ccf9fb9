//! Positions and their legal moves, from an independent program.

use std::collections::BTreeSet;

use kingline::checkers::{Diagram, Position, Square};
use kingline::game::Color;
use kingline::loa;

const MOVES: &str = include_str!("../data/checkers-moves.txt");
const LOA8_MOVES: &str = include_str!("../data/loa8-moves.txt");
const LOA6_MOVES: &str = include_str!("../data/loa6-moves.txt");

/// The position in each line of the data, and its turns, each as the list of squares that it touches.
pub(crate) fn lines() -> impl Iterator<Item = (Position, BTreeSet<Vec<usize>>)> {
    MOVES.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (position, turns) = line.split_once(" : ").expect("a position and its turns");
        let (board, side) = position.split_once(' ').expect("a board and a side");
        let turn = if side == "BLACK" { Color::Black } else { Color::White };
        let rows: Vec<&str> = board.split('/').collect();
        let position = Diagram::read(rows.try_into().expect("eight rows"), turn).expect("a board");
        (position, turns.split(" | ").filter(|turn| !turn.is_empty()).map(squares).collect())
    })
}

/// Returns the square numbers of a turn such as `J c3 e5, J e5 c7`.
fn squares(turn: &str) -> Vec<usize> {
    let mut touched = Vec::new();
    for hop in turn.split(", ") {
        let mut ends = hop.split(' ').skip(1).map(|name| name.parse::<Square>().expect("a square").number());
        let (from, to) = (ends.next().expect("from"), ends.next().expect("to"));
        if touched.is_empty() {
            touched.push(from);
        }
        assert_eq!(touched.last(), Some(&from), "{turn}");
        touched.push(to);
    }
    touched
}

/// The position in each line of the Lines of Action data, and its moves: `+` marks moves that win at once, `?` moves
/// that lose at once.
pub(crate) fn loa_lines<const N: usize>() -> impl Iterator<Item = (loa::Position<N>, BTreeSet<String>)> {
    let text = if N == 8 { LOA8_MOVES } else { LOA6_MOVES };
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (position, moves) = line.split_once(" :").expect("a position and its moves");
        (position.parse().expect("a position"), moves.split_whitespace().map(str::to_owned).collect())
    })
}
