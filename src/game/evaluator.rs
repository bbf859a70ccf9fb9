//! What is a position worth at a glance? What the search asks of an evaluation.

use super::rules::Game;
use crate::score::Score;

/// A static evaluation of a game's positions.
///
/// A trait of its own beside [`Game`]: most users of a game's rules need none, and a game may have several.
pub trait Evaluator<G: Game> {
    /// What is updated beside the position, move by move: `()`, or an accumulator. It may be large: the search passes
    /// it by reference.
    type State: Clone;

    /// The state of a position from scratch.
    fn start(&self, position: &G) -> Self::State;
    /// The state after `mv`, from the one before; equal to that from scratch.
    fn advance(&self, state: &Self::State, before: &G, mv: G::Move, after: &G) -> Self::State;
    /// The state after a null move ([`Game::pass`]), from the one before; equal to that from scratch. Never asked for in
    /// games without null moves.
    fn passed(&self, state: &Self::State, after: &G) -> Self::State;
    /// The value of `position` for the side to move: an estimate, never a decided score, in the evaluation's own unit;
    /// see [`Score`].
    fn evaluate(&self, state: &Self::State, position: &G) -> Score;
}

/// An evaluation without a state: a closure, `|position: &P| Score::estimate(...)`.
impl<G: Game, F: Fn(&G) -> Score> Evaluator<G> for F {
    type State = ();

    fn start(&self, _: &G) {}
    fn advance(&self, (): &(), _: &G, _: G::Move, _: &G) {}
    fn passed(&self, (): &(), _: &G) {}
    fn evaluate(&self, (): &(), position: &G) -> Score {
        self(position)
    }
}
