//! Proof that a side reaches an aim, a win or a hold: the next task, and the state of the start.
//!
//! The proof is an AND/OR graph with one node for each position, however it is reached. The claimant, who should reach the
//! aim, needs one move for it in each of its positions; its opponent may make any move. To hold, the claimant may also go
//! on without end: there must be a set of positions with the opponent to move such that after each of its moves the claimant
//! wins at once or can move to one of them again. A win is a hold without cycles.
//!
//! Each leaf has a cost, from its score. The claimant chooses its moves so that its position costs the least, and the next
//! task is for a leaf that can be reached against these choices, the most expensive first, which is the likeliest to fail.
//! For a win, a position of the opponent costs as much as all its moves together, as in AO*: N. Nilsson, "Principles of
//! Artificial Intelligence", 1980. For a hold, it costs as much as the most expensive leaf that the opponent can reach, and
//! the graph that a choice of moves leaves is expanded from its leaves as in LAO*: E. Hansen, S. Zilberstein, "LAO*: A
//! heuristic search algorithm that finds solutions with loops", 2001; its costs differ.

mod costs;

use std::collections::HashMap;

use kingline::game::{Canonical, Color, Outcome};

use super::goal::{Aim, Claim, State, Whose};
use super::notes::Standing;
use super::store::Store;
use super::work::{Found, Task};
use costs::Cost;

/// Claimant in all positions of the graph, whatever its real color: only forms matter.
const CLAIMANT: Color = Color::Black;
/// Cost by which the claimant's best move has to grow before the other moves are examined.
const PATIENCE: Cost = 23;
/// For a hold: numbers of descents through a position of the claimant after which its best move is searched for again,
/// and the node limits of these searches. The tasks of so many descents take several times as many nodes.
const DEEPER: [(u32, u64); 3] = [(100, 3_000_000), (800, 24_000_000), (5000, 100_000_000)];

/// Graph whose first node is the start.
pub(super) struct Graph<'a, G> {
    store: &'a Store,
    claim: Claim,
    start: G,
    nodes: Vec<Node<G>>,
    places: HashMap<(Color, u128), usize>,
    /// True if the costs have to be computed anew.
    is_stale: bool,
}

struct Node<G> {
    position: G,
    form: u128,
    /// Positions after the moves that were tried. Those of the opponent's moves that fail according to the store are no
    /// nodes.
    children: Vec<usize>,
    parents: Vec<usize>,
    /// Cost of the moves that were not tried: of all of the opponent's, or of the others of the claimant's.
    untried: Option<Cost>,
    /// True if the claimant's best move is known.
    is_searched: bool,
    /// `None` while it is open.
    state: Option<State>,
    /// Least cost that the claimant can achieve.
    cost: Cost,
    /// Child that has this cost, or the greatest part of it; `None` if the moves not tried have it.
    choice: Option<usize>,
    /// Proved share of a win, 0 to 1, assuming that all replies to a position are equally hard.
    share: f64,
    /// Number of descents through it.
    descents: u32,
    /// Number of deeper searches for the claimant's best move.
    deepened: usize,
    /// True while a thread works on it.
    is_busy: bool,
}

enum Step<G> {
    Task(usize, Task<G>),
    /// The graph has changed, and perhaps the costs as well.
    Changed,
    /// All possible tasks are being worked on.
    Nothing,
}

impl<G: Canonical> Node<G> {
    fn is_claimants(&self) -> bool {
        self.position.turn() == CLAIMANT
    }
}

