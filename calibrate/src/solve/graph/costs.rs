//! Costs, from the leaves up to the start, and the facts that follow.

use std::collections::BinaryHeap;

use kingline::game::Canonical;

use super::{Graph, HOLDER};
use crate::solve::node::{Aim, State};
use crate::solve::store::Fact;

/// Expected difficulty of a proof, in hundredths of the evaluation's unit: the score for the attacker.
pub(super) type Cost = i32;

/// Cost of positions from which the attacker can reach no leaf.
pub(super) const HELD: Cost = Cost::MIN;
/// Cost of positions that the attacker wins.
const FAILED: Cost = Cost::MAX;
/// Difference between the cost of a position of the attacker and the lower one of the position before it. The cost is the
/// greatest of many that are not exact, and would be too high. Without a relief, the holder gives up its best moves for
/// those that are less explored.
const RELIEF: Cost = 5;

impl<G: Canonical> Graph<'_, G> {
    /// Computes the cost of each node, and decides those that are held or failed.
    ///
    /// From the most expensive leaf down: the attacker can reach it from its own positions before it, and from those of
    /// the holder in which all moves lead to where it can. The first leaf that it can reach from a position gives the
    /// cost, less the relief for each turn until then.
    pub(super) fn update_costs(&mut self) {
        let mut leaves = Vec::new();
        // For each node: how many moves are left before the attacker can reach a leaf.
        let mut left = vec![0; self.nodes.len()];
        for (id, node) in self.nodes.iter_mut().enumerate() {
            (node.cost, node.choice) = (HELD, None);
            let is_holder = node.position.turn() == HOLDER;
            left[id] = if is_holder { node.children.len() + usize::from(node.untried.is_some()) } else { 1 };
            match (node.state, node.untried) {
                (State::Proved, _) => {}
                (State::Lost, _) => {
                    left[id] = 1;
                    leaves.push((FAILED, id));
                }
                (_, Some(cost)) => leaves.push((cost, id)),
                (_, None) if left[id] == 0 => {
                    left[id] = 1;
                    leaves.push((FAILED, id));
                }
                _ => {}
            }
        }
        // The most expensive first.
        let mut reached: BinaryHeap<(Cost, usize, Option<usize>)> =
            leaves.into_iter().map(|(cost, id)| (cost, id, None)).collect();
        while let Some((cost, id, by)) = reached.pop() {
            let node = &mut self.nodes[id];
            if node.cost != HELD || node.state == State::Proved {
                continue;
            }
            left[id] -= 1;
            if left[id] == 0 {
                (node.cost, node.choice) = (cost, by);
                let is_exact = cost == FAILED || node.position.turn() == HOLDER;
                let before = if is_exact { cost } else { cost - RELIEF };
                reached.extend(node.parents.iter().map(|&parent| (before, parent, Some(id))));
                if cost == FAILED {
                    self.fail(id);
                }
            }
        }
        self.store_held();
    }

    /// Decides a node that the attacker wins, after those that this rests on.
    fn fail(&mut self, id: usize) {
        let node = &mut self.nodes[id];
        node.state = State::Lost;
        if node.position.turn() == HOLDER
            && self.store.lost(node.form).is_none()
            && let Some(loss) = self.store.by_replies(&node.position, Aim::Win)
        {
            self.store.add(node.form, loss);
        }
    }

    /// Decides the nodes from which the attacker can reach no leaf.
    fn store_held(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.cost == HELD && node.state != State::Proved) {
            node.state = State::Proved;
            if node.position.turn() != HOLDER && !self.store.misses(node.form, Aim::Win) {
                self.store.add(node.form, Fact::NotWon);
            }
        }
    }
}
