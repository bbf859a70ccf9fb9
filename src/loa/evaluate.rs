//! A hand-written evaluation.

use super::moves::Move;
use super::position::Position;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;

/// The hand-written evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandWritten {
    /// Different numbers give slightly different evaluations, so that games vary; 0 is the plain one.
    pub variety: u64,
}

impl<const N: usize> Evaluator<Position<N>> for HandWritten {
    type State = ();

    fn start(&self, _: &Position<N>) {}

    fn advance(&self, (): (), _: &Position<N>, _: Move, _: &Position<N>) {}

    fn evaluate(&self, (): (), position: &Position<N>) -> Score {
        let near = |color: Color| -> i32 {
            let middle = N as i32 - 1;
            let far = |place: usize| (2 * place as i32 - middle).abs();
            position
                .placed()
                .filter(|&(_, owner)| owner == color)
                .map(|(square, _)| 2 * N as i32 - far(square.column()) - far(square.row()))
                .sum::<i32>()
                * 10
                / position.count(color).max(1) as i32
        };
        Score::estimate(near(position.turn()) - near(!position.turn()))
    }
}
