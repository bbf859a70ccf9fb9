use std::ops::ControlFlow;

use super::order::{self, Context, Order};
use super::params::{Params, Reuse, Switch};
use super::path::{Path, Trail};
use super::table::{Bound, Entry, Table};
use super::window::Window;
use super::{Observer, POLL_NODES};
use crate::game::{Evaluator, Game, MoveList, Outcome};
use crate::score::{Depth, Ply, Score};

/// The search was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// One search in progress.
pub(super) struct Run<'a, G: Game, E, O> {
    pub(super) evaluator: &'a E,
    pub(super) params: &'a Params,
    pub(super) table: &'a mut Table,
    pub(super) order: &'a mut Order<G>,
    pub(super) observer: &'a mut O,
    pub(super) path: Path,
    pub(super) nodes: u64,
    /// The node count at which the observer or the node limit is looked at next.
    pub(super) next_look: u64,
    pub(super) node_limit: u64,
    /// Natural logarithms of 0 (as 0) to 63, for the late-move reductions.
    pub(super) logarithms: [f32; 64],
}

/// A position with what the search must know of the way to it.
#[derive(Clone, Copy)]
pub(super) struct Node<G: Game, S> {
    pub(super) position: G,
    pub(super) state: S,
    pub(super) ply: Ply,
    pub(super) trail: Trail,
    pub(super) previous: Option<G::Move>,
}

/// Buffers of one ply, allocated once a search.
#[derive(Clone)]
pub(super) struct Frame<G: Game> {
    pub(super) list: MoveList<G::Move>,
    ratings: [i32; 128],
    order: [u8; 128],
}

impl<G: Game> Frame<G> {
    pub(super) fn new() -> Frame<G> {
        Frame { list: MoveList::new(), ratings: [0; 128], order: [0; 128] }
    }
}

impl<G: Game, S: Copy> Node<G, S> {
    #[inline]
    pub(super) fn child<E: Evaluator<G, State = S>>(&self, mv: G::Move, evaluator: &E) -> Node<G, S> {
        let position = self.position.play(mv);
        Node {
            position,
            state: evaluator.advance(self.state, &self.position, mv, &position),
            ply: self.ply.next(),
            trail: self.trail.after(self.position.progress(mv)),
            previous: Some(mv),
        }
    }
}

