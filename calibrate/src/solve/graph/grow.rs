//! New nodes of the graph.

use kingline::game::{Canonical, Color, Outcome};

use super::costs::Cost;
use super::{Graph, HOLDER, Node, PATIENCE};
use crate::solve::node::{Aim, State};

impl<G: Canonical> Graph<'_, G> {
    /// Returns the node of a position, which is new if there is none.
    pub(super) fn add(&mut self, form: u128, turn: Color) -> usize {
        if let Some(&id) = self.places.get(&(turn, form)) {
            return id;
        }
        let position = G::of_form(form, turn).expect("the form of a position");
        let id = self.nodes.len();
        let facts = self.store.facts(form);
        let score = Cost::from(facts.score.unwrap_or(0));
        let is_holder = turn == HOLDER;
        self.nodes.push(Node {
            position,
            form,
            children: Vec::new(),
            parents: Vec::new(),
            untried: Some(if is_holder { score } else { -score }),
            is_searched: is_holder && facts.tried,
            state: State::New,
            cost: 0,
            choice: None,
            descents: 0,
            deepened: 0,
            is_busy: false,
        });
        self.places.insert((turn, form), id);
        if is_holder {
            self.add_moves(id);
        }
        id
    }

    fn connect(&mut self, parent: usize, child: usize) {
        self.nodes[parent].children.push(child);
        self.nodes[child].parents.push(parent);
    }

    /// Adds the holder's moves that are scored or lead to a node. Returns true if there are new ones.
    pub(super) fn add_moves(&mut self, id: usize) -> bool {
        let Node { position, is_searched, untried, .. } = self.nodes[id];
        let (mut has_changed, mut left, mut best) = (false, 0, None);
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.outcome().is_some() {
                continue;
            }
            let form = after.form();
            let score = self.store.facts(form).score;
            best = best.max(score);
            if score.is_none() && !self.places.contains_key(&(!HOLDER, form)) {
                left += 1;
                continue;
            }
            let child = self.add(form, !HOLDER);
            // A deeper search may have scored it anew.
            let cost = self.nodes[child].untried.and(score).map(|score| -Cost::from(score));
            if cost.is_some() && cost != self.nodes[child].untried {
                self.nodes[child].untried = cost;
                has_changed = true;
            }
            if !self.nodes[id].children.contains(&child) {
                self.connect(id, child);
                has_changed = true;
            }
        }
        let now = match best {
            _ if left == 0 => None,
            Some(best) if is_searched => Some(PATIENCE - Cost::from(best)),
            _ => untried,
        };
        self.nodes[id].untried = now;
        has_changed || now != untried
    }

    /// True if each reply of the attacker that the store does not refute has a score.
    pub(super) fn has_scored_replies(&self, position: &G) -> bool {
        let mut after = position.legal_moves().into_iter().map(|mv| position.play(mv));
        after.all(|after| self.store.facts(after.form()).score.is_some() || self.store.reaches(&after, Aim::Hold))
    }

    /// Makes the attacker's moves children, except those that fail according to the store.
    pub(super) fn expand(&mut self, id: usize) {
        let position = self.nodes[id].position;
        self.nodes[id].untried = None;
        self.nodes[id].state = State::Expanded;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.outcome() == Some(Outcome::Win(!HOLDER)) {
                self.nodes[id].state = State::Lost;
                return;
            }
            if !self.store.reaches(&after, Aim::Hold) {
                let child = self.add(after.form(), HOLDER);
                if !self.nodes[id].children.contains(&child) {
                    self.connect(id, child);
                }
            }
        }
    }
}
