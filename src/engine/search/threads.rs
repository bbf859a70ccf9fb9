//! Search by several threads, which share the transposition table ("lazy SMP").
//!
//! Each thread searches the same position, deeper each time. The helpers are a few plies ahead of the first thread, which
//! then finds their entries. Nothing else is shared, and no thread waits for another.
//!
//! Sources: the chess programs Toga and Stockfish (since version 7, 2016), where helpers leave out depths in a fixed
//! pattern.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::buckets::Buckets;
use super::deepen::{deepen, is_decided};
use super::limit_check::{FIRST_THREAD, LimitCheck, Member, Team};
use super::state::{Engine, Memory, Search};
use super::table::TableAccess;
use super::{Limits, Observer, Report};
use crate::game::{Evaluator, Game, History, Knowledge, Searched};
use crate::score::Depth;

/// Searches with the caller's thread and one for each further memory, within limits that have
/// [started](Limits::started).
pub(super) fn search_together<G: Searched, E: Evaluator<G>, T: Knowledge<G>>(
    engine: Engine<'_, E, T>,
    table: &Buckets,
    (memory, helpers): (&mut Memory<G>, &mut [Memory<G>]),
    history: &History<G>,
    limits: Limits,
    observer: &mut dyn Observer<G>,
) -> Report<G> {
    let together = Together { engine, table, history, limits, team: &Team::new(1 + helpers.len()) };
    thread::scope(|scope| {
        let together = &together;
        let help = |(number, memory)| {
            // Without a thread from the system, the others search alone.
            thread::Builder::new().spawn_scoped(scope, move || {
                let unlimited = Limits { time: None, nodes: None, ..limits };
                together.run(number, memory, LimitCheck::new(unlimited, &mut ()))
            })
        };
        let helping: Vec<_> = (1..).zip(helpers).flat_map(help).collect();
        let mut report = together.run(FIRST_THREAD, memory, LimitCheck::new(limits, observer));
        for helper in helping {
            let other = helper.join().unwrap_or_else(|panic| resume_unwind(panic));
            if rank(&other) > rank(&report) {
                report = other;
            }
        }
        report.nodes = together.team.nodes();
        report
    })
}

struct Together<'a, G: Game, E, T> {
    engine: Engine<'a, E, T>,
    table: &'a Buckets,
    history: &'a History<G>,
    limits: Limits,
    team: &'a Team,
}

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Together<'_, G, E, T> {
    /// Searches as the thread with this number, and then ends the search of the others.
    fn run<'a>(&'a self, number: usize, memory: &'a mut Memory<G>, limit_check: LimitCheck<'a, G>) -> Report<G> {
        let &Together { engine, table, history, limits, team } = self;
        let _end = EndsSearch(&team.is_over);
        let limit_check = limit_check.with_member(Member { team, number });
        let counted = if number == FIRST_THREAD { team.nodes.len() } else { 0 };
        let table = TableAccess::shared(table, counted);
        let search = Search::new(engine, table, memory, limit_check, (history, limits.game_plies));
        deepen(search, history, limits)
    }
}

/// Order of the threads' reports: one that no deeper search can change, then the deepest.
fn rank<G: Game>(report: &Report<G>) -> (bool, Depth) {
    (is_decided(report), report.depth)
}

/// Ends the search of all threads when one of them returns or panics.
struct EndsSearch<'a>(&'a AtomicBool);

impl Drop for EndsSearch<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::checkers::Position;
    use crate::evaluate::checkers::Evaluation;
    use crate::loa;
    use crate::score::Score;
    use crate::search::{POLL_NODES, Searcher};

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).expect("a thread")
    }

    fn searcher(count: usize) -> Searcher<Position, Evaluation> {
        Searcher::new(Evaluation::default()).with_table_limit(1 << 20).with_threads(threads(count))
    }

    #[test]
    fn every_limit_stops_all_threads() {
        for count in [2, 5] {
            let search = |limits| searcher(count).search(Position::start(), limits, &mut ());
            let report = search(Limits::depth(9));
            assert_eq!((report.depth, report.lines.len()), (Depth(9), 1));
            let begin = Instant::now();
            assert!(search(Limits::time(Duration::from_millis(20))).best.is_some());
            assert!(begin.elapsed() < Duration::from_secs(10));
            let report = search(Limits { nodes: Some(0), ..Limits::default() });
            assert!(report.best.is_some() && report.depth <= Depth(20), "{report:?}");
        }
    }

    #[test]
    fn the_nodes_of_all_threads_count() {
        for (count, nodes) in [(2, 50_000), (3, 200_000)] {
            let report = searcher(count).search(Position::start(), Limits::nodes(nodes), &mut ());
            // Under load a thread may stand still just before it tells its nodes.
            let least = nodes - POLL_NODES;
            assert!((least..nodes + 20 * count as u64 * POLL_NODES).contains(&report.nodes), "{report:?}");
        }
    }

    #[test]
    fn a_forced_win_ends_the_search_of_all_threads() {
        let position: Position = "W:WK10,K15:BK2".parse().expect("a position");
        let report = searcher(2).search(position, Limits::default(), &mut ());
        assert_eq!(report.score, Score::win_in(crate::score::Ply(3)));
        assert!(report.depth >= Depth(3));
    }

    #[test]
    fn the_memory_of_a_search_serves_the_next_with_another_number_of_threads() {
        let mut searcher = searcher(1);
        for count in [1, 3, 1, 2] {
            searcher.set_threads(threads(count));
            let report = searcher.search(Position::start(), Limits::depth(8), &mut ());
            assert_eq!(report.depth, Depth(8));
        }
    }

    #[test]
    fn a_panic_in_a_helper_reaches_the_caller() {
        let caller = thread::current().id();
        let evaluator = |_: &loa::Position<8>| {
            assert!(thread::current().id() == caller, "a helper");
            Score::DRAW
        };
        let mut searcher = Searcher::new(evaluator).with_table_limit(1 << 16).with_threads(threads(2));
        let search = AssertUnwindSafe(|| searcher.search(loa::Position::start(), Limits::default(), &mut ()));
        let panic = catch_unwind(search).expect_err("the helper's panic");
        assert_eq!(panic.downcast_ref(), Some(&"a helper"));
    }
}
