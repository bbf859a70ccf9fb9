use super::descent::{Descent, Frame};
use super::numbers::Numbers;
use super::path::Node;
use crate::game::{Evaluator, Game};
use crate::search::Observer;

/// Nodes that the line may cost beyond those of the proof: a few milliseconds.
const LINE_NODES: u64 = 20_000;

impl<G: Game, E: Evaluator<G>, O: Observer<G>> Descent<'_, G, E, O> {
    /// The play that is expected from `root`, which is decided, and the numbers that it bears out;
    /// `frames[0]` must be as [`visit`](Self::visit) left it.
    ///
    /// A proof ends with the first win that it finds. The table may know a shorter one: through another
    /// move, or farther down since other proofs came by. So the line is followed again, with another look
    /// at all moves on the way, until nothing on it gets shorter.
    pub(super) fn line(&mut self, root: &Node<G, E::State>, frames: &mut [Frame<G>]) -> (Numbers, Vec<G::Move>) {
        self.node_limit = self.nodes + LINE_NODES;
        self.look_again(root, &mut frames[0]);
        let mut line = Vec::new();
        while self.follow(root, frames, &mut line) {
            line.clear();
        }
        let numbers = Numbers::of(frames[0].children().iter().copied());
        self.table.store(self.path.key(root), numbers, 0);
        (numbers, line)
    }

    /// Takes from the table what it knows better of the positions after the moves of `node`.
    fn look_again(&self, node: &Node<G, E::State>, frame: &mut Frame<G>) {
        let plies_left = self.path.plies_left(node);
        let count = frame.list.len();
        for (numbers, key) in frame.numbers[..count].iter_mut().zip(&frame.keys) {
            if let Some(known) = key.and_then(|key| self.table.probe(key))
                && known.is_decided()
                && known.plies < plies_left
                && (!numbers.is_decided() || known.plies < numbers.plies)
            {
                *numbers = known;
            }
        }
    }

    /// Adds to `line` the play from a decided node, as far as it is still known; the first frame has the
    /// moves. Whether a position on the way turned out nearer to its end than was known: then it is
    /// remembered, and the line is no longer the best.
    fn follow(&mut self, node: &Node<G, E::State>, frames: &mut [Frame<G>], line: &mut Vec<G::Move>) -> bool {
        let [frame, next, spare, ..] = &mut *frames else { return false };
        let Some(index) = decisive(frame.children()) else { return false };
        let known = frame.numbers[index];
        line.push(frame.list[index]);
        if known.plies == 0 {
            return false;
        }
        let child = node.child(frame.list[index], self.evaluator);
        self.path.push(&child);
        let mut shorter = false;
        if self.expand(&child, next, &mut spare.list).is_ok() {
            let still_known = |frame: &Frame<G>| {
                let numbers = Numbers::of(frame.children().iter().copied());
                (numbers.is_decided() && numbers.plies <= known.plies).then_some(numbers)
            };
            if still_known(next).is_some() {
                shorter = self.follow(&child, &mut frames[1..], line);
            }
            if let Some(now) = still_known(&frames[1])
                && now != known
            {
                self.table.store(self.path.key(&child), now, 0);
                frames[0].numbers[index] = now;
                shorter = true;
            }
        }
        self.path.pop();
        shorter
    }
}

/// The move that decides a decided position: to the shortest win, or to the longest loss.
fn decisive(children: &[Numbers]) -> Option<usize> {
    let after = match Numbers::of(children.iter().copied()) {
        Numbers { win: 0, plies, .. } => Numbers::lost_in(plies - 1),
        Numbers { loss: 0, plies: plies @ 1.., .. } => Numbers::won_in(plies - 1),
        _ => return None,
    };
    children.iter().position(|&child| child == after)
}
