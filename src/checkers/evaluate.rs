use super::position::Position;
use crate::game::{Color, Evaluator, Game};
use crate::score::Score;

/// A hand-written evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandWritten;

impl Evaluator<Position> for HandWritten {
    type State = ();
    fn start(&self, _: &Position) {}
    fn advance(&self, (): (), _: &Position, _: super::Move, _: &Position) {}
    fn evaluate(&self, (): (), position: &Position) -> Score {
        let men = |c: Color| position.count(c) as i32 * 100 + position.kings(c) as i32 * 30;
        let us = position.turn();
        Score::estimate(men(us) - men(!us))
    }
}
