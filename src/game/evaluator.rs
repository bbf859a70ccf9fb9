use super::Game;
use crate::score::Score;

/// A static evaluation of a game's positions.
///
/// Beside [`Game`], not in it: most users of a game's rules need none, and a game may have
/// several.
pub trait Evaluator<G: Game> {
    /// What is carried beside the position, move by move: `()`, or the sums of a network. It may be large: the search
    /// hands it on by reference.
    type State: Clone;

    /// The state of a position from scratch.
    fn start(&self, position: &G) -> Self::State;
    /// The state after `mv`, from the one before it; equal to that from scratch.
    fn advance(&self, state: &Self::State, before: &G, mv: G::Move, after: &G) -> Self::State;
    /// The state after a turn that was given up ([`Game::pass`]), from the one before it; equal to that from scratch.
    /// Games that know no such turn never ask.
    fn passed(&self, state: &Self::State, after: &G) -> Self::State;
    /// The value of `position` for the side to move: an estimate, never a win or a loss. What 100 means is the
    /// evaluation's to say; see [`Score`].
    fn evaluate(&self, state: &Self::State, position: &G) -> Score;
}

/// An evaluation that carries nothing: a closure, `|position: &P| Score::estimate(...)`.
impl<G: Game, F: Fn(&G) -> Score> Evaluator<G> for F {
    type State = ();

    fn start(&self, _: &G) {}
    fn advance(&self, (): &(), _: &G, _: G::Move, _: &G) {}
    fn passed(&self, (): &(), _: &G) {}
    fn evaluate(&self, (): &(), position: &G) -> Score {
        self(position)
    }
}
