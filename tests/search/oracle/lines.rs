//! The exact scores of several best moves.

use std::cmp::Reverse;
use std::num::NonZero;

use kingline::game::{History, NoKnowledge, Searched};
use kingline::score::Score;
use kingline::search::{Limits, Params, Searcher};

use super::histories::{checkers_histories, loa_histories};
use super::negamax::{Hashed, Oracle, moves};

const LINES: usize = 4;

/// Compares the lines of a search with the oracle's values of all moves. Returns the number of positions compared.
fn compare<G: Searched>(histories: &[History<G>], leaves: u64) -> usize {
    let mut compared = 0;
    for (history, forced_move_extension) in histories.iter().zip([true, false].into_iter().cycle()) {
        let (position, quiet) = (history.position(), history.quiet_turns());
        let list = moves(&position);
        let depth = (2..=6).rev().find(|&depth| (list.len() as u64).pow(depth) <= leaves).unwrap_or(1) as i16;
        let (game, last_ply) = (history.positions(), u16::MAX);
        let mut oracle =
            Oracle { game, tables: &NoKnowledge, forced_move_extension, last_ply, by_path: false, by_table: false };
        let values = oracle.values(position, quiet, depth);
        if oracle.by_path || list.len() < 2 {
            continue;
        }
        let params = Params { forced_move_extension, ..Params::exact() };
        // Every other search by two threads.
        let threads = NonZero::new(1 + compared % 2).expect("a thread");
        let searcher = Searcher::new(Hashed).with_params(params).with_table_limit(1 << 20);
        let report = searcher.with_threads(threads).search(history, Limits::depth(depth).lines(LINES), &mut ());
        let context = format!("depth {depth}, {position}, {quiet} quiet turns, {threads} threads");

        let mut best = values.clone();
        best.sort_by_key(|&score| Reverse(score));
        best.truncate(LINES);
        let scores: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
        assert_eq!(scores, best, "{context}");
        let firsts: Vec<G::Move> = report.lines.iter().map(|line| line.moves[0]).collect();
        for (first, score) in firsts.iter().zip(scores) {
            let place = list.iter().position(|mv| mv == first).expect("a legal move");
            assert_eq!(values[place], score, "{context}");
        }
        assert!((1..firsts.len()).all(|place| !firsts[..place].contains(&firsts[place])), "{context}");
        assert_eq!((report.best, report.score), (Some(firsts[0]), best[0]), "{context}");
        compared += 1;
    }
    compared
}

#[test]
fn four_lines_have_the_values_of_negamax() {
    let compared = [
        compare(&checkers_histories(1000), 4_000),
        compare(&loa_histories::<8>(1500), 100_000),
        compare(&loa_histories::<6>(900), 100_000),
    ];
    println!("{compared:?}");
    assert!(compared.iter().all(|&number| number >= 250) && compared.iter().sum::<usize>() >= 1000, "{compared:?}");
}
