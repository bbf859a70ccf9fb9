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
    /// Number of plies from the start.
    pub(super) ply: usize,
    pub(super) state: State,
    /// Once it is decided: the least number of plies from the start to a position on the way here that a side relies on
    /// returning to, so that the game never ends; [`usize::MAX`] if there is none.
    pub(super) returns_to: usize,
    /// Expected cost of the remaining proof, in an arbitrary unit: only comparisons matter.
    pub(super) cost: f64,
    /// Expected cost when the node was created.
    pub(super) first_cost: f64,
    /// True while a thread works on it.
    pub(super) is_busy: bool,
}

/// Side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Winner,
    Defender,
}

/// Result for the winner that is to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Aim {
    /// The winner wins.
    Win,
    /// The winner does not lose: it can at least go on without end.
    Hold,
}

/// Statement for a tree to prove: the side with this role at the start reaches this aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) whose: Whose,
    pub(super) aim: Aim,
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
    /// The winner reaches its aim.
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
    pub(super) fn new(position: G, form: u128, parent: Option<usize>, ply: usize, whose: Whose, cost: f64) -> Node<G> {
        let (state, returns_to) = (State::New, usize::MAX);
        let (first_cost, is_busy, children) = (cost, false, Vec::new());
        Node { position, form, parent, children, whose, ply, state, returns_to, cost, first_cost, is_busy }
    }

    /// True if there is nothing left to find out.
    pub(super) fn is_decided(&self) -> bool {
        self.state == State::Proved || self.has_failed()
    }

    /// True if there is no proof.
    pub(super) fn has_failed(&self) -> bool {
        matches!(self.state, State::NotWon | State::Lost)
    }
}

/// Returns the expected cost of trying to prove a position of the defender, given its search score for the winner.
///
/// The nodes of a proof fall by about 1/50 per hundredth of score. A cost that falls five times as fast makes the tree
/// stay with the winner's best moves: a position costs about as much as its replies together, and not several times
/// less.
pub(super) fn expected_cost(score: i16) -> f64 {
    (-0.1 * f64::from(score)).exp()
}

/// Returns the solver's node limit for a position of the defender, given its search score for the winner. Of 11
/// positions scored from 90 to 150, seven were proved within 4,000,000 nodes; of 19 scored lower, three. Clear
/// scores for the defender get as many, to refute the move.
pub(super) fn solver_nodes(score: i16) -> u64 {
    if score.abs() >= 90 { 4_000_000 } else { 80_000 }
}
