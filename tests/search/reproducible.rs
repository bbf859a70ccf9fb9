//! The same input gives the same output: nodes, scores, lines and bytes.

use kingline::checkers::Position;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Game, History};
use kingline::search::{Limits, Report, Searcher};

const POSITIONS: [&str; 4] = [
    "B:W21-32:B1-12",
    "W:W18,20,21,23,24,25,27,28,31,32:B1,3,4,5,7,8,9,12,14",
    "B:WK4,20,28:BK15,9,10",
    "W:WK30,K23:BK1",
];

fn search(history: &History<Position>, searcher: &mut Searcher<Position, Evaluation>) -> Report<Position> {
    searcher.search(history, Limits::nodes(100_000), &mut ())
}

fn fresh() -> Searcher<Position, Evaluation> {
    Searcher::new(Evaluation::default()).with_table_limit(8 << 20)
}

#[track_caller]
fn assert_equal(one: &Report<Position>, other: &Report<Position>) {
    assert_eq!((one.nodes, one.depth, one.score), (other.nodes, other.depth, other.score));
    assert_eq!(one.best, one.principal_variation.first().copied());
    assert_eq!(one.principal_variation, other.principal_variation);
}

#[test]
fn equal_searches_visit_equal_nodes() {
    for text in POSITIONS {
        let history = History::new(text.parse().expect("a position"));
        assert_equal(&search(&history, &mut fresh()), &search(&history, &mut fresh()));
    }
}

#[test]
fn a_used_searcher_is_as_reproducible_as_a_fresh_one() {
    let game = || -> Vec<Report<Position>> {
        let mut searcher = fresh();
        let mut history = History::new(Position::start());
        (0..8)
            .map(|_| {
                let report = search(&history, &mut searcher);
                history.play(report.best.expect("a legal move"));
                report
            })
            .collect()
    };
    for (one, other) in game().iter().zip(&game()) {
        assert_equal(one, other);
    }
}
