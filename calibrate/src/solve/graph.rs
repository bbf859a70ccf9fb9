//! Proof that a side holds: the next task, and the state of the start.
//!
//! The holder wins, or goes on without end, if there is a set of positions with the other side, the attacker, to move
//! such that after each of its moves the holder wins at once or can move to one of them again. Nothing has to come to an
//! end, so the graph has one node for each position, however it is reached, and may have cycles.
//!
//! Each leaf has a cost, from its score. The holder chooses its moves so that the greatest cost that the attacker can
//! reach is the least, and the next task is for that leaf: if it fails, the holder has to choose differently. Positions
//! from which the attacker can reach no leaf form such a set. The graph that a choice of moves leaves is expanded from
//! its leaves as in LAO*: E. Hansen, S. Zilberstein, "LAO*: A heuristic search algorithm that finds solutions with
//! loops", 2001; its costs differ.

mod costs;
mod grow;

use std::collections::HashMap;

use kingline::game::{Canonical, Color};

use super::node::{Aim, State, Whose, solver_nodes};
use super::proof::Standing;
use super::store::Store;
use super::task::{Found, Task};
use costs::{Cost, HELD};

/// Holder in all positions of the graph, whatever its real color: only forms matter.
const HOLDER: Color = Color::Black;
/// Cost by which the holder's best move has to grow before the other moves are examined.
const PATIENCE: Cost = 23;
/// Numbers of descents through a position of the holder after which its best move is searched for again, and the node
/// limits of these searches. The tasks of so many descents take several times as many nodes.
const DEEPER: [(u32, u64); 3] = [(100, 3_000_000), (800, 24_000_000), (5000, 100_000_000)];

/// Graph whose first node is the start.
pub(super) struct Graph<'a, G> {
    store: &'a Store,
    start: G,
    nodes: Vec<Node<G>>,
    places: HashMap<(Color, u128), usize>,
    /// True if the costs have to be computed anew.
    is_stale: bool,
}

/// Position of the graph. One of the holder's moves must hold; none of the attacker's may win.
struct Node<G> {
    position: G,
    form: u128,
    /// Positions after the moves that were tried. Those of the attacker's moves that fail according to the store are no
    /// nodes.
    children: Vec<usize>,
    parents: Vec<usize>,
    /// Cost of the moves that were not tried: of all of the attacker's, or of the others of the holder's.
    untried: Option<Cost>,
    /// True if the holder's best move is known.
    is_searched: bool,
    state: State,
    /// Least cost that the holder can achieve.
    cost: Cost,
    /// Child that has this cost; `None` if the moves not tried have it.
    choice: Option<usize>,
    /// Number of descents through it.
    descents: u32,
    /// Number of deeper searches for the holder's best move.
    deepened: usize,
    /// True while a thread works on it.
    is_busy: bool,
}

/// Result of a descent.
enum Step<G> {
    Task(usize, Task<G>),
    /// The graph has changed, and perhaps the costs as well.
    Changed,
    /// All possible tasks are being worked on.
    Nothing,
}

