//! What is to be done next, and what does that say of the start?
//!
//! An AND/OR tree in best-first order: AO*, N. Nilsson, "Principles of Artificial Intelligence", 1980. A position of the
//! winner costs what its cheapest move costs, one of the defender the sum of its moves. Next comes a leaf of the cheapest
//! solution, and of several the most costly, since that is where it may fail.

use std::cmp::Ordering;

use kingline::game::{Canonical, Color, Outcome};

use super::node::{Node, State, Whose, expected_cost, solver_nodes};
use super::store::{Fact, Store};
use super::work::Found;

/// The winner's best move is given up when it may cost this many times what was thought; then its others are looked at.
const PATIENCE: f64 = 2.5;
/// The winner in all positions of the tree, whatever its color was: only forms matter.
const WINNER: Color = Color::Black;

/// The tree: its first node is the start, where the winner is to move.
pub(super) struct Tree<'a, G> {
    store: &'a Store,
    nodes: Vec<Node<G>>,
}

/// What a thread is to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<G> {
    /// The winner's best move in this position is wanted.
    Best(G),
    /// The scores of all its moves are wanted.
    Others(G),
    /// This position of the defender is to be proved lost, within this number of nodes of the solver.
    Solve(G, u64),
}

/// What came of the way down from a node.
enum Step<G> {
    /// Something is to be done for a node.
    Task(usize, Task<G>),
    /// The tree is another one now: the way may be another one too.
    Changed,
    /// All that could be done is being done.
    Nothing,
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Standing {
    /// Positions of the tree that are neither proved nor given up.
    pub(super) open: usize,
    /// The part of the start that is proved, 0 to 1, if all replies of a position are equally hard.
    pub(super) share: f64,
}

impl<'a, G: Canonical> Tree<'a, G> {
    /// The tree of a start whose side to move is to be proved the winner.
    pub(super) fn new(store: &'a Store, start: &G) -> Tree<'a, G> {
        let mut tree = Tree { store, nodes: Vec::new() };
        tree.add(start.form(), None, Whose::Winner, 1.0);
        tree
    }

    /// Whether the start is proved, or known not to be won; `None`: not yet.
    pub(super) fn result(&self) -> Option<bool> {
        self.nodes[0].is_decided().then_some(self.nodes[0].state == State::Proved)
    }

    /// The next task and the node that it is for; `None`: there is none as long as others are at work.
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

    /// Takes in what a task has found out of a node; the store has the rest.
    pub(super) fn report(&mut self, id: usize, found: Found) {
        self.nodes[id].is_busy = false;
        match found {
            Found::Proved => self.nodes[id].state = State::Proved,
            Found::Refuted => self.nodes[id].state = State::Failed,
            Found::More => {}
        }
        self.update_from(id);
    }

    /// How far the proof is.
    pub(super) fn standing(&self) -> Standing {
        let open = self.nodes.iter().filter(|node| !node.is_decided()).count();
        Standing { open, share: self.share(0) }
    }

    fn share(&self, id: usize) -> f64 {
        let node = &self.nodes[id];
        let shares = || node.children.iter().map(|&child| self.share(child));
        match (node.state, node.whose) {
            (State::Proved, _) => 1.0,
            (State::New | State::Failed, _) => 0.0,
            (_, Whose::Winner) => shares().fold(0.0, f64::max),
            // Replies that are no nodes are proved.
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
        if self.store.won(&position).is_some() {
            return self.decide(id, State::Proved);
        }
        if self.nodes[id].state == State::New && !self.take_scored(id) {
            return Step::Task(id, Task::Best(position));
        }
        let is_best_only = self.nodes[id].state == State::BestOnly;
        match self.cheapest(id) {
            Some(child) if !is_best_only || self.cost(child) <= PATIENCE * self.nodes[child].first_cost => {
                self.step(child)
            }
            _ if is_best_only => {
                // When they have scores, they become children.
                self.nodes[id].state = State::Expanded;
                Step::Task(id, Task::Others(position))
            }
            _ => self.decide(id, State::Failed),
        }
    }

    fn step_of_defender(&mut self, id: usize) -> Step<G> {
        let (position, form) = (self.nodes[id].position, self.nodes[id].form);
        let facts = self.store.facts(form);
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
            let plies = self.store.lost_by_replies(&position).expect("all replies are won, as the store knows");
            self.store.add(form, Fact::Lost(plies));
            return self.decide(id, State::Proved);
        }
        // Those without a score come first.
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

    /// Makes the moves of a winner's node that have a score its children; whether there is one.
    fn take_scored(&mut self, id: usize) -> bool {
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

    /// Makes the replies of a defender's node its children, but for those that the store knows to lose.
    fn expand(&mut self, id: usize) {
        let position = self.nodes[id].position;
        let moves = position.legal_moves();
        // Together they cost what was thought, until they have scores of their own.
        let cost = self.nodes[id].cost / moves.len() as f64;
        self.nodes[id].state = State::Expanded;
        for mv in moves {
            let after = position.play(mv);
            match after.outcome() {
                Some(Outcome::Win(winner)) if winner == WINNER => {}
                None if self.store.won(&after).is_some() => {}
                // Nothing is won by coming back.
                None if !self.is_on_way(id, after.form()) => self.add(after.form(), Some(id), Whose::Winner, cost),
                _ => {
                    self.nodes[id].state = State::Failed;
                    return;
                }
            }
        }
    }

    fn is_on_way(&self, id: usize, form: u128) -> bool {
        let mut way = std::iter::successors(Some(id), |&id| self.nodes[id].parent);
        way.any(|id| self.nodes[id].whose == Whose::Winner && self.nodes[id].form == form)
    }

    fn add(&mut self, form: u128, parent: Option<usize>, whose: Whose, cost: f64) {
        let turn = if whose == Whose::Winner { WINNER } else { !WINNER };
        let position = G::of_form(form, turn).expect("the form of a position");
        let id = self.nodes.len();
        self.nodes.push(Node::new(position, form, parent, whose, cost));
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
    }

    /// The child of a winner's node that may cost least; none if all have failed.
    fn cheapest(&self, id: usize) -> Option<usize> {
        let open = self.nodes[id].children.iter().copied().filter(|&child| self.nodes[child].state != State::Failed);
        open.min_by(|&one, &other| self.cost(one).total_cmp(&self.cost(other)))
    }

    fn cost(&self, id: usize) -> f64 {
        self.nodes[id].cost
    }

    /// Computes state and cost of a node and of those above it.
    fn update_from(&mut self, id: usize) {
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
        let (mut state, mut cost) = (node.state, node.cost);
        match (node.whose, node.state) {
            (_, State::Proved) => cost = 0.0,
            (_, State::Failed) => cost = f64::INFINITY,
            (_, State::New) => {}
            (Whose::Winner, _) => {
                if children().any(|child| child.state == State::Proved) {
                    state = State::Proved;
                }
                cost = children().map(|child| child.cost).min_by(f64::total_cmp).unwrap_or(cost);
                // Its other moves may do.
                if state == State::BestOnly && cost == f64::INFINITY {
                    cost = node.first_cost;
                }
            }
            (Whose::Defender, _) => {
                if children().any(|child| child.state == State::Failed) {
                    state = State::Failed;
                }
                cost = children().map(|child| child.cost).sum();
            }
        }
        self.nodes[id].state = state;
        self.nodes[id].cost = match state {
            State::Proved => 0.0,
            State::Failed => f64::INFINITY,
            _ => cost,
        };
    }
}
