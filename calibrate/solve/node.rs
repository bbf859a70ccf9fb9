//! Nodes of the tree, the expected cost of their proofs, and the nodes that these may visit.

use kingline::game::Canonical;

/// Position of the tree. One of the winner's moves must win; all of the defender's must lose. The defender's moves that
/// lose according to the store are not nodes.
#[derive(Clone, Debug)]
pub(super) struct Node<G> {
    pub(super) position: G,
    pub(super) form: u128,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) whose: Whose,
    pub(super) state: State,
    /// Expected cost of the remaining proof, in an arbitrary unit: only comparisons matter.
    pub(super) cost: f64,
    /// Expected cost when the node was created.
    pub(super) first_cost: f64,
    /// True while a thread works on it.
    pub(super) is_busy: bool,
    /// Nodes that solver and searches have visited for it and for the positions below it.
    pub(super) spent: u64,
    pub(super) deep: DeepSearches,
}

/// Deep searches of a position of the winner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeepSearches {
    pub(super) is_running: bool,
    /// Nodes spent on the position when the last one began.
    spent: u64,
    /// Move that the last one prefers.
    pub(super) preferred: Option<Preferred>,
}

/// Move that a deep search prefers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preferred {
    /// Node of the position after it.
    pub(super) child: usize,
    /// Expected cost of the child before the search.
    pub(super) cost: f64,
    /// Expected cost of the child by the score of the search, divided by the cost before it.
    pub(super) factor: f64,
}

/// Side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Winner,
    Defender,
}

/// State of a node's proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing has been done.
    New,
    /// The winner's best move is known and is the only child.
    BestOnly,
    /// All relevant moves are children.
    Expanded,
    /// The winner wins.
    Proved,
    /// The winner does not win, or only by returning to a position on the way here: the defender can at least go on
    /// without end.
    NotWon,
    /// The defender wins.
    Lost,
}

impl Whose {
    pub(super) fn other(self) -> Whose {
        match self {
            Whose::Winner => Whose::Defender,
            Whose::Defender => Whose::Winner,
        }
    }
}

impl<G: Canonical> Node<G> {
    pub(super) fn new(position: G, form: u128, parent: Option<usize>, whose: Whose, cost: f64) -> Node<G> {
        let (state, deep) = (State::New, DeepSearches::default());
        let (first_cost, is_busy, children, spent) = (cost, false, Vec::new(), 0);
        Node { position, form, parent, children, whose, state, cost, first_cost, is_busy, spent, deep }
    }

    /// True if there is nothing left to find out.
    pub(super) fn is_decided(&self) -> bool {
        self.state == State::Proved || self.has_failed()
    }

    /// Returns the nodes for a deep search, if one is due: when the tree below a position has grown by a factor of 4.
    pub(super) fn begin_deep_search(&mut self) -> Option<u64> {
        let DeepSearches { is_running, spent, .. } = self.deep;
        if is_running || self.spent < FIRST_DEEP.max(4 * spent) {
            return None;
        }
        self.deep.is_running = true;
        self.deep.spent = self.spent;
        Some((self.spent / DEEP_SHARE).min(DEEPEST))
    }

    /// True if there is no proof.
    pub(super) fn has_failed(&self) -> bool {
        matches!(self.state, State::NotWon | State::Lost)
    }
}

/// Returns the expected cost of proving a position of the defender, given its search score for the winner. On 6x6 Lines
/// of Action, the measured cost falls by about 1/40 per hundredth of score.
pub(super) fn expected_cost(score: i16) -> f64 {
    (-0.0244 * f64::from(score)).exp()
}

/// Nodes spent on a position of the winner before its first deep search.
const FIRST_DEEP: u64 = 64_000_000;
/// Divisor of the nodes spent on a position that gives the nodes of a deep search.
const DEEP_SHARE: u64 = 16;
/// Most nodes of a deep search.
const DEEPEST: u64 = 60_000_000;

/// Returns the solver's node limit for a position of the defender, given its search score for the winner.
pub(super) fn solver_nodes(score: i16) -> u64 {
    match score {
        170.. => 7_500_000,
        130.. => 4_500_000,
        110.. => 3_000_000,
        90.. => 1_500_000,
        _ => 80_000,
    }
}
