//! Proof tree of a win: the next task, and the state of the start.
//!
//! The tree is an AND/OR tree, searched best first: AO*, N. Nilsson, "Principles of Artificial Intelligence", 1980. A
//! position of the winner costs as much as its cheapest move, one of the defender as much as all its moves together.
//! The next task is for a leaf of the cheapest solution; if it has several, for the most expensive leaf, which is the
//! likeliest to fail.

mod cost;
mod grow;
mod settled;

use std::cmp::Ordering;

use kingline::game::{Canonical, Color};

use super::node::{Aim, Node, State, Whose, solver_nodes};
use super::proof::Standing;
use super::store::Store;
use super::task::{Found, Task};

/// Factor by which the expected cost of the winner's best move may grow before the other moves are examined. A score that
/// is 23 hundredths lower has this effect.
const PATIENCE: f64 = 10.0;
/// Winner in all positions of the tree, whatever its real color: only forms matter.
const WINNER: Color = Color::Black;

/// Tree whose first node is the start.
pub(super) struct Tree<'a, G> {
    store: &'a Store,
    nodes: Vec<Node<G>>,
}

/// Result of a descent from a node.
enum Step<G> {
    /// A task for this node.
    Task(usize, Task<G>),
    /// The tree has changed, and perhaps the path down as well.
    Changed,
    /// All possible tasks are being worked on.
    Nothing,
}

impl<'a, G: Canonical> Tree<'a, G> {
    /// Returns the tree for a proof that a side wins from `start`, where this player is to move.
    pub(super) fn new(store: &'a Store, start: &G, whose: Whose) -> Tree<'a, G> {
        let mut tree = Tree { store, nodes: Vec::new() };
        tree.add(start.form(), None, whose, 1.0);
        tree
    }

    /// Returns the state of the start if it is decided.
    pub(super) fn result(&self) -> Option<State> {
        self.nodes[0].is_decided().then_some(self.nodes[0].state)
    }

    /// Returns the next task and its node; `None` if there is no task until the other threads report.
    pub(super) fn next(&mut self) -> Option<(usize, Task<G>)> {
        while !self.nodes[0].is_decided() {
            match self.step(0) {
                Step::Task(id, task) => {
                    self.nodes[id].is_busy = true;
                    return Some((id, task));
                }
                Step::Changed => {}
                Step::Nothing => break,
            }
        }
        None
    }

    /// Applies the result of a task to its node; the store has the rest.
    pub(super) fn report(&mut self, id: usize, found: Found) {
        self.nodes[id].is_busy = false;
        match found {
            Found::Proved => self.nodes[id].state = State::Proved,
            Found::Refuted => self.nodes[id].state = State::Lost,
            Found::More => {}
        }
        self.update_from(id);
    }

    /// Returns the progress of the proof.
    pub(super) fn standing(&self) -> Standing {
        let open = self.nodes.iter().filter(|node| !node.is_decided()).count();
        let is_won = |node: &&Node<G>| node.whose == Whose::Winner && node.state == State::Proved;
        Standing::OfWin { open, won: self.nodes.iter().filter(is_won).count(), share: self.share(0) }
    }

    fn share(&self, id: usize) -> f64 {
        let node = &self.nodes[id];
        let shares = || node.children.iter().map(|&child| self.share(child));
        match (node.state, node.whose) {
            (State::Proved, _) => 1.0,
            (State::New | State::NotWon | State::Lost, _) => 0.0,
            (_, Whose::Winner) => shares().fold(0.0, f64::max),
            // Replies without a node are proved.
            (_, Whose::Defender) => {
                let replies = node.position.legal_moves().len().max(1) as f64;
                1.0 - shares().map(|share| 1.0 - share).sum::<f64>() / replies
            }
        }
    }

    fn step(&mut self, id: usize) -> Step<G> {
        let node = &self.nodes[id];
        match node.whose {
            _ if node.is_busy || node.is_decided() => Step::Nothing,
            Whose::Winner => self.step_of_winner(id),
            Whose::Defender => self.step_of_defender(id),
        }
    }

    fn step_of_winner(&mut self, id: usize) -> Step<G> {
        let position = self.nodes[id].position;
        let facts = self.store.facts(self.nodes[id].form);
        if self.store.reaches(&position, Aim::Win) {
            return self.decide(id, State::Proved);
        }
        if facts.lost.is_some() {
            return self.decide(id, State::Lost);
        }
        if facts.not_won {
            return self.decide(id, State::NotWon);
        }
        if self.nodes[id].state == State::New && !self.take_scored(id) {
            return Step::Task(id, Task::Best(position));
        }
        let is_best_only = self.nodes[id].state == State::BestOnly;
        match self.best_child(id) {
            Some((child, _)) if !is_best_only || self.cost(child) <= PATIENCE * self.nodes[child].first_cost => {
                self.step(child)
            }
            _ if is_best_only => {
                // The other moves become children once they have scores.
                self.nodes[id].state = State::Expanded;
                Step::Task(id, Task::Others(position))
            }
            _ => self.fail(id),
        }
    }

    fn step_of_defender(&mut self, id: usize) -> Step<G> {
        let position = self.nodes[id].position;
        let facts = self.store.facts(self.nodes[id].form);
        if facts.lost.is_some() {
            return self.decide(id, State::Proved);
        }
        if self.nodes[id].state == State::New {
            if !facts.tried {
                return Step::Task(id, Task::Solve(position, solver_nodes(facts.score.unwrap_or(0))));
            }
            self.expand(id);
            self.update_from(id);
            return Step::Changed;
        }
        let mut open = self.nodes[id].children.clone();
        open.retain(|&child| self.nodes[child].state != State::Proved);
        if open.is_empty() {
            return self.succeed(id);
        }
        // Nodes without a score come first.
        let rank = |id: usize| (self.nodes[id].state != State::New, -self.cost(id));
        open.sort_by(|&one, &other| rank(one).partial_cmp(&rank(other)).unwrap_or(Ordering::Equal));
        let mut steps = open.into_iter().map(|child| self.step(child));
        steps.find(|step| !matches!(step, Step::Nothing)).unwrap_or(Step::Nothing)
    }

    fn decide(&mut self, id: usize, state: State) -> Step<G> {
        self.nodes[id].state = state;
        self.update_from(id);
        Step::Changed
    }
}
