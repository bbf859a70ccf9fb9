//! The automatic player of Lines of Action: a search within a budget of time or of nodes.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::clock::Clock;
use crate::game::{Game, History};
use crate::loa::{HandWritten, Move, Position};
use crate::score::Depth;
use crate::search::{Futility, Limits, Observer, Params, Report, Searcher, Table};

/// What a move may cost.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// Positions visited: equal games on any machine and under any load.
    Nodes(u64),
    /// Until this clock shows this time.
    Until(Clock, Duration),
}

/// A player with its memory, for one game or several.
#[derive(Debug)]
pub struct Player<const N: usize> {
    searcher: Searcher<Position<N>, HandWritten<N>>,
}

/// A move, and what the search thought of it.
#[derive(Clone, Debug)]
pub struct Choice<const N: usize> {
    /// The move to make; legal.
    pub mv: Move,
    /// The search behind it; its nodes are those of all that was tried.
    pub report: Report<Position<N>>,
}

impl<const N: usize> Player<N> {
    /// A player without experience, whose tables take at most `bytes` bytes. Players with different
    /// `variety` play different games.
    pub fn new(variety: u64, bytes: usize) -> Player<N> {
        Player::with_params(params(), variety, bytes)
    }

    /// Likewise, with other numbers for the search.
    pub fn with_params(params: Params, variety: u64, bytes: usize) -> Player<N> {
        Player { searcher: Searcher::new(HandWritten::with_variety(variety), params, Table::with_limit(bytes)) }
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
        let nodes = match budget {
            Budget::Nodes(nodes) => Some(nodes),
            Budget::Until(..) => None,
        };
        let limits = Limits { depth: None, nodes, game_plies };
        let report = self.searcher.search(history, limits, &mut Watch(budget));
        let mv = *report.principal_variation.first()?;
        Some(Choice { mv, report })
    }
}

/// The numbers of the search for this game.
pub fn params() -> Params {
    Params { futility: Some(Futility { to_depth: Depth(3), margin: 45 }), ..Params::default() }
}

/// Ends a search when its time is over.
struct Watch(Budget);

impl<G: Game> Observer<G> for Watch {
    fn poll(&mut self) -> ControlFlow<()> {
        match self.0 {
            Budget::Until(clock, until) if clock.now() >= until => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
