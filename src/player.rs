//! The automatic player of Lines of Action: a proof-number solver that looks for forced wins, then a
//! search, both within one budget of time or of nodes.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::game::{Game, History, MoveList};
use crate::loa::{HandWritten, Move, Position};
use crate::score::{Depth, Score};
use crate::search::{Futility, Limits, Observer, Params, Prover, Report, Searcher, Table};

/// What a move may cost.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Positions visited: equal games on any machine and under any load.
    Nodes(u64),
    /// Until this clock shows this time.
    Until(Clock, Duration),
}

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
    prover: Prover<Position<N>, HandWritten<N>>,
    searcher: Searcher<Position<N>, HandWritten<N>>,
    settings: Settings,
}

/// A move, and what is thought of it.
#[derive(Clone, Debug)]
pub struct Choice<const N: usize> {
    /// The move to make; legal.
    pub mv: Move,
    /// The thought behind it; its nodes are those of the solver and the search together.
    pub report: Report<Position<N>>,
}

impl Default for Settings {
    fn default() -> Settings {
        let search = Params {
            look_for_wins: Some(Depth(2)),
            futility: Some(Futility { to_depth: Depth(3), margin: 45 }),
            prob_cut: None,
            ..Params::default()
        };
        Settings { search, solver: 0.05 }
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
        let evaluator = HandWritten::with_variety(variety);
        let searcher = Searcher::new(evaluator, settings.search, Table::with_limit(bytes / 2));
        Player { prover: Prover::new(evaluator, bytes / 2), searcher, settings }
    }

    /// The move to make in the current position of `history`; none if there is no legal one.
    ///
    /// The game is drawn after `game_plies` more plies (`None`: never). A move that wins at once is
    /// found within any budget.
    pub fn choose(
        &mut self,
        history: &History<Position<N>>,
        budget: Budget,
        game_plies: Option<u16>,
    ) -> Option<Choice<N>> {
        let mut list = MoveList::new();
        history.position().moves(&mut list);
        if let [mv] = list[..] {
            let report = Report { depth: Depth(0), score: Score::DRAW, principal_variation: vec![mv], nodes: 0 };
            return Some(Choice { mv, report });
        }
        let (first, nodes) = budget.split(self.settings.solver);
        let limits = Limits { nodes, game_plies, ..Limits::default() };
        let proof = self.prover.prove(history, limits, &mut Watch(first));
        if let (Some(score), [mv, ..]) = (proof.score.filter(|score| score.is_win()), &proof.line[..]) {
            let depth = Depth(proof.line.len() as i16);
            let report = Report { depth, score, principal_variation: proof.line.clone(), nodes: proof.nodes };
            return Some(Choice { mv: *mv, report });
        }
        let nodes = match budget {
            Budget::Nodes(nodes) => Some(nodes.saturating_sub(proof.nodes)),
            Budget::Until(..) => None,
        };
        let limits = Limits { nodes, game_plies, ..Limits::default() };
        let mut report = self.searcher.search(history, limits, &mut Watch(budget));
        report.nodes += proof.nodes;
        let mv = *report.principal_variation.first()?;
        Some(Choice { mv, report })
    }
}

impl Budget {
    /// The first part of the budget, and the nodes that it has; as much as `share` of all.
    fn split(self, share: f64) -> (Budget, Option<u64>) {
        match self {
            Budget::Nodes(nodes) => {
                let nodes = (nodes as f64 * share) as u64;
                (Budget::Nodes(nodes), Some(nodes))
            }
            Budget::Until(clock, until) => {
                let now = clock.now();
                (Budget::Until(clock, now + until.saturating_sub(now).mul_f64(share)), None)
            }
        }
    }
}

/// Ends a thought when its time is over.
struct Watch(Budget);

impl<G: Game> Observer<G> for Watch {
    fn poll(&mut self) -> ControlFlow<()> {
        match self.0 {
            Budget::Until(clock, until) if clock.now() >= until => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
