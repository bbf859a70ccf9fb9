use super::Observer;
use super::order::{self, Context};
use super::params::Reuse;
use super::state::{Node, PlyBuffers, Search, Stopped};
use super::table::{Bound, Entry};
use super::window::Window;
use crate::game::{Evaluator, Game, Knowledge, Outcome};
use crate::score::{Depth, Score};

impl<G: Game, E: Evaluator<G>, T: Knowledge<G>, O: Observer<G>> Search<'_, G, E, T, O> {
    /// The value of a node within the window, or a bound on it beyond (fail-soft).
    pub(super) fn value(
        &mut self,
        node: &Node<G, E::State>,
        depth: Depth,
        mut window: Window,
        buffers: &mut [PlyBuffers<G>],
    ) -> Result<Score, Stopped> {
        // 1. The horizon.
        if depth <= Depth::ZERO || buffers.is_empty() {
            return self.quiescence(node, window, buffers);
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
        let list = &mut buffers[0].list;
        list.clear();
        node.position.moves(list);
        if list.is_empty() {
            return Ok(Score::loss_in(node.ply));
        }

        // 5. A move that wins at once.
        if self.params.look_for_wins.is_some_and(|from| depth >= from) {
            let won = Some(Outcome::Win(node.position.turn()));
            if list.iter().any(|&mv| node.position.play(mv).outcome() == won) {
                return Ok(Score::win_in(node.ply.next()));
            }
        }

        // 6. Forced-move extension.
        let forced = list.len() == 1 && self.params.forced_move_extension && node.position.is_quiet(list[0]);
        let left = if forced { depth } else { depth - 1 };

        // 7. Cuts without a search of all moves.
        if window.is_null() && !forced && list.iter().any(|&mv| node.position.is_quiet(mv)) {
            if let Some(score) = self.prune(node, depth, window, buffers)? {
                return Ok(score);
            }
            // The shallower search may have found a move to try first.
            entry = entry.or_else(|| self.table.probe(key, node.ply));
        }

        // 8. The moves in order, the first with the whole window.
        let Some((here, deeper)) = buffers.split_first_mut() else { return Ok(window.alpha) };
        let count = here.list.len();
        let side = node.position.turn().index();
        let context = Context { side, ply: node.ply, previous: node.previous };
        self.order.rate(self.params, &node.position, &here.list, entry, &context, &mut here.ratings);
        for (place, index) in (0u8..).zip(&mut here.order[..count]) {
            *index = place;
        }
        let floor = window.alpha;
        let mut best = -Score::INFINITE;
        let mut best_index = 0;
        for number in 0..count {
            let index = order::pick(&mut here.order[..count], &here.ratings, number);
            let mv = here.list[index];
            let child = node.child(mv, self.evaluator);
            self.enter(&child)?;
            let score = match self.terminal_value(&child) {
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
                        let tried = here.order[..number].iter().map(|&index| here.list[usize::from(index)]);
                        self.order.cut(mv, tried, depth, &context);
                    }
                    break;
                }
            }
        }

        // 9. Remember.
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
        buffers: &mut [PlyBuffers<G>],
    ) -> Result<Score, Stopped> {
        if less > 0 {
            let score = -self.value(child, depth - less, -Window::null_above(window.alpha), buffers)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if self.params.null_windows && !window.is_null() {
            let score = -self.value(child, depth, -Window::null_above(window.alpha), buffers)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.value(child, depth, -window, buffers)?)
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
        let Some(late) = self.params.late_move_reduction else { return 0 };
        if depth < late.from_depth || number < late.from_move || !node.position.is_quiet(mv) {
            return 0;
        }
        let logarithm = |value: usize| self.logarithms[value.min(63)];
        let less = late.base + logarithm(depth.0 as usize) * logarithm(number) / late.divisor;
        // At least one ply is left above the horizon.
        (less as i16).min(depth.0 - 2).max(0)
    }
}
