//! The automatic player of Lines of Action: a proof-number solver that looks for forced wins, then a
//! search, both within one budget of time or of nodes.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evaluate::loa::Evaluation;
use crate::game::{Game, History};
use crate::loa::{Move, Position};
use crate::score::Score;
use crate::search::{Limits, Params, Proof, Prover, Report, Searcher};

/// How a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The numbers of the search.
    pub search: Params,
    /// The solver's part of the budget, 0 to 1; what it leaves is the search's.
    pub solver: f64,
}

/// A player with its memory, for one game or several.
#[derive(Debug)]
pub struct Player<const N: usize> {
    prover: Prover<Position<N>, Evaluation<N>>,
    searcher: Searcher<Position<N>, Evaluation<N>>,
    settings: Settings,
}

/// A move to make, and why.
#[derive(Clone, Debug)]
pub struct Choice<const N: usize> {
    /// A legal move.
    pub best: Move,
    /// What speaks for it.
    pub why: Why<N>,
}

/// Why a move was chosen.
#[derive(Clone, Debug)]
pub enum Why<const N: usize> {
    /// There was no other.
    OnlyMove,
    /// The solver has found a forced win.
    Proof(Proof<Position<N>>),
    /// The search said so; its nodes are those of the solver before it too.
    Search(Report<Position<N>>),
}

impl<const N: usize> Why<N> {
    /// Positions visited.
    pub fn nodes(&self) -> u64 {
        match self {
            Why::OnlyMove => 0,
            Why::Proof(proof) => proof.nodes,
            Why::Search(report) => report.nodes,
        }
    }
}

impl<const N: usize> fmt::Display for Why<N> {
    /// `the only move`, `proved: win in 7, 1234 nodes`, `+0.35; depth 12, 98765 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::OnlyMove => f.write_str("the only move"),
            Why::Proof(Proof { score: Some(score), nodes, .. }) => write!(f, "proved: {score}, {nodes} nodes"),
            Why::Proof(Proof { nodes, .. }) => write!(f, "not decided, {nodes} nodes"),
            Why::Search(report) => write!(f, "{}; depth {}, {} nodes", report.score, report.depth.0, report.nodes),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { search: Params::of_game::<Position<8>>(), solver: 0.05 }
    }
}

impl<const N: usize> Player<N> {
    /// A player without experience, whose tables take at most `bytes` bytes. Players with different
    /// `variety` play different games.
    pub fn new(variety: u64, bytes: usize) -> Player<N> {
        Player::with_settings(Settings::default(), variety, bytes)
    }

    /// Likewise, thinking in another way.
    pub fn with_settings(settings: Settings, variety: u64, bytes: usize) -> Player<N> {
        let evaluation = Evaluation::with_variety(variety);
        Player {
            prover: Prover::new(evaluation).with_table_limit(bytes / 2),
            searcher: Searcher::new(evaluation).with_params(settings.search).with_table_limit(bytes / 2),
            settings,
        }
    }

    /// The move to make in a position, or the current one of a [`History`]; none if there is no legal one.
    ///
    /// The limits are shared by the solver and the search. A move that wins at once is found within any.
    pub fn choose(&mut self, from: impl Into<History<Position<N>>>, limits: Limits) -> Option<Choice<N>> {
        let history = from.into();
        if let [best] = history.position().legal_moves()[..] {
            return Some(Choice { best, why: Why::OnlyMove });
        }
        let limits = limits.started();
        let proof = self.prover.prove(&history, limits.part(self.settings.solver), &mut ());
        if let (true, Some(&best)) = (proof.score.is_some_and(Score::is_win), proof.line.first()) {
            return Some(Choice { best, why: Why::Proof(proof) });
        }
        let mut report = self.searcher.search(history, limits.after(proof.nodes), &mut ());
        report.nodes += proof.nodes;
        Some(Choice { best: report.best?, why: Why::Search(report) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(position: &str) -> String {
        let position: Position<6> = position.parse().unwrap();
        Player::new(0, 1 << 20).choose(position, Limits::nodes(2000)).expect("a legal move").why.to_string()
    }

    #[test]
    fn every_reason_is_told() {
        let level = why("-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black");
        assert!(level.starts_with(['+', '-']) && level.contains("; depth ") && level.ends_with(" nodes"), "{level}");
        let won = why("------/-bb---/----b-/--w---/------/w----w black");
        assert!(won.starts_with("proved: win in 1, "), "{won}");
        assert_eq!(why("----wb/-ww-ww/------/------/----w-/-w--wb black"), "the only move");
    }

    #[test]
    fn without_a_legal_move_there_is_no_choice() {
        let lost: Position<6> = "bw----/ww----/------/------/------/-----w black".parse().unwrap();
        assert!(lost.legal_moves().is_empty() && Player::new(0, 1 << 20).choose(lost, Limits::nodes(1)).is_none());
    }
}
