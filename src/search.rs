//! One search for every game: iterative deepening over a principal-variation search.
//!
//! It knows a game only by [`Game`], its value only by [`Evaluator`] and, near the end, by endgame
//! [`Knowledge`], and never prints: whoever wants to see it work, or to stop it, is its [`Observer`].
//!
//! | file | question it answers |
//! | --- | --- |
//! | `deepen` | how deep, from which window, until when |
//! | `alpha_beta` | what a node is worth |
//! | `quiescence` | what a node at the horizon is worth |
//! | `order` | which move first |
//! | `prune` | which nodes to cut unsearched |
//! | `reduce` | how many plies less for a late move |
//! | `window` | which scores still matter |
//! | `node` | what a position on its way is |
//! | `path` | what the rules say of a node, given the way to it, and its key |
//! | `table`, `buckets` | what was known before |
//! | `limits` | how long a search may take |
//! | `limit_check` | whether a running search must stop |
//! | `state` | what a search in progress holds, and which nodes need no search |
//! | `proof` | whether one side has a forced win, however long |
//! | `params` | every number of the search, in one place |

mod alpha_beta;
mod buckets;
mod deepen;
mod limit_check;
mod limits;
mod node;
mod order;
mod params;
mod path;
mod proof;
mod prune;
mod quiescence;
mod reduce;
mod state;
mod table;
mod window;

use std::ops::ControlFlow;

pub use limits::{Limits, TimeLimit};
pub use params::{Aspiration, Futility, LateMoveReduction, NullMove, POLL_NODES, Params, ProbCut, Reuse};
pub use proof::{Expectation, Proof, Prover};

use crate::game::{Evaluator, Game, History, Knowledge, NoKnowledge};
use crate::score::{Depth, Score};
use order::MoveOrder;
use params::TABLE_BYTES;
use table::TranspositionTable;

/// What a search knows after an iteration.
#[derive(Clone, Debug)]
pub struct Report<G: Game> {
    /// The move to make: legal, and none only where there is no legal one.
    pub best: Option<G::Move>,
    /// The last iteration that was completed; zero before the first.
    pub depth: Depth,
    /// The value of the position for the side to move, from the last iteration that was completed; before the first,
    /// that of the evaluation.
    pub score: Score,
    /// The best move and the expected play after it, from the transposition table; may be short.
    pub principal_variation: Vec<G::Move>,
    /// Positions visited so far.
    pub nodes: u64,
}

