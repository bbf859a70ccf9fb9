//! The game-specific parts of a page: legal moves, moves in words, and groups of pieces.

use serde::Serialize;

use crate::draw::Board;
use crate::game::{Color, Game};
use crate::loa::{Move, Position, Square};

/// A game that pages can show.
pub(super) trait Shown: Board {
    /// Returns a legal move as a step between squares.
    fn step(&self, mv: Self::Move) -> Step;
    /// Returns a move in words, for screen readers.
    fn words(&self, mv: Self::Move) -> String;
    /// Returns the squares of each connected group of a side's pieces. The groups decide the game.
    fn groups(&self, side: Color) -> Vec<Vec<String>>;
}

/// A legal move: its squares, and the line that determines its distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Step {
    pub(super) from: String,
    pub(super) to: String,
    /// Squares of the line on which the piece moves, from one end of the board to the other.
    pub(super) line: Vec<String>,
    /// Number of pieces on that line, which is the number of squares that the piece moves.
    pub(super) count: usize,
    pub(super) captures: bool,
}

impl Shown for Position<8> {
    fn step(&self, mv: Move) -> Step {
        let line = line(mv);
        let count = line.iter().filter(|&&square| self.at(square).is_some()).count();
        Step {
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            line: line.iter().map(ToString::to_string).collect(),
            count,
            captures: self.captures(mv),
        }
    }

    fn words(&self, mv: Move) -> String {
        let end = if self.captures(mv) { ", captures" } else { "" };
        format!("{} {} to {}{end}", self.turn(), mv.from(), mv.to())
    }

    fn groups(&self, side: Color) -> Vec<Vec<String>> {
        let mut left: Vec<Square> =
            self.placed().filter(|&(_, color)| color == side).map(|(square, _)| square).collect();
        let mut groups = Vec::new();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&square) = group.get(next) {
                next += 1;
                let is_near = |other: &Square| {
                    square.column().abs_diff(other.column()) <= 1 && square.row().abs_diff(other.row()) <= 1
                };
                let (near, far): (Vec<Square>, Vec<Square>) = left.into_iter().partition(is_near);
                group.extend(near);
                left = far;
            }
            groups.push(group.iter().map(ToString::to_string).collect());
        }
        groups
    }
}

/// Returns the squares of a move's line, from one end of the board to the other.
fn line(mv: Move) -> Vec<Square> {
    let place = |square: Square| (square.column() as isize, square.row() as isize);
    let ((column, row), (to_column, to_row)) = (place(mv.from()), place(mv.to()));
    let (right, up) = ((to_column - column).signum(), (to_row - row).signum());
    let at = |steps: isize| {
        let square = (column + steps * right, row + steps * up);
        let place = (usize::try_from(square.0).ok()?, usize::try_from(square.1).ok()?);
        if place.0 < 8 && place.1 < 8 { Square::at(place.0, place.1) } else { None }
    };
    (-7..8).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_moves_as_far_as_there_are_pieces_on_its_line() {
        let position = Position::<8>::start();
        for mv in position.legal_moves() {
            let step = position.step(mv);
            let place = |name: &String| step.line.iter().position(|square| square == name).expect("on its line");
            assert_eq!(place(&step.from).abs_diff(place(&step.to)), step.count, "{step:?}");
        }
        let mv = position.parse_move("b1-h1").expect("a move");
        assert_eq!(position.step(mv).line, ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"]);
        assert_eq!((position.step(mv).count, position.words(mv).as_str()), (6, "Black b1 to h1"));
    }

    #[test]
    fn groups_are_connected_pieces() {
        let position: Position<8> = "bb------/--b-----/-----b--/--------/w-------/--------/--------/-------w black"
            .parse()
            .expect("a position");
        let sizes = |side| {
            let mut sizes: Vec<usize> = position.groups(side).iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!((sizes(Color::Black), sizes(Color::White)), (vec![1, 3], vec![1, 1]));
    }
}