impl<'a, G: Canonical> Graph<'a, G> {
    /// Returns the graph for a proof that a side holds from `start`: the one to move if it is the winner there.
    pub(super) fn new(store: &'a Store, start: &G, whose: Whose) -> Graph<'a, G> {
        let mut graph = Graph { store, start: *start, nodes: Vec::new(), places: HashMap::new(), is_stale: true };
        let id = graph.add(start.form(), if whose == Whose::Winner { HOLDER } else { !HOLDER });
        // Moves that end the game are no nodes, so a win at once has to be known before the first costs.
        graph.take_facts(id);
        graph
    }

    /// Returns the state of the start if it is decided: proved, or lost for the holder.
    pub(super) fn result(&self) -> Option<State> {
        let state = self.nodes[0].state;
        matches!(state, State::Proved | State::Lost).then_some(state)
    }

    /// Returns the next task and its node; `None` if there is no task until the other threads report.
    pub(super) fn next(&mut self) -> Option<(usize, Task<G>)> {
        loop {
            if self.is_stale {
                self.update_costs();
                self.is_stale = false;
            }
            if self.result().is_some() {
                return None;
            }
            match self.step() {
                Step::Task(id, task) => {
                    self.nodes[id].is_busy = true;
                    return Some((id, task));
                }
                Step::Changed => self.is_stale = true,
                Step::Nothing => return None,
            }
        }
    }

    /// Applies the result of a task to its node; the store has the rest.
    pub(super) fn report(&mut self, id: usize, found: Found) {
        let node = &mut self.nodes[id];
        node.is_busy = false;
        match (found, node.position.turn() == HOLDER) {
            (Found::Proved, _) => node.state = State::Proved,
            (Found::Refuted, _) => node.state = State::Lost,
            (Found::More, is_holder) => node.is_searched |= is_holder,
        }
        self.is_stale = true;
    }

    /// Returns the progress of the proof.
    pub(super) fn standing(&self) -> Standing {
        let is_decided = |node: &&Node<G>| matches!(node.state, State::Proved | State::Lost);
        let decided = self.nodes.iter().filter(is_decided).count();
        Standing::OfHold { open: self.open(), decided, line: self.hardest_line(), score: -self.nodes[0].cost }
    }

    /// Returns the number of leaves that the attacker can reach against the holder's choices.
    fn open(&self) -> usize {
        let (mut seen, mut left, mut open) = (vec![false; self.nodes.len()], vec![0], 0);
        while let Some(id) = left.pop() {
            let node = &self.nodes[id];
            if std::mem::replace(&mut seen[id], true) || node.cost == HELD {
                continue;
            }
            match node.choice {
                None => open += 1,
                Some(child) if node.position.turn() == HOLDER => left.push(child),
                Some(_) => left.extend(&node.children),
            }
        }
        open
    }

    /// Returns the line of play to the hardest leaf.
    fn hardest_line(&self) -> String {
        let ids = std::iter::successors(self.nodes[0].choice, |&id| self.nodes[id].choice);
        let (mut position, mut moves) = (self.start, Vec::new());
        for form in ids.map(|id| self.nodes[id].form) {
            let list = position.legal_moves();
            let Some(&mv) = list.iter().find(|&&mv| position.play(mv).form() == form) else { break };
            moves.push(mv);
            position = position.play(mv);
        }
        self.start.line(&moves)
    }

    /// Looks for a task along the holder's choices and against the attacker's most promising moves first.
    fn step(&mut self) -> Step<G> {
        let mut seen = vec![false; self.nodes.len()];
        let mut left = vec![0];
        while let Some(id) = left.pop() {
            if std::mem::replace(&mut seen[id], true) || self.nodes[id].is_busy || self.nodes[id].cost == HELD {
                continue;
            }
            if self.take_facts(id) {
                return Step::Changed;
            }
            if let Some(task) = self.deepen(id) {
                return Step::Task(id, task);
            }
            let node = &self.nodes[id];
            match (node.choice, node.untried) {
                (Some(child), _) if node.position.turn() == HOLDER => left.push(child),
                (None, Some(_)) => return self.try_moves(id),
                _ => {
                    let from = left.len();
                    left.extend(&node.children);
                    left[from..].sort_by_key(|&child| self.nodes[child].cost);
                }
            }
        }
        Step::Nothing
    }

    /// Counts a descent through a node. Returns a deeper search if it is due.
    fn deepen(&mut self, id: usize) -> Option<Task<G>> {
        let node = &mut self.nodes[id];
        node.descents += 1;
        let (descents, nodes) = *DEEPER.get(node.deepened).filter(|_| node.is_searched)?;
        (node.descents >= descents).then(|| {
            node.deepened += 1;
            Task::Deepen(node.position, nodes)
        })
    }

    /// Tries the moves of a node that were not tried.
    fn try_moves(&mut self, id: usize) -> Step<G> {
        let Node { position, form, is_searched, .. } = self.nodes[id];
        let facts = self.store.facts(form);
        if position.turn() == HOLDER {
            return Step::Task(id, if is_searched { Task::Others(position) } else { Task::Best(position) });
        }
        if !facts.tried {
            return Step::Task(id, Task::Solve(position, solver_nodes(facts.score.unwrap_or(0))));
        }
        if !self.has_scored_replies(&position) {
            return Step::Task(id, Task::Replies(position));
        }
        self.expand(id);
        Step::Changed
    }

    /// Decides a node if the store knows its result, and adds the holder's moves that are known. Returns true if anything
    /// has changed.
    fn take_facts(&mut self, id: usize) -> bool {
        let Node { position, form, .. } = self.nodes[id];
        let state = match position.turn() == HOLDER {
            true if self.store.reaches(&position, Aim::Hold) => State::Proved,
            true if self.store.lost(form).is_some() => State::Lost,
            false if self.store.misses(form, Aim::Win) => State::Proved,
            false if self.store.reaches(&position, Aim::Win) => State::Lost,
            true => return self.add_moves(id),
            false => return false,
        };
        self.nodes[id].state = state;
        true
    }
}
