//! What does a search in progress hold, and which nodes need no search?

use super::limit_check::{LimitCheck, Stopped};
use super::node::Node;
use super::order::MoveOrder;
use super::params::Params;
use super::path::{NO_LAST_PLY, Path, Ruling};
use super::reduce::Reductions;
use super::table::TranspositionTable;
use super::{Limits, Observer, Searcher};
use crate::game::{Evaluator, Game, History, Knowledge};
use crate::score::{Ply, Score};

/// One search in progress.
pub(super) struct Search<'a, G: Game, E, T> {
    pub(super) evaluator: &'a E,
    pub(super) knowledge: &'a T,
    pub(super) params: &'a Params,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) order: &'a mut MoveOrder<G>,
    pub(super) limits: LimitCheck<'a, G>,
    pub(super) path: Path,
    pub(super) reductions: Reductions,
}

impl<'a, G: Game, E: Evaluator<G>, T: Knowledge<G>> Search<'a, G, E, T> {
    /// A search of the current position of a game, within limits that have [started](Limits::started).
    pub(super) fn new(
        searcher: &'a mut Searcher<G, E, T>,
        history: &History<G>,
        limits: Limits,
        observer: &'a mut dyn Observer<G>,
    ) -> Search<'a, G, E, T> {
        Search {
            evaluator: &searcher.evaluator,
            knowledge: &searcher.knowledge,
            params: &searcher.params,
            table: &mut searcher.table,
            order: &mut searcher.order,
            limits: LimitCheck::new(limits, observer),
            path: Path::of_search(history, limits.game_plies.map_or(NO_LAST_PLY, Ply)),
            reductions: Reductions::new(searcher.params.late_move_reduction),
        }
    }

    /// Counts a node, and makes it the end of the path.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node<G, E::State>) -> Result<(), Stopped> {
        self.path.enter(node);
        self.limits.count_node(|| self.table.grow_if_full())
    }

    /// The value of a node below the root that needs no search: the rules end the game there, or it is known what comes
    /// of it. Such a node has no entry in the transposition table.
    #[inline]
    pub(super) fn terminal_value(&self, node: &Node<G, E::State>) -> Option<Score> {
        match self.path.ruling(node) {
            Some(Ruling::Won) => Some(Score::win_in(node.ply)),
            Some(Ruling::Lost) => Some(Score::loss_in(node.ply)),
            Some(Ruling::Drawn | Ruling::Repeated) => Some(Score::DRAW),
            None => self.known_value(node),
        }
    }

    /// Endgame tables do not know how a position was reached, but who wins by them need not repeat any, since every turn
    /// brings the next zeroing one nearer. Of an end of the game at some ply they know nothing.
    #[inline]
    fn known_value(&self, node: &Node<G, E::State>) -> Option<Score> {
        if !self.path.is_endless() {
            return None;
        }
        Some(self.knowledge.probe(&node.position, node.counters.quiet_turns)?.score(node.ply))
    }
}
