use std::cell::Cell;
use std::ops::ControlFlow;

use super::order::MoveOrder;
use super::params::{COUNTED_LAST_PLIES, COUNTED_QUIET_TURNS, POLL_NODES, Params};
use super::path::{Counters, Path};
use super::table::TranspositionTable;
use super::{Observer, TimeLimit};
use crate::game::{Evaluator, Game, Knowledge, MAX_MOVES, MoveList, Outcome};
use crate::score::{Ply, Score};

/// The search was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// The last ply of a game that may go on for ever.
pub(super) const NO_LAST_PLY: Ply = Ply(u16::MAX);

/// One search in progress.
pub(super) struct Search<'a, G: Game, E, T, O> {
    pub(super) evaluator: &'a E,
    pub(super) knowledge: &'a T,
    pub(super) params: &'a Params,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) order: &'a mut MoveOrder<G>,
    pub(super) observer: &'a mut O,
    pub(super) path: Path,
    pub(super) nodes: u64,
    /// The node count at which the observer or the node limit is looked at next.
    pub(super) next_check: u64,
    pub(super) node_limit: u64,
    pub(super) time_limit: Option<TimeLimit>,
    /// The game is drawn at this ply, or [`NO_LAST_PLY`].
    pub(super) last_ply: Ply,
    /// Natural logarithms of 0 (as 0) to 63, for the late-move reductions.
    pub(super) logarithms: [f32; 64],
}

/// A position with what the search must know of the way to it.
#[derive(Clone)]
pub(super) struct Node<G: Game, S> {
    pub(super) position: G,
    pub(super) state: S,
    pub(super) ply: Ply,
    pub(super) counters: Counters,
    pub(super) previous: Option<G::Move>,
    /// What the evaluation says of the position, once it was asked.
    pub(super) evaluated: Cell<Option<Score>>,
}

/// Buffers of one ply, allocated once a search.
#[derive(Clone)]
pub(super) struct PlyBuffers<G: Game> {
    pub(super) list: MoveList<G::Move>,
    /// Of each move, as listed.
    pub(super) ratings: [i32; MAX_MOVES],
    /// Places in the list, those of the moves to try first in front.
    pub(super) order: [u8; MAX_MOVES],
}

impl<G: Game> PlyBuffers<G> {
    pub(super) fn new() -> PlyBuffers<G> {
        PlyBuffers { list: MoveList::new(), ratings: [0; MAX_MOVES], order: [0; MAX_MOVES] }
    }
}

impl<G: Game, S: Clone> Node<G, S> {
    #[inline]
    pub(super) fn child<E: Evaluator<G, State = S>>(&self, mv: G::Move, evaluator: &E) -> Node<G, S> {
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

    /// What the evaluation says of the position; it computes it once.
    #[inline]
    pub(super) fn evaluate<E: Evaluator<G, State = S>>(&self, evaluator: &E) -> Score {
        if let Some(score) = self.evaluated.get() {
            return score;
        }
        let score = evaluator.evaluate(&self.state, &self.position);
        self.evaluated.set(Some(score));
        score
    }
}

impl<G: Game, E: Evaluator<G>, T: Knowledge<G>, O: Observer<G>> Search<'_, G, E, T, O> {
    /// Counts a node, puts it on the path, and looks whether the search must end.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node<G, E::State>) -> Result<(), Stopped> {
        self.path.push(node.position.key());
        self.nodes += 1;
        if self.nodes < self.next_check { Ok(()) } else { self.check_limits() }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let time_is_over = self.time_limit.is_some_and(TimeLimit::is_over);
        if self.nodes >= self.node_limit || time_is_over || self.observer.poll() == ControlFlow::Break(()) {
            return Err(Stopped);
        }
        self.table.grow_if_full();
        self.next_check = (self.nodes + POLL_NODES).min(self.node_limit);
        Ok(())
    }

    /// The value of a node below the root that needs no search: the rules end the game there, or the
    /// endgame tables know what comes of it. Such a node has no entry in the transposition table.
    #[inline]
    pub(super) fn terminal_value(&self, node: &Node<G, E::State>) -> Option<Score> {
        self.value_by_rule(node).or_else(|| self.value_by_knowledge(node))
    }

    /// Tables do not know how a position was reached, but who wins by them need not repeat any, since
    /// every turn brings the next zeroing one nearer. Of an end of the game at some ply they know
    /// nothing.
    #[inline]
    fn value_by_knowledge(&self, node: &Node<G, E::State>) -> Option<Score> {
        if self.last_ply != NO_LAST_PLY {
            return None;
        }
        Some(self.knowledge.probe(&node.position, node.counters.quiet_turns)?.score(node.ply))
    }

    /// The value that the rules give a node, if they end the game there.
    #[inline]
    fn value_by_rule(&self, node: &Node<G, E::State>) -> Option<Score> {
        match node.position.outcome() {
            Some(Outcome::Win(winner)) if winner == node.position.turn() => return Some(Score::win_in(node.ply)),
            Some(Outcome::Win(_)) => return Some(Score::loss_in(node.ply)),
            Some(Outcome::Draw) => return Some(Score::DRAW),
            None => {}
        }
        if self.path.is_repetition::<G>(node.counters) {
            return Some(Score::DRAW);
        }
        if node.ply >= self.last_ply {
            return Some(Self::value_at_limit(node));
        }
        if G::QUIET_LIMIT.is_some_and(|limit| node.counters.quiet_turns >= limit) {
            return Some(Self::value_at_limit(node));
        }
        None
    }

    /// A side without a move has lost, also after the last turn of a game (§1).
    #[cold]
    fn value_at_limit(node: &Node<G, E::State>) -> Score {
        if node.position.legal_moves().is_empty() { Score::loss_in(node.ply) } else { Score::DRAW }
    }

    /// The key of a node in the transposition table: with many quiet turns behind it, or few plies
    /// before the game's last, a position is another one than otherwise, since the draw is nearer.
    #[inline]
    pub(super) fn key(&self, node: &Node<G, E::State>) -> u64 {
        let quiet_turns = node.counters.quiet_turns;
        let mut key = node.position.key();
        if G::QUIET_LIMIT.is_some() && quiet_turns >= COUNTED_QUIET_TURNS {
            key ^= u64::from(quiet_turns).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let plies_left = self.last_ply.0 - node.ply.0;
        if plies_left <= COUNTED_LAST_PLIES {
            key ^= u64::from(plies_left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        key
    }
}
