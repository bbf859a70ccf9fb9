//! The signature: node counts of fixed sets of positions at fixed depths, by game. It changes only in a commit that
//! intentionally changes the search or an evaluation, and that commit updates src/engine/search/signature.txt.

use kingline::evaluate;
use kingline::game::{Evaluator, History, Rules, Searched};
use kingline::search::{Limits, SIGNATURE, Searcher};

use crate::support::moves;

/// Returns the nodes of all positions with more than one legal move.
fn nodes<G: Searched, E: Evaluator<G> + Clone>(positions: impl Iterator<Item = G>, evaluator: &E, depth: i16) -> u64 {
    let search = |position: G| {
        let list = position.legal_moves();
        let mut searcher = Searcher::new(evaluator.clone()).with_table_limit(1 << 22);
        if list.len() > 1 {
            searcher.search(History::new(position).under(Rules::Course), Limits::depth(depth), &mut ()).nodes
        } else {
            0
        }
    };
    positions.map(search).sum()
}

fn loa_nodes<const N: usize>(depth: i16) -> u64 {
    let positions = moves::loa_lines::<N>().map(|(position, _)| position).step_by(12);
    nodes(positions, &evaluate::loa::Evaluation::default(), depth)
}

#[test]
fn the_node_counts_match_the_signature() {
    let positions = moves::lines().map(|(position, _)| position).step_by(12);
    let checkers = nodes(positions, &evaluate::checkers::Evaluation::default(), 11);
    let found = format!("checkers {checkers}\nloa {}\nloa6 {}\n", loa_nodes::<8>(7), loa_nodes::<6>(8));
    println!("node signature\n{found}");
    assert_eq!(found, SIGNATURE, "the search or an evaluation has changed");
}
