//! Nodes that are decided by all of their moves, and the facts that follow.
//!
//! That a side does not win may rest on a return to a position on the way: then the game never ends. This holds only for
//! this way, unless all positions returned to come after the node. In that case the other side can go on without end from
//! the node, whatever led there, and from all positions that this rests on. These are facts, and the store gets them.

use kingline::game::{Canonical, Outcome};

use super::{Step, Tree};
use crate::solve::node::{Aim, State, Whose};
use crate::solve::store::Fact;

impl<G: Canonical> Tree<'_, G> {
    /// Decides a defender's node after all of whose moves the winner reaches its aim.
    pub(super) fn succeed(&mut self, id: usize) -> Step<G> {
        let node = &self.nodes[id];
        let loss = self.store.by_replies(&node.position, Aim::Win);
        self.store.add(node.form, loss.expect("all replies are won, as the store knows"));
        self.decide(id, State::Proved)
    }

    /// Decides a winner's node whose moves have all failed.
    pub(super) fn fail(&mut self, id: usize) -> Step<G> {
        let children = || self.nodes[id].children.iter().map(|&child| &self.nodes[child]);
        let position = &self.nodes[id].position;
        let is_drawn = |mv: G::Move| position.play(mv).outcome() == Some(Outcome::Draw);
        // The defender wins after each of them, or not.
        let only_losses =
            children().all(|child| child.state == State::Lost) && !position.legal_moves().into_iter().any(is_drawn);
        if only_losses && let Some(loss) = self.store.by_replies(position, Aim::Win) {
            self.store.add(self.nodes[id].form, loss);
        } else {
            self.rest_on_children(id);
        }
        self.decide(id, if only_losses { State::Lost } else { State::NotWon })
    }

    /// Notes what a node rests on whose side to move does not win, whatever it does, and stores it if that is a fact.
    fn rest_on_children(&mut self, id: usize) {
        let node = &self.nodes[id];
        let least = node.children.iter().map(|&child| self.nodes[child].returns_to).min();
        let returns_to = least.map_or(node.returns_to, |least| least.min(node.returns_to));
        let is_fact = returns_to >= node.ply;
        self.nodes[id].returns_to = returns_to;
        if is_fact {
            self.store_not_won(id);
        }
    }

    /// Stores that a node is not won for its side to move, and the nodes that this rests on. The node relies on no position
    /// before it, or only on the one in which the other side moved to it.
    pub(super) fn store_not_won(&self, id: usize) {
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            let node = &self.nodes[id];
            if !self.store.misses(node.form, Aim::Win) {
                self.store.add(node.form, Fact::NotWon);
                left.extend(node.children.iter().filter_map(|&child| self.answer(child)));
            }
        }
    }

    /// Returns the child that decides a node for the side to move there, of several the one that relies least on the way
    /// here; `None` if no child shows it.
    pub(super) fn answer(&self, id: usize) -> Option<usize> {
        let node = &self.nodes[id];
        let is_answer = |child: &usize| match node.whose {
            Whose::Winner => self.nodes[*child].state == State::Proved,
            Whose::Defender => self.nodes[*child].has_failed(),
        };
        node.children.iter().copied().filter(is_answer).max_by_key(|&child| self.nodes[child].returns_to)
    }
}
