//! What is a position on its way: with the evaluator's state, its distance from the root, and what the rules count.

use std::cell::Cell;

use crate::game::{Evaluator, Game, History, Outcome, Progress};
use crate::score::{Ply, Score};

/// A position with what a search must know of the way to it; of alpha-beta and of the solver alike.
#[derive(Clone)]
pub(super) struct Node<G: Game, S> {
    pub(super) position: G,
    /// That of the evaluator.
    pub(super) state: S,
    /// From the root.
    pub(super) ply: Ply,
    pub(super) counters: Counters,
    /// The move that led here; none at the root and after a null move.
    pub(super) previous: Option<G::Move>,
    /// What the evaluation says of the position, once it was asked.
    evaluated: Cell<Option<Score>>,
}

/// What the rules count on the way to a node, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Since the last zeroing turn, those of the game before the root included.
    pub(super) quiet_turns: u16,
    /// Since the last irreversible turn, or since the root: no farther back can a repetition lie.
    pub(super) reversible: u16,
}

impl Counters {
    fn after(self, progress: Progress) -> Counters {
        match progress {
            Progress::Reversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: self.reversible + 1 },
            Progress::Irreversible => Counters { quiet_turns: self.quiet_turns + 1, reversible: 0 },
            Progress::Zeroing => Counters { quiet_turns: 0, reversible: 0 },
        }
    }
}

impl<G: Game, S: Clone> Node<G, S> {
    /// The current position of a game.
    pub(super) fn root(history: &History<G>, evaluator: &impl Evaluator<G, State = S>) -> Node<G, S> {
        let position = history.position();
        Node {
            position,
            state: evaluator.start(&position),
            ply: Ply(0),
            counters: Counters { quiet_turns: history.quiet_turns(), reversible: 0 },
            previous: None,
            evaluated: Cell::new(None),
        }
    }

    /// The node after `mv`, which must be legal.
    #[inline]
    pub(super) fn child(&self, mv: G::Move, evaluator: &impl Evaluator<G, State = S>) -> Node<G, S> {
        let position = self.position.play(mv);
        Node {
            position,
            state: evaluator.advance(&self.state, &self.position, mv, &position),
            ply: self.ply.next(),
            counters: self.counters.after(self.position.progress(mv)),
            previous: Some(mv),
            evaluated: Cell::new(None),
        }
    }

    /// The node after a null move, in games that know it. Nothing before it can come back.
    pub(super) fn passed(&self, evaluator: &impl Evaluator<G, State = S>) -> Option<Node<G, S>> {
        let position = self.position.pass()?;
        Some(Node {
            position,
            state: evaluator.passed(&self.state, &position),
            ply: self.ply.next(),
            counters: self.counters.after(Progress::Zeroing),
            previous: None,
            evaluated: Cell::new(None),
        })
    }

    /// What the evaluation says of the position; it computes it once.
    #[inline]
    pub(super) fn evaluate(&self, evaluator: &impl Evaluator<G, State = S>) -> Score {
        if let Some(score) = self.evaluated.get() {
            return score;
        }
        let score = evaluator.evaluate(&self.state, &self.position);
        self.evaluated.set(Some(score));
        score
    }
}

/// Whether one of the legal moves `list` leads to a position whose outcome is a win of the side that makes it. A win for
/// the lack of replies it does not see: that would take a list for each move.
pub(super) fn has_winning_outcome<G: Game>(position: &G, list: &[G::Move]) -> bool {
    let won = Some(Outcome::Win(position.turn()));
    list.iter().any(|&mv| position.play(mv).outcome() == won)
}
