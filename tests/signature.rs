//! The signature: the nodes of a fixed set of positions at a fixed depth. It changes only with a
//! commit that means to change the search or the evaluation; that commit writes the new number
//! into tests/signature.txt.

use kingline::checkers::HandWritten;
use kingline::game::{Game, History, MoveList};
use kingline::score::Depth;
use kingline::search::{Limits, Params, Searcher, Table, Unwatched};

use crate::rules;

const DEPTH: Depth = Depth(11);

#[test]
fn the_search_visits_as_many_nodes_as_written() {
    let written = include_str!("signature.txt").trim();
    let mut nodes = 0;
    for (position, _) in rules::lines().step_by(12) {
        let mut list = MoveList::new();
        position.moves(&mut list);
        if list.len() > 1 {
            let mut searcher = Searcher::new(HandWritten, Params::default(), Table::with_limit(1 << 22));
            let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
            nodes += searcher.search(&History::new(position), limits, &mut Unwatched).nodes;
        }
    }
    println!("node signature {nodes}");
    assert_eq!(nodes.to_string(), written, "the search or the evaluation has changed");
}
