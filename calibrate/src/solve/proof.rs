//! Proof of a claim in progress: a tree for a win, a graph for a hold.

use kingline::game::Canonical;
use kingline_players::terminal::in_thousands;

use super::graph::Graph;
use super::node::{Aim, Claim, State};
use super::store::Store;
use super::task::{Found, Task};
use super::tree::Tree;

pub(super) enum Proof<'a, G> {
    OfWin(Tree<'a, G>),
    OfHold(Graph<'a, G>),
}

/// Progress of a proof.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Standing {
    OfWin {
        /// Number of positions that are neither proved nor given up.
        open: usize,
        /// Number of proved positions, with the winner to move.
        won: usize,
        /// Proved share of the start's proof, 0 to 1, assuming that all replies to a position are equally hard.
        share: f64,
    },
    OfHold {
        /// Number of leaves that the attacker can reach against the holder's best moves.
        open: usize,
        /// Number of decided positions.
        decided: usize,
        /// Line of play to the hardest leaf.
        line: String,
        /// Its score for the holder with the relief, in hundredths of the evaluation's unit.
        score: i32,
    },
}

impl<'a, G: Canonical> Proof<'a, G> {
    pub(super) fn new(store: &'a Store, start: &G, Claim { whose, aim }: Claim) -> Proof<'a, G> {
        match aim {
            Aim::Win => Proof::OfWin(Tree::new(store, start, whose)),
            Aim::Hold => Proof::OfHold(Graph::new(store, start, whose)),
        }
    }

    /// Returns the state of the start if it is decided.
    pub(super) fn result(&self) -> Option<State> {
        match self {
            Proof::OfWin(tree) => tree.result(),
            Proof::OfHold(graph) => graph.result(),
        }
    }

    /// Returns the next task and its node; `None` if there is no task until the other threads report.
    pub(super) fn next(&mut self) -> Option<(usize, Task<G>)> {
        match self {
            Proof::OfWin(tree) => tree.next(),
            Proof::OfHold(graph) => graph.next(),
        }
    }

    /// Applies the result of a task to its node; the store has the rest.
    pub(super) fn report(&mut self, id: usize, found: Found) {
        match self {
            Proof::OfWin(tree) => tree.report(id, found),
            Proof::OfHold(graph) => graph.report(id, found),
        }
    }

    pub(super) fn standing(&self) -> Standing {
        match self {
            Proof::OfWin(tree) => tree.standing(),
            Proof::OfHold(graph) => graph.standing(),
        }
    }
}

impl Standing {
    /// Proved share of a win, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        match *self {
            Standing::OfWin { share, .. } => share,
            Standing::OfHold { .. } => 0.0,
        }
    }

    /// Describes the progress of the proof of this position.
    pub(super) fn in_words(&self, which: &str) -> String {
        let thousands = |count: usize| in_thousands(count as u64);
        match self {
            Standing::OfWin { open, won, share } => {
                // Rounded down: 100 % would be a proof.
                let percent = (1000.0 * share).floor() / 10.0;
                format!("{percent:.1} % of {which}: {} won, {} open", thousands(*won), thousands(*open))
            }
            Standing::OfHold { open, decided, line, score } => {
                let [open, decided, score] =
                    [thousands(*open), thousands(*decided), format!("{:.2}", f64::from(*score) / 100.0)];
                format!("{which}: {decided} positions decided, {open} open, the hardest scored {score} after {line}")
            }
        }
    }
}
