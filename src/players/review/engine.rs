//! A name of the engine that changes when its reviews do.

use std::ops::ControlFlow;

use super::game::Reviewed;
use kingline::search::{Limits, Report, Searcher};

/// Nodes after which the search of the start ends, with the iteration that reaches them: a few milliseconds.
const NODES: u64 = 20_000;

/// Version of the engine, with the number of nodes and the score of a short search: `0.1.0 (23456 nodes, +0.04)`. Another
/// evaluation or search gives other numbers.
pub fn engine<G: Reviewed>() -> String {
    let mut enough = |report: &Report<G>| match report.nodes {
        0..NODES => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let mut searcher = Searcher::new(G::Evaluation::default()).with_table_limit(1 << 20);
    let report = searcher.search(G::start(), Limits::default(), &mut enough);
    format!("{} ({} nodes, {})", env!("CARGO_PKG_VERSION"), report.nodes, report.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::checkers;
    use kingline::loa;

    #[test]
    fn each_game_has_a_name_of_its_own_that_stays() {
        let names = || [engine::<checkers::Position>(), engine::<loa::Position<8>>(), engine::<loa::Position<6>>()];
        let [checkers, loa, loa6] = names();
        assert_ne!(checkers, loa);
        assert_ne!(loa, loa6);
        assert_eq!([checkers, loa, loa6], names());
    }
}
