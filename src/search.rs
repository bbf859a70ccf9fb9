//! One search for every game: iterative deepening over a principal-variation search.
//!
//! It knows a game only by [`Game`], its value only by [`Evaluator`] and, near the end, by endgame
//! [`Tables`], and never prints: whoever wants to see it work, or to stop it, is its [`Observer`].
//!
//! | file | question it answers |
//! | --- | --- |
//! | `deepen` | how deep, from which window, until when |
//! | `alpha_beta` | what a node is worth |
//! | `quiescence` | what a node at the horizon is worth |
//! | `order` | which move first |
//! | `prune` | when not to look at all |
//! | `table`, `buckets` | what was known before |
//! | `path` | whether the game is drawn here by what came before |
//! | `run` | what a search in progress holds, what needs no search, and when it must stop |
//! | `proof` | whether one side has a forced win, however long |
//! | `params` | every number of the search, in one place |

mod alpha_beta;
mod buckets;
mod deepen;
mod order;
mod params;
mod path;
mod proof;
mod prune;
mod quiescence;
mod run;
mod table;
mod window;

use std::ops::ControlFlow;

pub use params::{Aspiration, FreeTurns, Futility, LateMoveReduction, NullMove, Params, ProbCut, Reuse, Switch};
pub use proof::{Proof, Prover};
pub use table::Table;

use crate::game::{Evaluator, Game, History, NoTables, Tables};
use crate::score::{Depth, Score};
use order::Order;

/// Where a search ends, apart from what its [`Observer`] says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The last iteration; `None`: the deepest that there is.
    pub depth: Option<Depth>,
    /// Nodes after which the search stops; `None`: no such bound.
    pub nodes: Option<u64>,
    /// The game is drawn after this many more plies, if nobody has won; `None`: it goes on.
    pub game_plies: Option<u16>,
}

/// What a search knows after an iteration.
#[derive(Clone, Debug)]
pub struct Report<G: Game> {
    /// The last iteration that was completed; zero before the first.
    pub depth: Depth,
    /// The value of the position for the side to move.
    pub score: Score,
    /// The best move and the expected play after it, from the transposition table; may be short.
    pub principal_variation: Vec<G::Move>,
    /// Positions visited so far.
    pub nodes: u64,
}

/// Watches a search, and may stop it.
pub trait Observer<G: Game> {
    /// Called every [`POLL_NODES`] nodes.
    fn poll(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after every iteration.
    fn iteration(&mut self, _report: &Report<G>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nodes between two calls of [`Observer::poll`]: a fraction of a millisecond.
pub const POLL_NODES: u64 = 1024;

/// No more plies than this below the root, extensions and quiescence included.
const MAX_PLY: usize = 200;

/// An observer that lets the search run to its limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<G: Game> Observer<G> for Unwatched {}

/// A search with its memory, which outlives single searches of one game.
///
/// With endgame tables a search ends at every position below its root that they answer, after the
/// rules have been asked: first come ends of the game, repetitions and the count of quiet turns. What
/// the tables say takes the place of the subtree, as an exact score with a distance (see
/// [`score`](crate::score)); a win found to its end is better than any of theirs. It stands until a
/// deeper search could find no nearer zeroing turn; then the search ends, as it does with a win found.
///
/// The root itself is searched, since a move is wanted. At a root that the tables hold, the move found
/// keeps what can be had; but of several that win it takes the one after which the next zeroing turn
/// is nearest, which may put one off that could be made at once. Who plays such positions out asks the
/// tables directly. They are not asked in games of limited length
/// ([`Limits::game_plies`]), of which they know nothing.
#[derive(Debug)]
pub struct Searcher<G: Game, E, T = NoTables> {
    evaluator: E,
    /// Endgame tables.
    endings: T,
    params: Params,
    table: Table,
    order: Order<G>,
}

impl<G: Game, E: Evaluator<G>> Searcher<G, E> {
    /// A search without experience and without endgame tables; `table` is its transposition table.
    pub fn new(evaluator: E, params: Params, table: Table) -> Searcher<G, E> {
        Searcher { evaluator, endings: NoTables, params, table, order: Order::new() }
    }

    /// The same search with endgame tables.
    pub fn with_tables<T: Tables<G>>(self, tables: T) -> Searcher<G, E, T> {
        let Searcher { evaluator, endings: NoTables, params, table, order } = self;
        Searcher { evaluator, endings: tables, params, table, order }
    }
}

impl<G: Game, E: Evaluator<G>, T: Tables<G>> Searcher<G, E, T> {
    /// Searches the current position of `history`, which must have a legal move.
    ///
    /// The answer has a best move, and a score from the deepest iteration that was completed, even
    /// if the search is stopped at once.
    pub fn search(&mut self, history: &History<G>, limits: Limits, observer: &mut impl Observer<G>) -> Report<G> {
        self.table.next_search();
        deepen::deepen(self, history, limits, observer)
    }
}
