//! Depth-first proof-number search: which position to visit next, and for how long.
//!
//! Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002.

use super::numbers::{BARRED, Draws, Expectation, Numbers, VOID, probe, store};
use crate::game::{Evaluator, Game, History, MAX_MOVES, MoveList, Searched};
use crate::score::Ply;
use crate::search::buckets::Buckets;
use crate::search::limit_check::{LimitCheck, Stopped};
use crate::search::params::{EPSILON_DIVISOR, LINE_NODES};
use crate::search::path::{NO_LAST_PLY, Node, Path};
use crate::search::{Limits, Observer};

pub(super) struct Descent<'a, G: Game, E> {
    pub(super) evaluator: &'a E,
    pub(super) table: &'a mut Buckets,
    pub(super) limits: LimitCheck<'a, G>,
    pub(super) path: Path,
    pub(super) expectation: Expectation,
}

/// Moves of a node on the path, and the numbers of the positions after them. Buffers for one ply, allocated once per
/// proof.
#[derive(Clone)]
pub(super) struct Children<G: Game, S> {
    pub(super) list: MoveList<G::Move>,
    pub(super) numbers: [Numbers; MAX_MOVES],
    /// Table keys of the positions that the rules do not decide.
    pub(super) keys: [Option<u64>; MAX_MOVES],
    pub(super) child: Node<G, S>,
}

impl<G: Game, S: Clone> Children<G, S> {
    /// Creates the buffers of a proof from `root`, for `count` plies.
    pub(super) fn stack(root: &Node<G, S>, count: usize) -> Vec<Children<G, S>> {
        let (list, numbers, keys) = (MoveList::new(), [Numbers::UNKNOWN; MAX_MOVES], [None; MAX_MOVES]);
        vec![Children { list, numbers, keys, child: root.clone() }; count]
    }

    pub(super) fn known(&self) -> &[Numbers] {
        &self.numbers[..self.list.len()]
    }

    pub(super) fn parent(&self) -> Numbers {
        Numbers::of(self.known().iter().copied())
    }
}

impl<'a, G: Searched, E: Evaluator<G>> Descent<'a, G, E> {
    pub(super) fn new(
        (evaluator, expectation): (&'a E, Expectation),
        table: &'a mut Buckets,
        history: &History<G>,
        limits: Limits,
        observer: &'a mut dyn Observer<G>,
    ) -> Descent<'a, G, E> {
        let longest = limits.depth.map_or(NO_LAST_PLY, |depth| Ply(depth.0.max(0) as u16));
        let last_ply = limits.game_plies.map_or(NO_LAST_PLY, Ply).min(longest);
        let path = Path::of_proof(history, last_ply);
        Descent { evaluator, table, limits: LimitCheck::new(limits, observer), path, expectation }
    }

    pub(super) fn is_over(&self, root: &Node<G, E::State>) -> bool {
        self.path.plies_left(root) == 0
    }

    /// Visits positions below `node` until one of its numbers reaches the one in `until`, or the node is decided.
    /// Returns its numbers then.
    pub(super) fn visit(
        &mut self,
        node: &Node<G, E::State>,
        until: Numbers,
        buffers: &mut [Children<G, E::State>],
    ) -> Result<Numbers, Stopped> {
        let Some((here, deeper)) = buffers.split_first_mut() else { return Ok(Numbers::REPEATED) };
        let begin = self.limits.nodes();
        self.expand(node, here)?;
        let numbers = loop {
            let numbers = here.parent();
            if numbers.is_final() || numbers.win >= until.win || numbers.loss >= until.loss {
                break numbers;
            }
            let (index, second) = most_promising(here.known(), numbers);
            let bounds = thresholds(numbers, here.numbers[index], second, until);
            node.play(here.list[index], self.evaluator, &mut here.child);
            self.path.enter(&here.child);
            here.numbers[index] = self.visit(&here.child, bounds, deeper)?;
        };
        let draws = if self.path.key_has_draws(node) { Draws::Lasting } else { Draws::Passing };
        let lasting = Numbers::of(here.known().iter().map(|child| child.elsewhere(draws)));
        store(self.table, self.path.key(node), lasting, self.limits.nodes() - begin);
        Ok(numbers)
    }

