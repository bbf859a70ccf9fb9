use super::Game;
use crate::score::Score;

/// A static evaluation of a game's positions.
///
/// Beside [`Game`], not in it: most users of a game's rules need none, and a game may have
/// several.
pub trait Evaluator<G: Game> {
    /// What is carried beside the position, move by move: `()`, or the sums of a network.
    type State: Copy;

    /// The state of a position from scratch.
    fn start(&self, position: &G) -> Self::State;
    /// The state after `mv`, from the one before it; equal to that from scratch.
    fn advance(&self, state: Self::State, before: &G, mv: G::Move, after: &G) -> Self::State;
    /// The value of `position` for the side to move: an estimate, never a win or a loss.
    fn evaluate(&self, state: Self::State, position: &G) -> Score;
}
