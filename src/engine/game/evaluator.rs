//! Static evaluation, as the search calls it.

use super::rules::Game;
use crate::score::Score;

/// A static evaluation of a game's positions.
///
/// Separate from [`Game`], because most users of a game's rules need no evaluation, and a game may have several. The
/// threads of a search share it.
pub trait Evaluator<G: Game>: Sync {
    /// State updated along with the position, move by move: `()`, or an accumulator. It may be large; the search passes
    /// it by reference.
    type State: Clone;

    /// True if a search should keep evaluations by [`Game::key`] rather than compute them again: if computing one takes
    /// longer than looking it up, which may miss the processor's caches.
    const IS_COSTLY: bool = false;

    /// Returns the state of a position, computed from scratch.
    fn start(&self, position: &G) -> Self::State;
    /// Sets `next` to the state after `mv`, updated from the one before. It must equal the state computed from scratch.
    /// Callers keep `next` and reuse it, so that a large state is never copied.
    fn advance(&self, state: &Self::State, before: &G, mv: G::Move, after: &G, next: &mut Self::State);
    /// Like [`advance`](Self::advance), but for a null move ([`Game::pass`]). Never called in games without null moves.
    fn passed(&self, state: &Self::State, after: &G, next: &mut Self::State);
    /// Returns the value of `position` for the side to move: an estimate in the evaluation's own unit, never a decided
    /// score; see [`Score`].
    fn evaluate(&self, state: &Self::State, position: &G) -> Score;
}

/// A closure is a stateless evaluation: `|position: &P| Score::estimate(...)`.
impl<G: Game, F: Fn(&G) -> Score + Sync> Evaluator<G> for F {
    type State = ();

    fn start(&self, _: &G) {}
    fn advance(&self, (): &(), _: &G, _: G::Move, _: &G, (): &mut ()) {}
    fn passed(&self, (): &(), _: &G, (): &mut ()) {}
    fn evaluate(&self, (): &(), position: &G) -> Score {
        self(position)
    }
}
