//! What is known of one position of the tree, and what may it cost to prove it?

use kingline::game::Canonical;

/// A position of the tree. The winner's positions have moves of which one must win; the defender's have moves that all
/// must lose, and those that lose by what the store knows are no nodes.
#[derive(Clone, Debug)]
pub(super) struct Node<G> {
    pub(super) position: G,
    pub(super) form: u128,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    pub(super) whose: Whose,
    pub(super) state: State,
    /// What it may still cost to prove it; a number that only comparisons give a meaning.
    pub(super) cost: f64,
    /// What it was when the node was made.
    pub(super) first_cost: f64,
    /// Whether a thread is at work on it.
    pub(super) is_busy: bool,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    Winner,
    Defender,
}

/// How far a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing was done.
    New,
    /// The winner's best move is known, and is the only child.
    BestOnly,
    /// Its moves are its children, as far as they matter.
    Expanded,
    /// The winner wins.
    Proved,
    /// It does not, or not without coming back to a position on the way here.
    Failed,
}

impl<G: Canonical> Node<G> {
    pub(super) fn new(position: G, form: u128, parent: Option<usize>, whose: Whose, cost: f64) -> Node<G> {
        let (first_cost, is_busy, children) = (cost, false, Vec::new());
        Node { position, form, parent, children, whose, state: State::New, cost, first_cost, is_busy }
    }

    /// Whether nothing more is to be found out.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.state, State::Proved | State::Failed)
    }
}

/// What it may cost to prove a position of the defender, by what a search thinks of it for the winner. Measured on 6x6
/// Lines of Action: about a fortieth less for each hundredth.
pub(super) fn expected_cost(score: i16) -> f64 {
    (-0.0244 * f64::from(score)).exp()
}

/// Nodes in which the solver shall try a position of the defender, by the same score.
pub(super) fn solver_nodes(score: i16) -> u64 {
    match score {
        170.. => 7_500_000,
        130.. => 4_500_000,
        110.. => 3_000_000,
        90.. => 1_500_000,
        _ => 80_000,
    }
}
