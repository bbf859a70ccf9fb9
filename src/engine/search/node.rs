//! Nodes: positions with the evaluator's state, the distance from the root, and the counters of the rules.

use std::cell::Cell;

use super::order::PlyBuffers;
use crate::game::{Evaluator, Game, History, Progress};
use crate::score::{Ply, Score};

/// A position with what a search must know about the path to it. Shared by alpha-beta and the solver.
///
/// A node is large, so the search keeps one for each ply and overwrites it in place.
#[derive(Clone)]
pub(super) struct Node<G: Game, S> {
    pub(super) position: G,
    /// State of the evaluator.
    pub(super) state: S,
    /// Distance from the root.
    pub(super) ply: Ply,
    pub(super) counters: Counters,
    /// Move that led here; none at the root and after a null move.
    pub(super) previous: Option<G::Move>,
    /// Evaluation of the position, once computed.
    evaluated: Cell<Option<Score>>,
}

/// Buffers of one ply, allocated once per search.
#[derive(Clone)]
pub(super) struct Frame<G: Game, S> {
    /// Moves of the node at this ply.
    pub(super) moves: PlyBuffers<G>,
    /// Node after the move that is being tried.
    pub(super) child: Node<G, S>,
}

impl<G: Game, S: Clone> Frame<G, S> {
    /// Creates a frame of a search from `root`.
    pub(super) fn new(root: &Node<G, S>) -> Frame<G, S> {
        Frame { moves: PlyBuffers::new(), child: root.clone() }
    }
}

/// Counters of the rules along the path to a node, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Plies since the last zeroing turn, including those of the game before the root.
    pub(super) quiet_turns: u16,
    /// Plies since the last irreversible turn or the root; a repetition cannot lie farther back.
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
    /// Creates the node of the current position of a game.
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

    /// Makes `child` the node after `mv`, which must be legal.
    #[inline]
    pub(super) fn play(&self, mv: G::Move, evaluator: &impl Evaluator<G, State = S>, child: &mut Node<G, S>) {
        self.play_unevaluated(mv, child);
        evaluator.advance(&self.state, &self.position, mv, &child.position, &mut child.state);
    }

    /// Makes `child` the node after `mv`, except for its evaluator's state.
    #[inline]
    pub(super) fn play_unevaluated(&self, mv: G::Move, child: &mut Node<G, S>) {
        child.position = self.position.play(mv);
        child.ply = self.ply.next();
        child.counters = self.counters.after(self.position.progress(mv));
        child.previous = Some(mv);
        child.evaluated = Cell::new(None);
    }

    /// Makes `child` the node after the null move to `position`. No earlier position can recur after it.
    pub(super) fn pass(&self, position: G, evaluator: &impl Evaluator<G, State = S>, child: &mut Node<G, S>) {
        child.position = position;
        evaluator.passed(&self.state, &position, &mut child.state);
        child.ply = self.ply.next();
        child.counters = self.counters.after(Progress::Zeroing);
        child.previous = None;
        child.evaluated = Cell::new(None);
    }

    /// Returns the evaluation of the position, computed only once.
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