impl<'a, G: Canonical> Graph<'a, G> {
    /// Returns the graph for a proof of this claim about `start`.
    pub(super) fn new(store: &'a Store, start: &G, claim: Claim) -> Graph<'a, G> {
        let (nodes, places) = (Vec::new(), HashMap::new());
        let mut graph = Graph { store, claim, start: *start, nodes, places, is_stale: true };
        let turn = if claim.whose == Whose::Winner { CLAIMANT } else { !CLAIMANT };
        let id = graph.add(start.form(), turn, 0);
        // Moves that end the game are no nodes, so a win at once has to be known before the first costs.
        graph.take_facts(id);
        graph
    }

    /// Returns the state of the start if it is decided.
    pub(super) fn result(&self) -> Option<State> {
        self.nodes[0].state
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
        match found {
            Found::Proved => node.state = Some(State::Proved),
            Found::Refuted => node.state = Some(State::Lost),
            Found::More => node.is_searched |= node.is_claimants(),
        }
        self.is_stale = true;
    }

    pub(super) fn standing(&self) -> Standing {
        let count = |is: fn(&Node<G>) -> bool| self.nodes.iter().filter(|node| is(node)).count();
        match self.claim.aim {
            Aim::Win => Standing::OfWin {
                open: count(|node| node.state.is_none()),
                won: count(|node| node.is_claimants() && node.state == Some(State::Proved)),
                share: self.nodes[0].share,
            },
            Aim::Hold => Standing::OfHold {
                open: self.reachable_leaves(),
                decided: count(|node| node.state.is_some()),
                line: self.hardest_line(),
                score: -self.nodes[0].cost,
            },
        }
    }

    /// Returns the number of leaves that the opponent can reach against the claimant's choices.
    fn reachable_leaves(&self) -> usize {
        let (mut seen, mut left, mut open) = (vec![false; self.nodes.len()], vec![0], 0);
        while let Some(id) = left.pop() {
            let node = &self.nodes[id];
            if std::mem::replace(&mut seen[id], true) || node.state.is_some() {
                continue;
            }
            match node.choice {
                None => open += 1,
                Some(child) if node.is_claimants() => left.push(child),
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

    /// Looks for a task along the claimant's choices and against the opponent's most promising moves first.
    fn step(&mut self) -> Step<G> {
        let mut seen = vec![false; self.nodes.len()];
        let mut left = vec![0];
        while let Some(id) = left.pop() {
            let node = &self.nodes[id];
            if std::mem::replace(&mut seen[id], true) || node.is_busy || node.state.is_some() {
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
                (Some(child), _) if node.is_claimants() => left.push(child),
                (None, Some(_)) => return self.try_moves(id),
                _ => {
                    let from = left.len();
                    left.extend(&node.children);
                    // For a win, replies without a score come first.
                    let is_new =
                        |node: &Node<G>| self.claim.aim == Aim::Win && node.children.is_empty() && !node.is_searched;
                    left[from..].sort_by_key(|&child| (is_new(&self.nodes[child]), self.nodes[child].cost));
                }
            }
        }
        Step::Nothing
    }

    /// Counts a descent through a node. Returns a deeper search if it is due.
    fn deepen(&mut self, id: usize) -> Option<Task<G>> {
        let is_hold = self.claim.aim == Aim::Hold;
        let node = &mut self.nodes[id];
        node.descents += 1;
        let (descents, nodes) = *DEEPER.get(node.deepened).filter(|_| is_hold && node.is_searched)?;
        (node.descents >= descents).then(|| {
            node.deepened += 1;
            Task::Deepen(node.position, nodes)
        })
    }

    /// Tries the moves of a node that were not tried.
    fn try_moves(&mut self, id: usize) -> Step<G> {
        let node = &self.nodes[id];
        let (position, facts) = (node.position, self.store.facts(node.form));
        if node.is_claimants() {
            return Step::Task(id, if node.is_searched { Task::Others(position) } else { Task::Best(position) });
        }
        if !facts.tried {
            return Step::Task(id, Task::Solve(position, solver_nodes(facts.score.unwrap_or(0))));
        }
        if self.claim.aim == Aim::Hold && !self.has_scored_replies(&position) {
            return Step::Task(id, Task::Replies(position));
        }
        self.expand(id);
        Step::Changed
    }

    /// Decides a node if the store knows its result, and adds the claimant's moves that are known. Returns true if anything
    /// has changed.
    fn take_facts(&mut self, id: usize) -> bool {
        let Node { position, form, .. } = self.nodes[id];
        let (store, aim) = (self.store, self.claim.aim);
        let against = aim.against();
        let failed = |is_lost: bool| if is_lost { State::Lost } else { State::NotWon };
        let state = match position.turn() == CLAIMANT {
            true if store.reaches(&position, aim) => State::Proved,
            true if store.misses(form, aim) => failed(store.lost(form).is_some()),
            false if store.misses(form, against) => State::Proved,
            false if store.reaches(&position, against) => failed(store.reaches(&position, Aim::Win)),
            true => return self.add_moves(id),
            false => return false,
        };
        self.nodes[id].state = Some(state);
        true
    }

    /// Returns the node of a position. If it is new and has no score, it has this cost.
    fn add(&mut self, form: u128, turn: Color, expected: Cost) -> usize {
        if let Some(&id) = self.places.get(&(turn, form)) {
            return id;
        }
        let position = G::of_form(form, turn).expect("the form of a position");
        let id = self.nodes.len();
        let facts = self.store.facts(form);
        let is_claimants = turn == CLAIMANT;
        let score = |score: i16| if is_claimants { Cost::from(score) } else { -Cost::from(score) };
        self.nodes.push(Node {
            position,
            form,
            children: Vec::new(),
            parents: Vec::new(),
            untried: Some(facts.score.map_or(expected, score)),
            is_searched: is_claimants && facts.tried,
            state: None,
            cost: 0,
            choice: None,
            share: 0.0,
            descents: 0,
            deepened: 0,
            is_busy: false,
        });
        self.places.insert((turn, form), id);
        if is_claimants {
            self.add_moves(id);
        }
        id
    }

    /// Adds an edge. Returns true if it is new.
    fn connect(&mut self, parent: usize, child: usize) -> bool {
        let is_new = !self.nodes[parent].children.contains(&child);
        if is_new {
            self.nodes[parent].children.push(child);
            self.nodes[child].parents.push(parent);
        }
        is_new
    }

    /// Adds the claimant's moves that are scored or lead to a node. Returns true if there are new ones.
    fn add_moves(&mut self, id: usize) -> bool {
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
            if score.is_none() && !self.places.contains_key(&(!CLAIMANT, form)) {
                left += 1;
                continue;
            }
            let child = self.add(form, !CLAIMANT, 0);
            // A deeper search may have scored it anew.
            let cost = self.nodes[child].untried.and(score).map(|score| -Cost::from(score));
            if cost.is_some() && cost != self.nodes[child].untried {
                self.nodes[child].untried = cost;
                has_changed = true;
            }
            has_changed |= self.connect(id, child);
        }
        let now = match best {
            _ if left == 0 => None,
            Some(best) if is_searched => Some(PATIENCE - Cost::from(best)),
            _ => untried,
        };
        self.nodes[id].untried = now;
        has_changed || now != untried
    }

    /// True if each reply of the opponent that the store does not refute has a score.
    fn has_scored_replies(&self, position: &G) -> bool {
        let mut after = position.legal_moves().into_iter().map(|mv| position.play(mv));
        after.all(|after| self.store.facts(after.form()).score.is_some() || self.store.reaches(&after, self.claim.aim))
    }

    /// Makes the opponent's moves children, except those that fail according to the store.
    fn expand(&mut self, id: usize) {
        let Node { position, untried, .. } = self.nodes[id];
        let moves = position.legal_moves();
        // The cost is split evenly until they have scores of their own.
        let share = untried.unwrap_or(0) - costs::of_count(moves.len());
        self.nodes[id].untried = None;
        for mv in moves {
            let after = position.play(mv);
            if self.store.reaches(&after, self.claim.aim) {
                continue;
            }
            self.nodes[id].state = match after.outcome() {
                Some(Outcome::Draw) => Some(State::NotWon),
                Some(Outcome::Win(_)) => Some(State::Lost),
                None => None,
            };
            if self.nodes[id].state.is_some() {
                return;
            }
            let child = self.add(after.form(), CLAIMANT, share);
            self.connect(id, child);
        }
    }
}

/// Returns the solver's node limit for a position of the opponent, given its search score for the claimant. Of 11
/// positions scored from 90 to 150, seven were proved within 4,000,000 nodes; of 19 scored lower, three. Clear
/// scores for the opponent get as many, to refute the move.
fn solver_nodes(score: i16) -> u64 {
    if score.abs() >= 90 { 4_000_000 } else { 80_000 }
}
