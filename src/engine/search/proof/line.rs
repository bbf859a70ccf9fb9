//! The shortest known line to the end of the game.

use super::descent::{Children, Descent};
use super::numbers::Numbers;
use crate::game::{Evaluator, Searched};
use crate::search::node::Node;
use crate::search::params::LINE_NODES;

impl<G: Searched, E: Evaluator<G>> Descent<'_, G, E> {
    /// Returns the expected play from the decided node `root`, and the numbers that it supports. `buffers[0]` must be
    /// as [`visit`](Self::visit) left it.
    ///
    /// A proof ends with the first win that it finds. The table may know a shorter one: through another move, or
    /// farther down, from other proofs. So the line is followed repeatedly, probing all moves on the way, until nothing
    /// on it gets shorter.
    pub(super) fn line(
        &mut self,
        root: &Node<G, E::State>,
        buffers: &mut [Children<G, E::State>],
    ) -> (Numbers, Vec<G::Move>) {
        self.limits.allow_more(LINE_NODES);
        self.look_again(root, &mut buffers[0]);
        let mut line = Vec::new();
        while self.follow(root, buffers, &mut line) {
            line.clear();
        }
        let numbers = buffers[0].parent();
        self.table.store(self.path.key(root), numbers, 0);
        (numbers, line)
    }

    /// Takes better results for the positions after the moves of `node` from the table.
    fn look_again(&self, node: &Node<G, E::State>, here: &mut Children<G, E::State>) {
        let plies_left = self.path.plies_left(node);
        let count = here.list.len();
        for (numbers, key) in here.numbers[..count].iter_mut().zip(&here.keys) {
            if let Some(known) = key.and_then(|key| self.table.probe(key))
                && known.is_decided()
                && known.plies < plies_left
                && (!numbers.is_decided() || known.plies < numbers.plies)
            {
                *numbers = known;
            }
        }
    }

    /// Adds the play from a decided node to `line`, as far as the table still knows it; the first buffers hold its
    /// moves. Returns `true` if a position on the way turned out to be nearer to its end than known. The new result is
    /// stored, and the line is no longer the best.
    fn follow(
        &mut self,
        node: &Node<G, E::State>,
        buffers: &mut [Children<G, E::State>],
        line: &mut Vec<G::Move>,
    ) -> bool {
        let Some((here, deeper)) = buffers.split_first_mut() else { return false };
        let [next, ..] = &mut *deeper else { return false };
        let Some(index) = decisive(here.known()) else { return false };
        let known = here.numbers[index];
        line.push(here.list[index]);
        if known.plies == 0 {
            return false;
        }
        let child = &mut here.child;
        node.play(here.list[index], self.evaluator, child);
        self.path.enter(child);
        let mut shorter = false;
        if self.expand(child, next).is_ok() {
            let still_known = |children: &Children<G, E::State>| {
                let numbers = children.parent();
                (numbers.is_decided() && numbers.plies <= known.plies).then_some(numbers)
            };
            if still_known(next).is_some() {
                shorter = self.follow(child, deeper, line);
            }
            if let Some(now) = still_known(&deeper[0])
                && now != known
            {
                self.table.store(self.path.key(child), now, 0);
                here.numbers[index] = now;
                shorter = true;
            }
        }
        shorter
    }
}

/// Index of the move that decides a decided position: by the shortest win, or the longest loss.
fn decisive(children: &[Numbers]) -> Option<usize> {
    let after = match Numbers::of(children.iter().copied()) {
        Numbers { win: 0, plies, .. } => Numbers::lost_in(plies - 1),
        Numbers { loss: 0, plies: plies @ 1.., .. } => Numbers::won_in(plies - 1),
        _ => return None,
    };
    children.iter().position(|&child| child == after)
}