    /// Lists the moves and finds initial numbers for the positions after them.
    pub(super) fn expand(&mut self, node: &Node<G, E::State>, here: &mut Children<G, E::State>) -> Result<(), Stopped> {
        // 1. The rules.
        here.list.clear();
        node.position.moves(&mut here.list);
        let count = here.list.len();
        for (index, &mv) in here.list.iter().enumerate() {
            self.limits.count_node(|left, goes_on| self.table.grow_if_full(left, goes_on))?;
            node.play_unevaluated(mv, &mut here.child);
            let known = self.path.ruling(&here.child).map(Numbers::by_rule);
            here.keys[index] = known.is_none().then(|| self.path.key(&here.child));
            here.numbers[index] = known.unwrap_or(Numbers::UNKNOWN);
        }
        // 2. The table, probed for all moves in one loop, so that the memory accesses overlap.
        let plies_left = self.path.plies_left(node);
        for (numbers, key) in here.numbers[..count].iter_mut().zip(&here.keys) {
            if let Some(known) = key.and_then(|key| probe(self.table, key))
                && known.plies < plies_left
            {
                *numbers = known;
            }
        }
        if here.known().iter().any(|child| child.loss == 0) {
            return Ok(());
        }
        // 3. For the others, a win by a reply, or the evaluation.
        for (index, &mv) in here.list.iter().enumerate() {
            if here.numbers[index] == Numbers::UNKNOWN {
                here.numbers[index] = if plies_left >= 2 && node.position.play(mv).wins_at_once() {
                    Numbers::won_in(1)
                } else {
                    node.play(mv, self.evaluator, &mut here.child);
                    Numbers::expected(here.child.evaluate(self.evaluator), self.expectation)
                };
            }
        }
        Ok(())
    }
}

/// Returns the index of the child to visit, and the second smallest loss number.
fn most_promising(children: &[Numbers], numbers: Numbers) -> (usize, u32) {
    if numbers.win >= BARRED {
        // Only a loss can still be proved, and it needs every child.
        let open = (0..children.len()).filter(|&index| children[index].win > 0);
        return (open.min_by_key(|&index| children[index].win).unwrap_or(0), VOID);
    }
    let (mut best, mut least, mut second) = (0, VOID, VOID);
    for (index, child) in children.iter().enumerate() {
        if child.loss < least {
            (best, least, second) = (index, child.loss, least);
        } else {
            second = second.min(child.loss);
        }
    }
    (best, second)
}

/// Thresholds for the visit of a child: it ends when another child is more promising by the epsilon of
/// [`EPSILON_DIVISOR`], or when the parent's own threshold is reached.
///
/// J. Pawlewicz, L. Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007.
fn thresholds(numbers: Numbers, child: Numbers, second: u32, until: Numbers) -> Numbers {
    let loss = until.win.min(second + second / EPSILON_DIVISOR + 1);
    let win = if until.loss == VOID { VOID } else { until.loss - numbers.loss + child.win };
    Numbers { win, loss, plies: 0 }
}

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
        store(self.table, self.path.key(root), numbers, 0);
        (numbers, line)
    }

    /// Takes better results for the positions after the moves of `node` from the table.
    fn look_again(&self, node: &Node<G, E::State>, here: &mut Children<G, E::State>) {
        let plies_left = self.path.plies_left(node);
        let count = here.list.len();
        for (numbers, key) in here.numbers[..count].iter_mut().zip(&here.keys) {
            if let Some(known) = key.and_then(|key| probe(self.table, key))
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
                store(self.table, self.path.key(child), now, 0);
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
