//! Costs, from the leaves up to the start, and the facts that follow.
//!
//! Of the two sides, one tries to win, the attacker: the claimant of a win, or the opponent of a hold. It reaches a leaf
//! from its own positions before it, and from those of the other side in which all moves lead to where it can. Positions
//! from which it reaches no leaf are held: the other side can go on there without end.

use std::collections::BinaryHeap;

use kingline::game::Canonical;

use super::Graph;
use crate::solve::goal::{Aim, State};
use crate::solve::store::Fact;

/// Expected difficulty of a proof. Ten times the logarithm of an effort: it falls by about 10 % per hundredth of the score
/// for the claimant. The nodes of a proof fall by only 1/50, but with such costs the search stays with the claimant's best
/// moves: a position costs about as much as its replies together, and not several times less.
pub(super) type Cost = i32;

/// Cost of what is proved.
const PROVED: Cost = Cost::MIN;
/// Cost of what has failed.
const FAILED: Cost = Cost::MAX;
/// Difference between the cost of a position of the opponent of a hold and the lower one of the position before it. The
/// cost is the greatest of many that are not exact, and would be too high. Without a relief, the claimant gives up its best
/// moves for those that are less explored.
const RELIEF: Cost = 5;

impl<G: Canonical> Graph<'_, G> {
    /// Computes the cost of each node, and decides those that the attacker wins and those that are held.
    ///
    /// From one leaf to the next, in the order in which the attacker prefers them: the claimant of a win the cheapest
    /// first, the opponent of a hold the most expensive. The first leaf that it can reach from its position gives the cost.
    pub(super) fn update_costs(&mut self) {
        let is_win = self.claim.aim == Aim::Win;
        let (won, held) = if is_win { (PROVED, FAILED) } else { (FAILED, PROVED) };
        let mut reached = BinaryHeap::new();
        let rank = |cost: Cost| if is_win { -i64::from(cost) } else { i64::from(cost) };
        // For each node: how many moves are left before the attacker can reach a leaf.
        let mut left = vec![1; self.nodes.len()];
        for (id, node) in self.nodes.iter_mut().enumerate() {
            (node.cost, node.choice, node.share) = (held, None, 0.0);
            let is_attackers = node.is_claimants() == is_win;
            if node.state.is_none() && !is_attackers {
                left[id] = node.children.len() + usize::from(node.untried.is_some());
            }
            let leaf = match node.state {
                Some(state) => (is_win == (state == State::Proved)).then_some(won),
                None if left[id] == 0 => Some(won),
                None => node.untried,
            };
            left[id] = left[id].max(1);
            reached.extend(leaf.map(|cost| (rank(cost), cost, id, None)));
        }
        while let Some((_, cost, id, by)) = reached.pop() {
            let node = &self.nodes[id];
            if node.cost != held || node.state.is_some_and(|state| is_win != (state == State::Proved)) {
                continue;
            }
            left[id] -= 1;
            if left[id] > 0 {
                continue;
            }
            let is_claimants = node.is_claimants();
            // A node that is decided already costs nothing, whatever its other children do.
            let is_sum = is_win && !is_claimants && node.state.is_none() && by.is_some();
            let cost = if is_sum { self.together(id) } else { cost };
            let share = self.share(id, by);
            let node = &mut self.nodes[id];
            (node.cost, node.choice, node.share) = (cost, by, share);
            let before = if is_win || is_claimants || cost == FAILED { cost } else { cost - RELIEF };
            reached.extend(node.parents.iter().map(|&parent| (rank(before), before, parent, Some(id))));
            if cost == won {
                self.win(id);
            }
        }
        self.hold(held);
    }

    /// Returns the cost of all children together.
    fn together(&self, id: usize) -> Cost {
        let costs = || self.nodes[id].children.iter().map(|&child| self.nodes[child].cost);
        let most = costs().max().unwrap_or(PROVED);
        if most == PROVED {
            return PROVED;
        }
        let efforts = costs().map(|cost| (0.1 * (f64::from(cost) - f64::from(most))).exp());
        most + (10.0 * efforts.sum::<f64>().ln()).round() as Cost
    }

    /// Returns the proved share of a node whose children have theirs, given its choice.
    fn share(&self, id: usize, choice: Option<usize>) -> f64 {
        let node = &self.nodes[id];
        match choice {
            _ if node.state == Some(State::Proved) => 1.0,
            None => 0.0,
            Some(child) if node.is_claimants() => self.nodes[child].share,
            Some(_) => {
                // Replies without a node are proved.
                let replies = node.position.legal_moves().len().max(1) as f64;
                1.0 - node.children.iter().map(|&child| 1.0 - self.nodes[child].share).sum::<f64>() / replies
            }
        }
    }

    /// Decides a node that the attacker wins, after those that this rests on.
    fn win(&mut self, id: usize) {
        let is_win = self.claim.aim == Aim::Win;
        let node = &mut self.nodes[id];
        node.state = Some(if is_win { State::Proved } else { State::Lost });
        if node.is_claimants() != is_win
            && self.store.lost(node.form).is_none()
            && let Some(loss) = self.store.by_replies(&node.position, Aim::Win)
        {
            self.store.add(node.form, loss);
        }
    }

    /// Decides the nodes from which the attacker can reach no leaf.
    fn hold(&mut self, held: Cost) {
        let is_win = self.claim.aim == Aim::Win;
        // The later ones first, which the others may rest on.
        for id in (0..self.nodes.len()).rev() {
            let node = &self.nodes[id];
            if node.cost != held || node.state.is_some() {
                continue;
            }
            let is_attackers = node.is_claimants() == is_win;
            // The attacker may even lose.
            let loss = if is_win && is_attackers { self.store.by_replies(&node.position, Aim::Win) } else { None };
            let is_lost = loss.is_some()
                || !is_attackers && node.children.iter().any(|&child| self.nodes[child].state == Some(State::Lost));
            let fact = match loss {
                Some(_) if self.store.lost(node.form).is_none() => loss,
                None if is_attackers && !self.store.misses(node.form, Aim::Win) => Some(Fact::NotWon),
                _ => None,
            };
            fact.into_iter().for_each(|fact| self.store.add(node.form, fact));
            let state = match is_win {
                true if is_lost => State::Lost,
                true => State::NotWon,
                false => State::Proved,
            };
            self.nodes[id].state = Some(state);
        }
    }
}

/// Returns the cost of `count` efforts of cost 0 together.
pub(super) fn of_count(count: usize) -> Cost {
    (10.0 * (count.max(1) as f64).ln()).round() as Cost
}

#[cfg(test)]
mod tests {
    use kingline::game::Game;
    use kingline::loa::Position;

    use super::*;
    use crate::solve::goal::{Claim, Whose};
    use crate::solve::store::Store;

    /// A proof by another thread may decide a position while its replies are open.
    #[test]
    fn a_proved_position_costs_nothing_whatever_its_replies_cost() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open::<Position<6>>(&folder.path().join("store")).unwrap();
        let start = Position::<6>::start();
        let claim = Claim { whose: Whose::Defender, aim: Aim::Win };
        let mut graph = Graph::new(&store, &start, claim);
        graph.nodes[0].untried = None;
        let before = graph.nodes[0].position;
        for (mv, state) in before.legal_moves().iter().zip([Some(State::Proved), Some(State::NotWon)]) {
            let after = before.play(*mv);
            let child = graph.add(after.form(), after.turn(), 0);
            graph.connect(0, child);
            graph.nodes[child].state = state;
        }
        graph.nodes[0].state = Some(State::Proved);
        graph.update_costs();
        assert_eq!(graph.nodes[0].cost, PROVED);
    }
}
