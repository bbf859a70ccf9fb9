//! States and expected costs, from the leaves up to the start.

use kingline::game::Canonical;

use super::Tree;
use crate::solve::node::{State, Whose};

impl<G: Canonical> Tree<'_, G> {
    /// Returns the child of a winner's node with the least expected cost, and that cost; `None` if all have failed.
    pub(super) fn best_child(&self, id: usize) -> Option<(usize, f64)> {
        let open = self.nodes[id].children.iter().copied().filter(|&child| !self.nodes[child].has_failed());
        open.map(|child| (child, self.cost(child))).min_by(|one, other| one.1.total_cmp(&other.1))
    }

    pub(super) fn cost(&self, id: usize) -> f64 {
        self.nodes[id].cost
    }

    /// Updates state and cost of a node and of its ancestors.
    pub(super) fn update_from(&mut self, id: usize) {
        let mut next = Some(id);
        while let Some(id) = next {
            if self.nodes[id].whose == Whose::Winner && !self.nodes[id].is_decided() {
                self.take_scored(id);
            }
            self.update(id);
            next = self.nodes[id].parent;
        }
    }

    fn update(&mut self, id: usize) {
        let node = &self.nodes[id];
        let children = || node.children.iter().map(|&child| &self.nodes[child]);
        let (mut state, mut cost, mut returns_to) = (node.state, node.cost, node.returns_to);
        match (node.whose, node.state) {
            (_, State::Proved) => cost = 0.0,
            (_, State::NotWon | State::Lost) => cost = f64::INFINITY,
            (_, State::New) => {}
            (Whose::Winner, _) => {
                if let Some(mv) = self.answer(id).map(|mv| &self.nodes[mv]) {
                    (state, returns_to) = (State::Proved, mv.returns_to);
                }
                // All have failed, or there is none yet.
                let otherwise = if node.children.is_empty() { cost } else { f64::INFINITY };
                cost = self.best_child(id).map_or(otherwise, |(_, cost)| cost);
                // The other moves may succeed.
                if state == State::BestOnly && cost == f64::INFINITY {
                    cost = node.first_cost;
                }
            }
            (Whose::Defender, _) => {
                if let Some(reply) = self.answer(id).map(|reply| &self.nodes[reply]) {
                    (state, returns_to) = (reply.state, reply.returns_to);
                }
                cost = children().map(|child| child.cost).sum();
            }
        }
        self.nodes[id].state = state;
        self.nodes[id].returns_to = returns_to;
        self.nodes[id].cost = match state {
            State::Proved => 0.0,
            State::NotWon | State::Lost => f64::INFINITY,
            _ => cost,
        };
    }
}
