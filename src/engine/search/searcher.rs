use std::num::NonZero;
use std::ops::ControlFlow;

use super::buckets::Buckets;
use super::deepen::deepen;
use super::limit_check::LimitCheck;
use super::params::{Params, TABLE_BYTES};
use super::state::{Engine, Memory, Search};
use super::table::TableAccess;
use super::threads::search_together;
use super::{Limits, Observer, Report};
use crate::game::{Evaluator, Game, History, Knowledge, NoKnowledge, Searched};

/// A search with its memory, which several searches of one game share.
///
/// With [`Knowledge`] (endgame tables) the search ends at every position below its root whose value is known. The rules
/// come first: the end of the game, repetitions and the count of quiet turns. The known value replaces the subtree, as
/// an exact score with a distance (see [`score`](crate::score)); a win proved to the end of the game ranks above it.
/// The search continues until no deeper one could find a nearer zeroing turn, and then stops, as it does after a proved
/// win.
///
/// The root itself is always searched, because the caller wants a move. If its value is known as well, the best move
/// preserves it. Among several winning moves the search prefers the one after which the next zeroing turn is nearest,
/// which may postpone a zeroing turn that is possible at once. To play such positions out, probe the tables directly.
/// In games of limited length ([`Limits::game_plies`]) the tables are not probed, because they ignore the limit.
#[derive(Debug)]
pub struct Searcher<G: Game, E, T = NoKnowledge> {
    evaluator: E,
    knowledge: T,
    params: Params,
    table: Buckets,
    memory: Memory<G>,
    helpers: Vec<Memory<G>>,
}

impl<G: Searched, E: Evaluator<G>> Searcher<G, E> {
    /// Creates a search with the parameters for its game ([`Params::of_game`]), a transposition table of at most 64
    /// MiB, one thread and no endgame knowledge.
    pub fn new(evaluator: E) -> Searcher<G, E> {
        let (params, table) = (Params::of_game::<G>(), Buckets::with_limit(TABLE_BYTES));
        Searcher { evaluator, knowledge: NoKnowledge, params, table, memory: Memory::new(), helpers: Vec::new() }
    }
}

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Searcher<G, E, T> {
    /// Replaces the parameters.
    #[must_use]
    pub fn with_params(self, params: Params) -> Searcher<G, E, T> {
        Searcher { params, ..self }
    }

    /// Replaces the transposition table with an empty one, which starts small, grows as it fills, and never takes more
    /// than `bytes` bytes (at least 64).
    #[must_use]
    pub fn with_table_limit(self, bytes: usize) -> Searcher<G, E, T> {
        Searcher { table: Buckets::with_limit(bytes), ..self }
    }

    /// Uses this number of threads, for searches limited by time: two threads reach a depth in about two thirds of the
    /// wall time. The threads share the transposition table, whose memory is taken whole at the first search and used as
    /// it fills. They search independently, to different depths, and profit from each other's entries, so that no two
    /// searches are equal.
    ///
    /// The first thread is the caller's, and alone reports to the [`Observer`]. The report at the end is that of the
    /// thread that has come deepest. Its nodes, and the limit on nodes, count all threads; the limit may be exceeded by
    /// [`POLL_NODES`](super::POLL_NODES) nodes for each.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZero<usize>) -> Searcher<G, E, T> {
        self.set_threads(threads);
        self
    }

    /// Changes the number of threads; see [`with_threads`](Self::with_threads).
    pub fn set_threads(&mut self, threads: NonZero<usize>) {
        self.helpers.resize_with(threads.get() - 1, Memory::new);
    }

    /// Replaces the knowledge, for example with endgame tables.
    pub fn with_knowledge<U: Knowledge<G>>(self, knowledge: U) -> Searcher<G, E, U> {
        let Searcher { evaluator, knowledge: _, params, table, memory, helpers } = self;
        Searcher { evaluator, knowledge, params, table, memory, helpers }
    }

    /// Reserves address space for the whole transposition table, if there is enough. The table then need not move when it
    /// grows, so that even then a search can be stopped within milliseconds.
    #[must_use]
    pub fn with_table_reserved(mut self) -> Searcher<G, E, T> {
        self.table.reserve();
        self
    }

    /// Searches a position, or the current one of a [`History`].
    ///
    /// However early the search is stopped, the report has a best move if there is a legal one.
    pub fn search(
        &mut self,
        from: impl Into<History<G>>,
        limits: Limits,
        observer: &mut impl Observer<G>,
    ) -> Report<G> {
        let (history, limits) = (from.into(), limits.started());
        if self.helpers.is_empty() {
            return deepen(self.prepared(&history, limits, observer), &history, limits);
        }
        self.table.next_generation();
        let mut flow = ControlFlow::Continue(());
        self.table.make_room(&mut || {
            flow = observer.poll();
            flow.is_continue()
        });
        let limits = if flow.is_break() { Limits { nodes: Some(0), ..limits } } else { limits };
        let Searcher { evaluator, knowledge, params, table, memory, helpers } = self;
        let engine = Engine { evaluator, knowledge, params };
        search_together(engine, table, (memory, helpers), &history, limits, observer)
    }

    /// Prepares a search by one thread of the current position of a game, within limits that have
    /// [started](Limits::started).
    pub(super) fn prepared<'a>(
        &'a mut self,
        history: &History<G>,
        limits: Limits,
        observer: &'a mut dyn Observer<G>,
    ) -> Search<'a, G, E, T> {
        self.table.next_generation();
        let Searcher { evaluator, knowledge, params, table, memory, .. } = self;
        let (engine, limit_check) = (Engine { evaluator, knowledge, params }, LimitCheck::new(limits, observer));
        Search::new(engine, TableAccess::Alone(table), memory, limit_check, (history, limits.game_plies))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::checkers::Position;
    use crate::evaluate::checkers::Evaluation;
    use crate::score::{Depth, Score};
    use crate::search::TimeLimit;

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
        assert_eq!(search(Limits::depth(3)).depth, Depth(3));
        assert_eq!(search(Limits::nodes(5000)).nodes, 5000);
        for limits in [Limits::time(Duration::from_millis(20)), Limits::cpu_time(Duration::from_millis(20))] {
            let begin = Instant::now();
            let report = search(limits);
            assert!(report.depth.0 >= 3 && begin.elapsed() < Duration::from_secs(10), "{report:?}");
        }
    }

    #[test]
    fn a_search_stopped_at_once_returns_a_legal_move() {
        for limits in [Limits::time(Duration::ZERO), Limits::nodes(0), Limits::depth(0)] {
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
        let limits = Limits::depth(6);
        let [one, other] = [searcher().search(position, limits, &mut ()), searcher().search(&history, limits, &mut ())];
        assert_eq!((one.nodes, one.score, one.best), (other.nodes, other.score, other.best));
        let kings = |position: &Position| {
            let kings = |color| position.kings(color) as i32;
            Score::estimate(100 * (kings(position.turn()) - kings(!position.turn())))
        };
        let report = Searcher::new(kings).search(position, limits, &mut ());
        assert_eq!(report.score, Score::estimate(100));
    }

    /// Allows 30 ms of CPU time more after each iteration.
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
