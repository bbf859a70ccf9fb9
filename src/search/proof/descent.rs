use std::ops::ControlFlow;

use super::numbers::{BARRED, Numbers, VOID};
use super::path::{NO_LAST_PLY, Node, Path};
use super::table::ProofTable;
use crate::game::{Evaluator, Game, History, MAX_MOVES, MoveList, Outcome};
use crate::score::Ply;
use crate::search::params::{EPSILON_DIVISOR, POLL_NODES};
use crate::search::{Limits, Observer, TimeLimit};

/// The solver was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// One proof in progress.
pub(super) struct Descent<'a, G, E, O> {
    pub(super) evaluator: &'a E,
    pub(super) table: &'a mut ProofTable,
    observer: &'a mut O,
    pub(super) path: Path<G>,
    pub(super) nodes: u64,
    /// The node count at which the observer or the node limit is looked at next.
    next_check: u64,
    pub(super) node_limit: u64,
    time_limit: Option<TimeLimit>,
}

/// The moves of a node on the path, and what is known of the positions after them.
#[derive(Clone)]
pub(super) struct Frame<G: Game> {
    pub(super) list: MoveList<G::Move>,
    pub(super) numbers: [Numbers; MAX_MOVES],
    /// Of the positions that the rules do not decide, keys in the table.
    pub(super) keys: [Option<u64>; MAX_MOVES],
}

impl<G: Game> Frame<G> {
    pub(super) fn new() -> Frame<G> {
        Frame { list: MoveList::new(), numbers: [Numbers::UNKNOWN; MAX_MOVES], keys: [None; MAX_MOVES] }
    }

    pub(super) fn children(&self) -> &[Numbers] {
        &self.numbers[..self.list.len()]
    }
}

impl<'a, G: Game, E: Evaluator<G>, O: Observer<G>> Descent<'a, G, E, O> {
    pub(super) fn new(
        evaluator: &'a E,
        table: &'a mut ProofTable,
        history: &History<G>,
        limits: Limits,
        observer: &'a mut O,
    ) -> Descent<'a, G, E, O> {
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let longest = limits.depth.map_or(NO_LAST_PLY, |depth| Ply(depth.0.max(0) as u16));
        let last_ply = limits.game_plies.map_or(NO_LAST_PLY, Ply).min(longest);
        let path = Path::new(history, last_ply);
        let next_check = POLL_NODES.min(node_limit);
        Descent { evaluator, table, observer, path, nodes: 0, next_check, node_limit, time_limit: limits.time }
    }

    /// Whether the game has no ply left at the root.
    pub(super) fn is_over(&self, root: &Node<G, E::State>) -> bool {
        self.path.plies_left(root) == 0
    }

    /// Visits positions below `node` until one of its numbers reaches that of `until`, or it is
    /// decided; its numbers then.
    pub(super) fn visit(
        &mut self,
        node: &Node<G, E::State>,
        until: Numbers,
        frames: &mut [Frame<G>],
    ) -> Result<Numbers, Stopped> {
        // The frame below is also where moves after a move are listed.
        let Some((frame, deeper)) = frames.split_first_mut().filter(|(_, deeper)| !deeper.is_empty()) else {
            return Ok(Numbers::REPEATED);
        };
        let begin = self.nodes;
        self.expand(node, frame, &mut deeper[0].list)?;
        let numbers = loop {
            let numbers = Numbers::of(frame.children().iter().copied());
            if numbers.is_final() || numbers.win >= until.win || numbers.loss >= until.loss {
                break numbers;
            }
            let (index, second) = most_promising(frame.children(), numbers);
            let bounds = thresholds(numbers, frame.numbers[index], second, until);
            let child = node.child(frame.list[index], self.evaluator);
            self.path.push(&child);
            frame.numbers[index] = self.visit(&child, bounds, deeper)?;
            self.path.pop();
        };
        let draws = self.path.draws(node);
        let lasting = Numbers::of(frame.children().iter().map(|child| child.elsewhere(draws)));
        self.table.store(self.path.key(node), lasting, self.nodes - begin);
        Ok(numbers)
    }

    /// Lists the moves, and what is known of the positions after them.
    pub(super) fn expand(
        &mut self,
        node: &Node<G, E::State>,
        frame: &mut Frame<G>,
        replies: &mut MoveList<G::Move>,
    ) -> Result<(), Stopped> {
        // 1. What the rules say.
        frame.list.clear();
        node.position.moves(&mut frame.list);
        let count = frame.list.len();
        for (index, &mv) in frame.list.iter().enumerate() {
            self.count()?;
            let child = node.child(mv, self.evaluator);
            let known = self.path.by_rule(&child);
            frame.keys[index] = known.is_none().then(|| self.path.key(&child));
            frame.numbers[index] = known.unwrap_or(Numbers::UNKNOWN);
        }
        // 2. What was known before: asked for all at once, so that memory is waited for only once.
        let plies_left = self.path.plies_left(node);
        for (numbers, key) in frame.numbers[..count].iter_mut().zip(&frame.keys) {
            if let Some(known) = key.and_then(|key| self.table.probe(key))
                && known.plies < plies_left
            {
                *numbers = known;
            }
        }
        if frame.children().iter().any(|child| child.loss == 0) {
            return Ok(());
        }
        // 3. What a look at the replies and the evaluator say of the others.
        for (index, &mv) in frame.list.iter().enumerate() {
            if frame.numbers[index] == Numbers::UNKNOWN {
                let child = node.child(mv, self.evaluator);
                frame.numbers[index] = if plies_left >= 2 && wins_at_once(&child.position, replies) {
                    Numbers::won_in(1)
                } else {
                    Numbers::expected(self.evaluator.evaluate(&child.state, &child.position))
                };
            }
        }
        Ok(())
    }

    #[inline]
    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes < self.next_check { Ok(()) } else { self.check_limits() }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let time_is_over = self.time_limit.is_some_and(TimeLimit::is_over);
        if self.nodes >= self.node_limit || time_is_over || self.observer.poll() == ControlFlow::Break(()) {
            return Err(Stopped);
        }
        self.table.grow_if_full();
        self.next_check = (self.nodes + POLL_NODES).min(self.node_limit);
        Ok(())
    }
}

/// Whether the side to move has a move that ends the game in its favour; `list` is overwritten.
fn wins_at_once<G: Game>(position: &G, list: &mut MoveList<G::Move>) -> bool {
    list.clear();
    position.moves(list);
    let won = Some(Outcome::Win(position.turn()));
    list.iter().any(|&mv| position.play(mv).outcome() == won)
}

/// The child to visit, and the second smallest loss number.
fn most_promising(children: &[Numbers], numbers: Numbers) -> (usize, u32) {
    if numbers.win >= BARRED {
        // Only a loss can be shown, of which every child is a part.
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

/// How far the visit of a child goes: until another one is more promising by a quarter, or the
/// parent's own threshold is reached.
///
/// J. Pawlewicz, L. Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007.
fn thresholds(numbers: Numbers, child: Numbers, second: u32, until: Numbers) -> Numbers {
    let loss = until.win.min(second + second / EPSILON_DIVISOR + 1);
    let win = if until.loss == VOID { VOID } else { until.loss - numbers.loss + child.win };
    Numbers { win, loss, plies: 0 }
}
