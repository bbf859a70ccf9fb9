//! Moves that deep searches prefer.
//!
//! Short searches misjudge the moves of positions near the start, and equal costs would spread the work over many of
//! them. So a position on which much was spent is searched again, with a share of that, and the work goes on with the
//! move found until its expected cost has grown by the factor [`PATIENCE`].

use kingline::game::Canonical;

use super::{PATIENCE, Tree};
use crate::solve::node::{Preferred, expected_cost};

/// Most times that a move may cost what its score suggests and still be preferred: beyond, the tree knows better.
const DOUBT: f64 = 50.0;
/// Least expected cost that a score can promise.
const LEAST: f64 = 0.01;

impl<G: Canonical> Tree<'_, G> {
    /// Counts nodes that were visited for a position of the tree.
    pub(super) fn count(&mut self, id: usize, nodes: u64) {
        let mut next = Some(id);
        while let Some(id) = next {
            self.nodes[id].spent += nodes;
            next = self.nodes[id].parent;
        }
    }

    /// Ends a deep search of a winner's node, which found this form after the best move and this score.
    pub(super) fn prefer(&mut self, id: usize, best: Option<(u128, i16)>) {
        self.nodes[id].deep.is_running = false;
        self.nodes[id].deep.preferred = None;
        let Some((form, score)) = best.filter(|_| !self.nodes[id].is_decided()) else { return };
        self.take_scored(id);
        let mut children = self.nodes[id].children.iter().copied();
        let Some(child) = children.find(|&child| self.nodes[child].form == form) else { return };
        let (cost, by_score) = (self.cost(child), expected_cost(score).max(LEAST));
        if cost > 0.0 && cost <= DOUBT * by_score {
            self.nodes[id].deep.preferred = Some(Preferred { child, cost, factor: by_score / cost });
        }
    }

    /// Returns the move that the last deep search of a winner's node prefers, unless its cost has grown too much.
    pub(super) fn preferred(&self, id: usize) -> Option<Preferred> {
        let is_good = |preferred: &Preferred| self.cost(preferred.child) <= PATIENCE * preferred.cost;
        self.nodes[id].deep.preferred.filter(is_good)
    }
}

#[cfg(test)]
mod tests {
    use kingline::game::Game;
    use kingline::loa::Position;

    use super::*;
    use crate::solve::fact::Fact;
    use crate::solve::node::Whose;
    use crate::solve::store::Store;

    /// A tree from the start, and the nodes after a move with the score 40 and after one with the score 0.
    fn with_tree(check: impl FnOnce(&mut Tree<'_, Position<6>>, [usize; 2])) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open::<Position<6>>(&folder.path().join("store")).unwrap();
        let start = Position::start();
        let forms = ["b1-b3", "c1-a3"].map(|mv| start.play(start.parse_move(mv).unwrap()).form());
        store.add(forms[0], Fact::Score(40));
        store.add(forms[1], Fact::Score(0));
        let mut tree = Tree::new(&store, &start, Whose::Winner);
        assert!(tree.take_scored(0));
        let nodes = forms.map(|form| tree.nodes.iter().rposition(|node| node.form == form).unwrap());
        check(&mut tree, nodes);
    }

    #[test]
    fn a_preferred_move_is_tried_until_its_cost_has_grown_too_much() {
        with_tree(|tree, [better, worse]| {
            assert_eq!(tree.best_child(0), Some((better, expected_cost(40))));
            tree.prefer(0, Some((tree.nodes[worse].form, 80)));
            assert_eq!(tree.best_child(0), Some((worse, expected_cost(80))));
            tree.nodes[worse].cost *= 2.0;
            assert_eq!(tree.best_child(0), Some((worse, 2.0 * expected_cost(80))));
            tree.nodes[worse].cost *= 2.0;
            assert_eq!(tree.best_child(0), Some((better, expected_cost(40))));
        });
    }

    #[test]
    fn a_move_that_the_tree_knows_to_be_hard_is_not_preferred() {
        with_tree(|tree, [better, worse]| {
            tree.nodes[worse].cost = 1e6;
            tree.prefer(0, Some((tree.nodes[worse].form, 80)));
            assert_eq!(tree.best_child(0).map(|(child, _)| child), Some(better));
            tree.prefer(0, None);
            assert_eq!(tree.best_child(0).map(|(child, _)| child), Some(better));
        });
    }

    #[test]
    fn a_deep_search_is_due_when_four_times_as_much_was_spent() {
        with_tree(|tree, [better, _]| {
            tree.count(better, 63_999_999);
            assert_eq!(tree.nodes[0].begin_deep_search(), None);
            tree.count(better, 1);
            assert_eq!((tree.nodes[better].spent, tree.nodes[0].begin_deep_search()), (64_000_000, Some(4_000_000)));
            tree.count(better, 200_000_000);
            assert_eq!(tree.nodes[0].begin_deep_search(), None, "it is running");
            tree.prefer(0, None);
            assert_eq!(tree.nodes[0].begin_deep_search(), Some(16_500_000));
            tree.prefer(0, None);
            tree.count(0, 10_000_000_000);
            assert_eq!(tree.nodes[0].begin_deep_search(), Some(60_000_000));
        });
    }
}
