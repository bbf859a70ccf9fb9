//! The value of a node: principal-variation search.

use super::limit_check::Stopped;
use super::node::{Frame, Node};
use super::order::Context;
use super::params::Reuse;
use super::state::Search;
use super::table::{Bound, Entry};
use super::window::Window;
use crate::game::{Evaluator, Knowledge, Searched};
use crate::score::{Depth, Score};

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Value of a node within the window, or a bound on it outside (fail-soft).
    pub(super) fn value(
        &mut self,
        node: &Node<G, E::State>,
        depth: Depth,
        mut window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Score, Stopped> {
        // 1. The horizon.
        if depth <= Depth::ZERO {
            return self.quiescence(node, window, frames);
        }
        let Some((Frame { moves: here, child }, deeper)) = frames.split_first_mut() else {
            return Ok(self.evaluate(node));
        };

        // 2. No line from here beats a known shorter win (mate distance pruning).
        window.alpha = window.alpha.max(Score::loss_in(node.ply));
        window.beta = window.beta.min(Score::win_in(node.ply.next()));
        if window.is_empty() {
            return Ok(window.alpha);
        }

        // 3. The transposition table.
        let key = self.path.key(node);
        let mut entry = self.table.probe(key, node.ply);
        if window.is_null()
            && let Some(score) = entry.and_then(|entry| self.cut_by_table(entry, depth, window))
        {
            return Ok(score);
        }

        // 4. The moves; without any, the game is lost.
        here.list_moves(&node.position);
        if here.list.is_empty() {
            return Ok(Score::loss_in(node.ply));
        }

        // 5. A move that wins at once.
        if self.params.look_for_wins.is_some_and(|from| depth >= from) && node.position.wins_at_once() {
            return Ok(Score::win_in(node.ply.next()));
        }

        // 6. Forced-move extension.
        let forced = self.params.forced_move_extension && here.list.len() == 1 && node.position.is_quiet(here.list[0]);
        let left = if forced { depth } else { depth - 1 };

        // 7. Forward pruning.
        if window.is_null() && !forced && here.list.iter().any(|&mv| node.position.is_quiet(mv)) {
            if let Some(score) = self.prune(node, child, depth, window, deeper)? {
                return Ok(score);
            }
            // The shallower search may have found a move to try first.
            entry = entry.or_else(|| self.table.probe(key, node.ply));
        }

        // 8. The moves in order, the first with the full window.
        let context = Context { side: node.position.turn().index(), ply: node.ply, previous: node.previous };
        self.order.rate(self.params, &node.position, entry, &context, here);
        let asked = window;
        let mut best = -Score::INFINITE;
        let mut best_index = 0;
        for number in 0..here.list.len() {
            let index = here.pick(number);
            let mv = here.list[index];
            let score = self.move_value(node, child, mv, number, left, window, deeper)?;
            if score > best {
                (best, best_index) = (score, index);
                window.alpha = window.alpha.max(score);
                if window.is_empty() {
                    if node.position.is_quiet(mv) {
                        self.order.learn_cut(mv, number, here, depth, &context);
                    }
                    break;
                }
            }
        }

        // 9. Store the result.
        let entry = Entry { score: best, bound: Bound::of(best, asked), depth, best: best_index as u8 };
        self.table.store(key, node.ply, entry);
        Ok(best)
    }

    /// Value of a move, tried at index `number`, for the side that makes it; `left` is the depth after it. Overwrites
    /// `child`.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "one more than allowed, so that nodes are made in place")]
    pub(super) fn move_value(
        &mut self,
        node: &Node<G, E::State>,
        child: &mut Node<G, E::State>,
        mv: G::Move,
        number: usize,
        left: Depth,
        window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Score, Stopped> {
        node.play(mv, self.evaluator, child);
        self.enter(child)?;
        if let Some(score) = self.terminal_value(child) {
            return Ok(-score);
        }
        if number == 0 {
            return Ok(-self.value(child, left, -window, frames)?);
        }
        let less = self.reductions.plies(left + 1, number);
        let less = if less > 0 && node.position.is_quiet(mv) { less } else { 0 };
        self.late_value(child, left, less, window, frames)
    }

    /// Value of a move that is not expected to be the best. It is searched with a null window first, `less` plies
    /// shallower, and searched again in full if it turns out well.
    ///
    /// Sources of null windows: A. Reinefeld, "An improvement to the Scout tree-search algorithm", 1983; T. Marsland,
    /// M. Campbell, 1982.
    fn late_value(
        &mut self,
        child: &Node<G, E::State>,
        depth: Depth,
        less: i16,
        window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Score, Stopped> {
        if less > 0 {
            let score = -self.value(child, depth - less, -Window::null_above(window.alpha), frames)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if self.params.null_windows && !window.is_null() {
            let score = -self.value(child, depth, -Window::null_above(window.alpha), frames)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, depth, -window, frames)?)
    }

    /// Score of `entry` if it can replace a search to `depth` within `window`.
    fn cut_by_table(&self, entry: Entry, depth: Depth, window: Window) -> Option<Score> {
        let usable = match self.params.reuse {
            Reuse::Nothing => false,
            Reuse::SameDepth => entry.depth == depth,
            Reuse::Deeper => entry.depth >= depth,
        };
        (usable && entry.bound.decides(entry.score, window)).then_some(entry.score)
    }
}
