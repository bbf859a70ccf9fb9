use std::marker::PhantomData;

use super::numbers::{Draws, Numbers};
use crate::game::{Evaluator, Game, History, Outcome};
use crate::score::Ply;
use crate::search::params::{COUNTED_LAST_PLIES, COUNTED_QUIET_TURNS};
use crate::search::path::Counters;

/// The last ply of a game that goes on.
pub(super) const NO_LAST_PLY: Ply = Ply(u16::MAX);

/// The way from the root to the current node, and what it means by the rules.
pub(super) struct Path<G> {
    /// Keys from the root on.
    keys: Vec<u64>,
    /// Keys of positions of the game that make it a draw if they come once more.
    spent: Vec<u64>,
    /// The game is drawn at this ply.
    last_ply: Ply,
    game: PhantomData<G>,
}

/// A position with what the solver must know of the way to it.
#[derive(Clone)]
pub(super) struct Node<G, S> {
    pub(super) position: G,
    /// That of the evaluator.
    pub(super) state: S,
    ply: Ply,
    counters: Counters,
}

impl<G: Game, S: Clone> Node<G, S> {
    /// The current position of a game.
    pub(super) fn root(history: &History<G>, evaluator: &impl Evaluator<G, State = S>) -> Node<G, S> {
        let position = history.position();
        let counters = Counters { quiet_turns: history.quiet_turns(), reversible: 0 };
        Node { position, state: evaluator.start(&position), ply: Ply(0), counters }
    }

    #[inline]
    pub(super) fn child(&self, mv: G::Move, evaluator: &impl Evaluator<G, State = S>) -> Node<G, S> {
        let position = self.position.play(mv);
        Node {
            position,
            state: evaluator.advance(&self.state, &self.position, mv, &position),
            ply: self.ply.next(),
            counters: self.counters.after(self.position.progress(mv)),
        }
    }
}

impl<G: Game> Path<G> {
    pub(super) fn new(history: &History<G>, last_ply: Ply) -> Path<G> {
        let mut spent = Vec::new();
        if let Some(limit) = G::REPETITION_LIMIT {
            let positions = history.positions();
            for position in positions {
                let times = positions.iter().filter(|&other| other == position).count();
                if times + 1 >= usize::from(limit) && !spent.contains(&position.key()) {
                    spent.push(position.key());
                }
            }
        }
        Path { keys: vec![history.position().key()], spent, last_ply, game: PhantomData }
    }

    pub(super) fn push<S>(&mut self, node: &Node<G, S>) {
        self.keys.push(node.position.key());
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Plies until the game is drawn for its length.
    pub(super) fn plies_left<S>(&self, node: &Node<G, S>) -> u16 {
        let quiet = G::QUIET_LIMIT.map_or(u16::MAX, |limit| limit.saturating_sub(node.counters.quiet_turns));
        quiet.min(self.last_ply.0.saturating_sub(node.ply.0))
    }

    /// What the rules say of a node that is not on the path yet, if they end the game there.
    #[inline]
    pub(super) fn by_rule<S>(&self, node: &Node<G, S>) -> Option<Numbers> {
        match node.position.outcome() {
            Some(Outcome::Win(winner)) if winner == node.position.turn() => return Some(Numbers::won_in(0)),
            Some(Outcome::Win(_)) => return Some(Numbers::lost_in(0)),
            Some(Outcome::Draw) => return Some(Numbers::DRAWN),
            None => {}
        }
        if self.comes_back(node) {
            return Some(Numbers::REPEATED);
        }
        (self.plies_left(node) == 0).then(|| at_limit(&node.position))
    }

    /// Whether the position was on the path before, or too often in the game. The shortest win never
    /// needs that.
    #[inline]
    fn comes_back<S>(&self, node: &Node<G, S>) -> bool {
        let key = node.position.key();
        let back = usize::from(node.counters.reversible).min(self.keys.len());
        // A position cannot come back in fewer than four plies.
        (4..=back).step_by(2).any(|back| self.keys[self.keys.len() - back] == key) || self.spent.contains(&key)
    }

    /// The key of a node in the table: with other positions spent, many quiet turns behind it, or few
    /// plies before the game's last, a position is another one than otherwise.
    #[inline]
    pub(super) fn key<S>(&self, node: &Node<G, S>) -> u64 {
        let mut key = self.spent.iter().fold(node.position.key(), |key, spent| key ^ spent.rotate_left(32));
        let quiet_turns = node.counters.quiet_turns;
        if G::QUIET_LIMIT.is_some() && quiet_turns >= COUNTED_QUIET_TURNS {
            key ^= u64::from(quiet_turns).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        if self.counts_plies(node) {
            let plies_left = self.last_ply.0 - node.ply.0;
            key ^= u64::from(plies_left + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        key
    }

    #[inline]
    fn counts_plies<S>(&self, node: &Node<G, S>) -> bool {
        self.last_ply.0 - node.ply.0 <= COUNTED_LAST_PLIES
    }

    /// Whether all that can make the game drawn below the node is part of its key.
    #[inline]
    pub(super) fn draws<S>(&self, node: &Node<G, S>) -> Draws {
        let plies = self.last_ply == NO_LAST_PLY || self.counts_plies(node);
        let quiet = G::QUIET_LIMIT.is_none() || node.counters.quiet_turns >= COUNTED_QUIET_TURNS;
        if plies && quiet { Draws::Lasting } else { Draws::Passing }
    }
}

/// A side without a move has lost, also after the last turn of a game (§1).
#[cold]
fn at_limit<G: Game>(position: &G) -> Numbers {
    if position.legal_moves().is_empty() { Numbers::lost_in(0) } else { Numbers::DRAWN }
}
