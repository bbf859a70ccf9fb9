//! What a search needs of a game beyond its rules: the kinds of its moves, and static values.

use super::ending::Outcome;
use super::move_list::MoveList;
use super::rules::Game;
use crate::score::Score;

/// A game that the search plays.
///
/// Most items have a default that is right for every game. A game that knows better makes the search faster and stronger.
pub trait Searched: Game {
    /// Size of the search's history tables, which [`slot`](Self::slot) indexes.
    const SLOTS: usize = 1;
    /// True if the static evaluation is reliable everywhere, even where captures are possible. The search then skips
    /// quiescence search.
    const STATIC_EVAL_SUFFICES: bool = false;

    /// Returns `true` if the static evaluation is reliable after `mv`: in games where material counts, if `mv` captures
    /// nothing.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Returns the index of moves like `mv` in the search's history tables, below [`SLOTS`](Self::SLOTS). By default all
    /// moves share one, and the search learns nothing about single moves.
    fn slot(_mv: Self::Move) -> usize {
        0
    }
    /// Adds the legal moves that are not [quiet](Self::is_quiet) to `list`, in the order of [`Game::moves`]. Returns
    /// `true` if there are quiet ones as well.
    fn noisy_moves(&self, list: &mut MoveList<Self::Move>) -> bool {
        let all = self.legal_moves();
        all.iter().filter(|&&mv| !self.is_quiet(mv)).for_each(|&mv| list.push(mv));
        all.iter().any(|&mv| self.is_quiet(mv))
    }
    /// Returns `true` if the side to move would face a move that is not [quiet](Self::is_quiet) after giving up its turn,
    /// so that the static evaluation cannot be trusted. By default it never can, unless it suffices everywhere.
    fn is_threatened(&self) -> bool {
        !Self::STATIC_EVAL_SUFFICES
    }
    /// Returns `true` if a legal move leads to an [outcome](Game::outcome) that the side to move wins. Wins that leave the
    /// opponent without a move do not count, since finding them takes a move list for each move.
    fn wins_at_once(&self) -> bool {
        let won = Some(Outcome::Win(self.turn()));
        self.legal_moves().iter().any(|&mv| self.play(mv).outcome() == won)
    }
    /// Returns the position with the other side to move (the null move), in games where zugzwang is rare; `None` in
    /// others.
    fn pass(self) -> Option<Self> {
        None
    }
}

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
    /// Like [`advance`](Self::advance), but for a null move ([`Searched::pass`]). Never called in games without null moves.
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