/// Watches a search, and may stop it.
///
/// `()` lets it run to its limits; a closure sees each iteration, `|report: &Report<_>| ...`.
pub trait Observer<G: Game> {
    /// Called every [`POLL_NODES`] nodes.
    fn poll(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Called after every iteration.
    fn iteration(&mut self, _report: &Report<G>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Asked after every iteration: a limit that takes the place of the one that the search was given, where what it
    /// found is worth less time or more. Durations in it count from now on.
    fn time_limit(&self) -> Option<TimeLimit> {
        None
    }
}

/// Lets the search run to its limits.
impl<G: Game> Observer<G> for () {}

/// Sees each iteration, and may stop the search there.
impl<G: Game, F: FnMut(&Report<G>) -> ControlFlow<()>> Observer<G> for F {
    fn iteration(&mut self, report: &Report<G>) -> ControlFlow<()> {
        self(report)
    }
}

/// A search with its memory, which outlives single searches of one game.
///
/// With [`Knowledge`] (endgame tables) a search ends at every position below its root that it answers, after the rules:
/// the end of the game, repetitions and the count of quiet turns come first. The answer takes the place of the subtree,
/// as an exact score with a distance (see [`score`](crate::score)); a win proved to the end of the game is better than
/// any such. The search goes on until no deeper one could find a nearer zeroing turn, and stops then as it does with a
/// win that is proved.
///
/// The root itself is searched, since a move is wanted. If it is known too, the move keeps its result; but of several
/// that win it takes the one after which the next zeroing turn is nearest, which may put off one that could be made at
/// once. To play such positions out, probe the tables directly. In games of limited length ([`Limits::game_plies`])
/// they are not probed, since they know nothing of it.
#[derive(Debug)]
pub struct Searcher<G: Game, E, T = NoKnowledge> {
    evaluator: E,
    knowledge: T,
    params: Params,
    table: TranspositionTable,
    order: MoveOrder<G>,
}

impl<G: Game, E: Evaluator<G>> Searcher<G, E> {
    /// A search without experience, with the numbers that suit the game ([`Params::of_game`]), a transposition table of
    /// at most 64 MiB, and no knowledge of endings.
    pub fn new(evaluator: E) -> Searcher<G, E> {
        let (params, table) = (Params::of_game::<G>(), TranspositionTable::with_limit(TABLE_BYTES));
        Searcher { evaluator, knowledge: NoKnowledge, params, table, order: MoveOrder::new() }
    }
}

impl<G: Game, E: Evaluator<G>, T: Knowledge<G>> Searcher<G, E, T> {
    /// The same search with other numbers.
    #[must_use]
    pub fn with_params(self, params: Params) -> Searcher<G, E, T> {
        Searcher { params, ..self }
    }

    /// The same search with a new transposition table, which starts small, grows as it fills, and never takes more than
    /// `bytes` bytes, or 64 if that is more.
    #[must_use]
    pub fn with_table_limit(self, bytes: usize) -> Searcher<G, E, T> {
        Searcher { table: TranspositionTable::with_limit(bytes), ..self }
    }

    /// The same search with this knowledge, as of endgame tables, in place of what it had.
    pub fn with_knowledge<U: Knowledge<G>>(self, knowledge: U) -> Searcher<G, E, U> {
        let Searcher { evaluator, knowledge: _, params, table, order } = self;
        Searcher { evaluator, knowledge, params, table, order }
    }

    /// Searches a position, or the current one of a [`History`].
    ///
    /// However soon the search is stopped, the answer has a best move where there is a legal one.
    pub fn search(
        &mut self,
        from: impl Into<History<G>>,
        limits: Limits,
        observer: &mut impl Observer<G>,
    ) -> Report<G> {
        self.table.next_search();
        deepen::deepen(self, &from.into(), limits.started(), observer)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::checkers::Position;
    use crate::evaluate::checkers::Evaluation;

    fn searcher() -> Searcher<Position, Evaluation> {
        Searcher::new(Evaluation::default()).with_table_limit(1 << 20)
    }

    #[test]
    fn a_closure_observes_each_iteration_and_can_stop_the_search() {
        let mut depths = Vec::new();
        let mut watch = |report: &Report<Position>| {
            depths.push(report.depth.0);
            if report.depth < Depth(4) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let report = searcher().search(Position::start(), Limits::default(), &mut watch);
        assert_eq!((report.depth, depths), (Depth(4), vec![1, 2, 3, 4]));
        assert_eq!(report.best, report.principal_variation.first().copied());
    }

    #[test]
    fn every_limit_stops_the_search() {
        let search = |limits| searcher().search(Position::start(), limits, &mut ());
        assert_eq!(search(Limits::depth(Depth(3))).depth, Depth(3));
        assert_eq!(search(Limits::nodes(5000)).nodes, 5000);
        for limits in [Limits::time(Duration::from_millis(20)), Limits::cpu_time(Duration::from_millis(20))] {
            let begin = Instant::now();
            let report = search(limits);
            assert!(report.depth.0 >= 3 && begin.elapsed() < Duration::from_secs(10), "{report:?}");
        }
    }

    #[test]
    fn a_search_stopped_at_once_returns_a_legal_move() {
        for limits in [Limits::time(Duration::ZERO), Limits::nodes(0), Limits::depth(Depth::ZERO)] {
            let report = searcher().search(Position::start(), limits, &mut ());
            assert!(report.best.is_some_and(|best| Position::start().legal_moves().contains(&best)), "{limits:?}");
        }
        let lost: Position = "B:W18:B".parse().unwrap();
        assert_eq!(searcher().search(lost, Limits::default(), &mut ()).best, None);
    }

    #[test]
    fn a_position_and_its_history_give_equal_searches_and_closures_are_evaluators() {
        let position: Position = "W:W21,22,K30:B1,2,11".parse().unwrap();
        let history = History::from(position);
        let limits = Limits::depth(Depth(6));
        let [one, other] = [searcher().search(position, limits, &mut ()), searcher().search(&history, limits, &mut ())];
        assert_eq!((one.nodes, one.score, one.best), (other.nodes, other.score, other.best));
        let kings = |position: &Position| {
            let kings = |color| position.kings(color) as i32;
            Score::estimate(100 * (kings(position.turn()) - kings(!position.turn())))
        };
        let report = Searcher::new(kings).search(position, limits, &mut ());
        assert_eq!(report.score, Score::estimate(100));
    }

    /// Doubles its time after the first iteration.
    struct Patient(Option<TimeLimit>);

    impl Observer<Position> for Patient {
        fn iteration(&mut self, _: &Report<Position>) -> ControlFlow<()> {
            self.0 = Some(TimeLimit::Cpu(Duration::from_millis(30)));
            ControlFlow::Continue(())
        }
        fn time_limit(&self) -> Option<TimeLimit> {
            self.0
        }
    }

    #[test]
    fn an_observer_may_change_the_time() {
        let mut observer = Patient(None);
        let report = searcher().search(Position::start(), Limits::time(Duration::from_secs(3600)), &mut observer);
        assert!(report.depth.0 >= 3 && observer.0.is_some());
    }
}