impl<G: Game, E: Evaluator<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// Counts a node, puts it on the path, and looks whether the search must end.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node<G, E::State>) -> Result<(), Stopped> {
        self.path.push(node.position.key());
        self.nodes += 1;
        if self.nodes < self.next_look { Ok(()) } else { self.look() }
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit || self.observer.poll() == ControlFlow::Break(()) {
            return Err(Stopped);
        }
        self.table.grow_if_full();
        self.next_look = (self.nodes + POLL_NODES).min(self.node_limit);
        Ok(())
    }

    /// The value that the rules give a node, if they end the game there.
    #[inline]
    pub(super) fn value_by_rule(&self, node: &Node<G, E::State>) -> Option<Score> {
        match node.position.outcome() {
            Some(Outcome::Win(winner)) if winner == node.position.turn() => return Some(Score::win_in(node.ply)),
            Some(Outcome::Win(_)) => return Some(Score::loss_in(node.ply)),
            Some(Outcome::Draw) => return Some(Score::DRAW),
            None => {}
        }
        if self.path.is_repetition::<G>(node.trail) {
            return Some(Score::DRAW);
        }
        if G::QUIET_LIMIT.is_some_and(|limit| node.trail.quiet_turns >= limit) {
            return Some(Self::value_at_quiet_limit(node));
        }
        None
    }

    /// A side without a move has lost, also on the last quiet turn (§1).
    #[cold]
    fn value_at_quiet_limit(node: &Node<G, E::State>) -> Score {
        let mut list = MoveList::new();
        node.position.moves(&mut list);
        if list.is_empty() { Score::loss_in(node.ply) } else { Score::DRAW }
    }

    /// The key of a node in the transposition table: with many quiet turns behind it, a position
    /// is another one than with few, since the draw is nearer.
    pub(super) fn key(&self, node: &Node<G, E::State>) -> u64 {
        let quiet_turns = node.trail.quiet_turns;
        if G::QUIET_LIMIT.is_none() || quiet_turns < self.params.counted_quiet_turns {
            return node.position.key();
        }
        node.position.key() ^ u64::from(quiet_turns).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The value of a node within the window, or a bound on it beyond (fail-soft).
    pub(super) fn value(
        &mut self,
        node: &Node<G, E::State>,
        depth: Depth,
        mut window: Window,
        frames: &mut [Frame<G>],
    ) -> Result<Score, Stopped> {
        // 1. The horizon.
        if depth <= Depth::ZERO || frames.is_empty() {
            return self.quiescence(node, window, frames);
        }

        // 2. No line from here beats a shorter win that is known.
        window.alpha = window.alpha.max(Score::loss_in(node.ply));
        window.beta = window.beta.min(Score::win_in(node.ply.next()));
        if window.is_empty() {
            return Ok(window.alpha);
        }

        // 3. What is known of the position.
        let key = self.key(node);
        let mut entry = self.table.probe(key, node.ply);
        if window.is_null()
            && let Some(score) = entry.and_then(|entry| self.cut_by_table(entry, depth, window))
        {
            return Ok(score);
        }

        // 4. The moves; without any the game is lost.
        let list = &mut frames[0].list;
        list.clear();
        node.position.moves(list);
        if list.is_empty() {
            return Ok(Score::loss_in(node.ply));
        }

        // 5. A turn without a choice is free.
        let free = list.len() == 1 && self.params.free_forced_turns == Switch::On;
        let left = if free { depth } else { depth - 1 };

        // 6. Cuts without a search of all moves.
        if window.is_null() && !free && list.iter().all(|&mv| node.position.is_quiet(mv)) {
            if let Some(score) = self.prune(node, depth, window, frames)? {
                return Ok(score);
            }
            // The shallower search may have found a move to try first.
            entry = entry.or_else(|| self.table.probe(key, node.ply));
        }

        // 7. The moves in order, the first with the whole window.
        let Some((frame, deeper)) = frames.split_first_mut() else { return Ok(window.alpha) };
        let count = frame.list.len();
        let side = node.position.turn().index();
        let context = Context { side, ply: node.ply, previous: node.previous };
        self.order.rate(self.params, &node.position, &frame.list, entry, &context, &mut frame.ratings);
        for (place, index) in (0u8..).zip(&mut frame.order[..count]) {
            *index = place;
        }
        let floor = window.alpha;
        let mut best = -Score::INFINITE;
        let mut best_index = 0;
        for number in 0..count {
            let index = order::pick(&mut frame.order[..count], &frame.ratings, number);
            let mv = frame.list[index];
            let child = node.child(mv, self.evaluator);
            self.enter(&child)?;
            let score = match self.value_by_rule(&child) {
                Some(score) => -score,
                None if number == 0 => -self.value(&child, left, -window, deeper)?,
                None => {
                    let less = self.late_reduction(node, mv, depth, number);
                    self.late_value(&child, left, less, window, deeper)?
                }
            };
            self.leave();
            if score > best {
                (best, best_index) = (score, index);
                window.alpha = window.alpha.max(score);
                if window.is_empty() {
                    if node.position.is_quiet(mv) {
                        let tried = frame.order[..number].iter().map(|&index| frame.list[usize::from(index)]);
                        self.order.cut(mv, tried, depth, &context);
                    }
                    break;
                }
            }
        }

        // 8. Remember.
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(key, node.ply, Entry { score: best, bound, depth, best: best_index as u8 });
        Ok(best)
    }

    /// The value of a move that is expected not to be the best: asked with a null window first,
    /// `less` plies shallower, and again properly when it turns out well.
    pub(super) fn late_value(
        &mut self,
        child: &Node<G, E::State>,
        depth: Depth,
        less: i16,
        window: Window,
        frames: &mut [Frame<G>],
    ) -> Result<Score, Stopped> {
        if less > 0 {
            let score = -self.value(child, depth - less, -Window::null_above(window.alpha), frames)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if self.params.null_windows == Switch::On && !window.is_null() {
            let score = -self.value(child, depth, -Window::null_above(window.alpha), frames)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, depth, -window, frames)?)
    }

    fn cut_by_table(&self, entry: Entry, depth: Depth, window: Window) -> Option<Score> {
        let usable = match self.params.reuse {
            Reuse::Nothing => false,
            Reuse::SameDepth => entry.depth == depth,
            Reuse::Deeper => entry.depth >= depth,
        };
        let cuts = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score >= window.beta,
            Bound::Upper => entry.score <= window.alpha,
        };
        (usable && cuts).then_some(entry.score)
    }

    /// Plies less for the move tried as number `number`, from 0.
    pub(super) fn late_reduction(&self, node: &Node<G, E::State>, mv: G::Move, depth: Depth, number: usize) -> i16 {
        let Some(late) = self.params.late_moves else { return 0 };
        if depth < late.from_depth || number < late.from_move || !node.position.is_quiet(mv) {
            return 0;
        }
        let logarithm = |value: usize| self.logarithms[value.min(63)];
        let less = late.base + logarithm(depth.0 as usize) * logarithm(number) / late.divisor;
        // At least one ply is left above the horizon.
        (less as i16).min(depth.0 - 2).max(0)
    }
}
