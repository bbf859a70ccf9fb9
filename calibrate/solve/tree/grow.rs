//! New nodes of the tree.

use kingline::game::{Canonical, Outcome};

use super::{Tree, WINNER};
use crate::solve::node::{Node, State, Whose, expected_cost};

impl<G: Canonical> Tree<'_, G> {
    /// Makes the scored moves of a winner's node its children. Returns true if the node has any.
    pub(super) fn take_scored(&mut self, id: usize) -> bool {
        let position = self.nodes[id].position;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let form = after.form();
            let is_new = |&child: &usize| self.nodes[child].form != form;
            if after.outcome().is_none()
                && self.nodes[id].children.iter().all(is_new)
                && let Some(score) = self.store.facts(form).score
            {
                self.add(form, Some(id), Whose::Defender, expected_cost(score));
            }
        }
        if self.nodes[id].state == State::New && !self.nodes[id].children.is_empty() {
            self.nodes[id].state = State::BestOnly;
        }
        !self.nodes[id].children.is_empty()
    }

    /// Makes the replies of a defender's node its children, except those that lose according to the store.
    pub(super) fn expand(&mut self, id: usize) {
        let position = self.nodes[id].position;
        let moves = position.legal_moves();
        // The expected cost is split evenly until they have scores of their own.
        let cost = self.nodes[id].cost / moves.len() as f64;
        self.nodes[id].state = State::Expanded;
        for mv in moves {
            let after = position.play(mv);
            match after.outcome() {
                Some(Outcome::Win(winner)) if winner == WINNER => {}
                None if self.store.won(&after).is_some() => {}
                // Returning to an earlier position wins nothing.
                None if !self.is_on_way(id, after.form()) => self.add(after.form(), Some(id), Whose::Winner, cost),
                Some(Outcome::Win(_)) => {
                    self.nodes[id].state = State::Lost;
                    return;
                }
                _ => {
                    self.nodes[id].state = State::NotWon;
                    return;
                }
            }
        }
    }

    fn is_on_way(&self, id: usize, form: u128) -> bool {
        let mut way = std::iter::successors(Some(id), |&id| self.nodes[id].parent);
        way.any(|id| self.nodes[id].whose == Whose::Winner && self.nodes[id].form == form)
    }

    pub(super) fn add(&mut self, form: u128, parent: Option<usize>, whose: Whose, cost: f64) {
        let turn = if whose == Whose::Winner { WINNER } else { !WINNER };
        let position = G::of_form(form, turn).expect("the form of a position");
        let id = self.nodes.len();
        self.nodes.push(Node::new(position, form, parent, whose, cost));
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
    }
}
