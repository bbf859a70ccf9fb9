//! The games under test.

use std::fmt::Debug;
use std::str::FromStr;

use kingline::game::{Color, Evaluator, Game, ParseError, Searched};
use kingline::{checkers, evaluate, loa};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A game, plus what its tests need beyond the rules.
pub(crate) trait Conforming: Searched + FromStr<Err = ParseError> {
    /// Evaluation used to play the game.
    type Evaluator: Evaluator<Self, State: PartialEq + Debug> + Default;

    /// Boards with any piece on any square, including unreachable boards.
    fn any_board() -> BoxedStrategy<Self>;
    /// Pieces on the board, one entry each.
    fn placed(&self) -> Vec<String>;
    /// The position under every symmetry of the game except the identity, always in the same order. A symmetry that
    /// exchanges the colors also exchanges the side to move.
    fn images(&self) -> Vec<Self>;
    /// The images that the evaluation values alike.
    fn valued_alike(&self) -> Vec<Self>;
}

fn color() -> impl Strategy<Value = Color> + Clone {
    select(&Color::ALL[..])
}

impl Conforming for checkers::Position {
    type Evaluator = evaluate::checkers::Evaluation;

    fn any_board() -> BoxedStrategy<Self> {
        use checkers::{Piece, Position, Square};
        let piece = (color(), select(&[Piece::Man, Piece::King][..]));
        let board = (color(), 0.05..0.99).prop_flat_map(move |(turn, filled)| {
            vec(option::weighted(filled, piece.clone()), 32).prop_map(move |squares| {
                let placed = Square::all().zip(squares);
                Position::new(
                    turn,
                    placed.filter_map(|(square, piece)| piece.map(|(color, piece)| (square, color, piece))),
                )
            })
        });
        board.boxed()
    }

    fn placed(&self) -> Vec<String> {
        let squares = checkers::Square::all();
        squares.filter_map(|square| self.at(square).map(|piece| format!("{square} {piece:?}"))).collect()
    }

    fn images(&self) -> Vec<Self> {
        vec![self.flipped()]
    }

    fn valued_alike(&self) -> Vec<Self> {
        self.images()
    }
}

impl<const N: usize> Conforming for loa::Position<N> {
    type Evaluator = evaluate::loa::Evaluation<N>;

    fn any_board() -> BoxedStrategy<Self> {
        let board = (color(), 0.05..0.99).prop_flat_map(|(turn, filled)| {
            vec(option::weighted(filled, color()), N * N).prop_map(move |squares| {
                let placed = loa::Square::all::<N>().zip(squares);
                loa::Position::new(turn, placed.filter_map(|(square, color)| color.map(|color| (square, color))))
            })
        });
        board.boxed()
    }

    fn placed(&self) -> Vec<String> {
        loa::Position::placed(self).map(|(square, color)| format!("{square} {color}")).collect()
    }

    /// The eight symmetries of the board, with and without the colors exchanged.
    fn images(&self) -> Vec<Self> {
        let image = |symmetry: usize, exchange: bool| {
            let color = |color: Color| if exchange { !color } else { color };
            let square = |square: loa::Square| {
                let turned = |place: usize, bit: usize| if symmetry & bit == 0 { place } else { N - 1 - place };
                let (column, row) = (turned(square.column(), 1), turned(square.row(), 2));
                let (column, row) = if symmetry & 4 == 0 { (column, row) } else { (row, column) };
                loa::Square::at(column, row).expect("a square")
            };
            let placed = loa::Position::placed(self).map(|(from, owner)| (square(from), color(owner)));
            loa::Position::new(color(self.turn()), placed)
        };
        (1..16).map(|number| image(number % 8, number >= 8)).collect()
    }

    /// The network learned from images of the board, but knows nothing of them.
    fn valued_alike(&self) -> Vec<Self> {
        vec![self.exchanged()]
    }
}
