//! New nodes of the tree.

use kingline::game::{Canonical, Outcome};

use super::{Tree, WINNER};
use crate::solve::node::{Aim, Node, State, Whose, expected_cost};

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
                None if self.store.reaches(&after, Aim::Win) => {}
                None => match self.refusal(id, after.form()) {
                    None => self.add(after.form(), Some(id), Whose::Winner, cost),
                    Some((state, returns_to)) => return self.refuse(id, state, returns_to),
                },
                Some(Outcome::Win(_)) => return self.refuse(id, State::Lost, usize::MAX),
                Some(Outcome::Draw) => return self.refuse(id, State::NotWon, usize::MAX),
            }
        }
    }

    fn refuse(&mut self, id: usize, state: State, returns_to: usize) {
        self.nodes[id].state = state;
        self.nodes[id].returns_to = returns_to;
    }

    /// Returns why the winner does not win after a reply to a node: the state of the position after it, and the ply of
    /// the position on the way that it returns to.
    fn refusal(&self, id: usize, form: u128) -> Option<(State, usize)> {
        let facts = self.store.facts(form);
        if facts.lost.is_some() {
            return Some((State::Lost, usize::MAX));
        }
        if facts.not_won {
            return Some((State::NotWon, usize::MAX));
        }
        Some((State::NotWon, self.on_way(id, form)?))
    }

    /// Returns the ply of the winner's position with this form on the way to a node, if there is one.
    fn on_way(&self, id: usize, form: u128) -> Option<usize> {
        let way = std::iter::successors(Some(id), |&id| self.nodes[id].parent).map(|id| &self.nodes[id]);
        way.filter(|node| node.whose == Whose::Winner).find(|node| node.form == form).map(|node| node.ply)
    }

    pub(super) fn add(&mut self, form: u128, parent: Option<usize>, whose: Whose, cost: f64) {
        let turn = if whose == Whose::Winner { WINNER } else { !WINNER };
        let position = G::of_form(form, turn).expect("the form of a position");
        let id = self.nodes.len();
        let ply = parent.map_or(0, |parent| self.nodes[parent].ply + 1);
        self.nodes.push(Node::new(position, form, parent, ply, whose, cost));
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
    }
}
