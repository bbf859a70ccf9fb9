use super::limit_check::{LimitCheck, Stopped};
use super::order::{MoveOrder, Reductions};
use super::params::Params;
use super::path::{NO_LAST_PLY, Node, Path, Ruling};
use super::table::{Evaluations, TableAccess};
use crate::game::{Evaluator, Game, History, Knowledge, Searched};
use crate::score::{Ply, Score};

/// The parts of a search that never change. All its threads share them.
pub(super) struct Engine<'a, E, T> {
    pub(super) evaluator: &'a E,
    pub(super) knowledge: &'a T,
    pub(super) params: &'a Params,
}

impl<E, T> Copy for Engine<'_, E, T> {}
impl<E, T> Clone for Engine<'_, E, T> {
    fn clone(&self) -> Self {
        *self
    }
}

/// Memory of one thread, which several searches share.
#[derive(Debug)]
pub(super) struct Memory<G: Game> {
    evaluations: Evaluations,
    order: MoveOrder<G>,
}

impl<G: Searched> Memory<G> {
    pub(super) fn new() -> Memory<G> {
        Memory { evaluations: Evaluations::new(), order: MoveOrder::new() }
    }
}

/// One search in progress, or one thread's part of it.
pub(super) struct Search<'a, G: Game, E, T> {
    pub(super) evaluator: &'a E,
    pub(super) knowledge: &'a T,
    pub(super) params: &'a Params,
    pub(super) table: TableAccess<'a>,
    pub(super) evaluations: &'a mut Evaluations,
    pub(super) order: &'a mut MoveOrder<G>,
    pub(super) limits: LimitCheck<'a, G>,
    pub(super) path: Path,
    pub(super) reductions: Reductions,
}

impl<'a, G: Searched, E, T> Search<'a, G, E, T> {
    /// Prepares a search of the current position of a game, which is drawn after `game_plies` more plies if there are so
    /// many.
    pub(super) fn new(
        Engine { evaluator, knowledge, params }: Engine<'a, E, T>,
        table: TableAccess<'a>,
        memory: &'a mut Memory<G>,
        limits: LimitCheck<'a, G>,
        (history, game_plies): (&History<G>, Option<u16>),
    ) -> Search<'a, G, E, T> {
        let Memory { evaluations, order } = memory;
        let path = Path::of_search(history, game_plies.map_or(NO_LAST_PLY, Ply));
        let reductions = Reductions(params.late_move_reduction);
        Search { evaluator, knowledge, params, table, evaluations, order, limits, path, reductions }
    }
}

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Counts a node and makes it the end of the path.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node<G, E::State>) -> Result<(), Stopped> {
        self.path.enter(node);
        self.limits.count_node(|left, goes_on| self.table.grow_if_full(left, goes_on))
    }

    #[inline]
    pub(super) fn evaluate(&mut self, node: &Node<G, E::State>) -> Score {
        if !E::IS_COSTLY {
            return node.evaluate(self.evaluator);
        }
        self.evaluations.get(node.position.key(), || node.evaluate(self.evaluator))
    }

    /// Value of a node below the root that needs no search: the rules end the game there, or its value is known. Such a
    /// node has no entry in the transposition table.
    #[inline]
    pub(super) fn terminal_value(&self, node: &Node<G, E::State>) -> Option<Score> {
        match self.path.ruling(node) {
            Some(Ruling::Won) => Some(Score::win_in(node.ply)),
            Some(Ruling::Lost) => Some(Score::loss_in(node.ply)),
            Some(Ruling::Drawn | Ruling::Repeated) => Some(Score::DRAW),
            None => self.known_value(node),
        }
    }

    /// Value of a node from the endgame tables. They ignore how a position was reached, but the winner never has to
    /// repeat one, because each of its turns brings the next zeroing turn nearer. They also ignore any limit on the
    /// game's length, so they are not used if there is one.
    #[inline]
    fn known_value(&self, node: &Node<G, E::State>) -> Option<Score> {
        if !self.path.is_endless() {
            return None;
        }
        Some(self.knowledge.probe(&node.position, node.counters.quiet_turns, self.path.rules())?.score(node.ply))
    }
}
