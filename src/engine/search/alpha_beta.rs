//! The value of a node: principal-variation search.

use super::limit_check::Stopped;
use super::order::Context;
use super::params::Reuse;
use super::path::{Frame, Node};
use super::state::Search;
use super::table::{Bound, Entry, Window};
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

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Value of a node at the horizon: searches only moves that are not quiet, until the side to move need not make one.
    ///
    /// If every move changes material (captures are compulsory in checkers), one must be made; otherwise the side to
    /// move may also stand pat. D. Harris, "The heuristic search and the game of chess", 1975.
    pub(super) fn quiescence(
        &mut self,
        node: &Node<G, E::State>,
        mut window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Score, Stopped> {
        let Some((Frame { moves: here, child }, deeper)) =
            frames.split_first_mut().filter(|_| !G::STATIC_EVAL_SUFFICES)
        else {
            return Ok(self.evaluate(node));
        };
        here.list.clear();
        let has_quiet = node.position.noisy_moves(&mut here.list);
        if !has_quiet && here.list.is_empty() {
            return Ok(Score::loss_in(node.ply));
        }
        let mut best = -Score::INFINITE;
        if has_quiet {
            best = self.evaluate(node);
            if best >= window.beta {
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }
        for &mv in &here.list {
            node.play(mv, self.evaluator, child);
            self.enter(child)?;
            let score = match self.terminal_value(child) {
                Some(score) => -score,
                None => -self.quiescence(child, -window, deeper)?,
            };
            best = best.max(score);
            if best >= window.beta {
                break;
            }
            window.alpha = window.alpha.max(best);
        }
        Ok(best)
    }
}

impl<G: Searched, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Prunes a node with a choice of moves and a null window: returns its value if it needs no full search. Overwrites
    /// `child`.
    pub(super) fn prune(
        &mut self,
        node: &Node<G, E::State>,
        child: &mut Node<G, E::State>,
        depth: Depth,
        window: Window,
        frames: &mut [Frame<G, E::State>],
    ) -> Result<Option<Score>, Stopped> {
        if window.beta.is_decided() || window.alpha.is_decided() {
            return Ok(None);
        }

        // Futility: a few plies will not lose this much, unless the other side threatens to capture. E. Heinz, "Scalable
        // search in computer chess", 2000 (there called static null move).
        if let Some(futility) = self.params.futility
            && depth <= futility.to_depth
            && !node.position.is_threatened()
        {
            let score = self.evaluate(node);
            if score >= window.beta.plus(futility.margin.saturating_mul(depth.0)) {
                return Ok(Some(score));
            }
        }

        // Null move: even after giving up a turn, the node stays above the window. Never twice in a row. D. Beal, "A
        // generalised quiescence search algorithm", 1990; C. Donninger, "Null move and deep search", 1993.
        if let Some(null) = self.params.null_move
            && depth >= null.from_depth
            && node.previous.is_some()
            && let Some(passed) = node.position.pass()
            && self.evaluate(node) >= window.beta
        {
            node.pass(passed, self.evaluator, child);
            self.enter(child)?;
            let less = null.reduction + depth.0 / null.divisor.max(1);
            let score = -self.value(child, depth - 1 - less, -Window::null_below(window.beta), frames)?;
            if score >= window.beta {
                // A win after a null move proves nothing.
                return Ok(Some(if score.is_decided() { window.beta } else { score }));
            }
        }

        // ProbCut: a shallower search puts the node far above the window. M. Buro, "ProbCut: an effective selective
        // extension of the alpha-beta algorithm", 1995.
        if let Some(cut) = self.params.prob_cut
            && depth >= cut.from_depth
        {
            let beta = window.beta.plus(cut.margin);
            let score = self.value(node, depth - cut.reduction, Window::null_below(beta), frames)?;
            if score >= beta {
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, History, NoKnowledge};
    use crate::search::params::{Futility, NullMove, Params, ProbCut};
    use crate::search::{Limits, Searcher};
    use crate::{checkers, loa};

    /// An evaluation that scores every position as +100 for the side to move.
    fn hopeful<G>(_: &G) -> Score {
        Score::estimate(100)
    }

    const NOTHING: fn() -> Params = || Params { futility: None, null_move: None, prob_cut: None, ..Params::plain() };

    /// Value to which a node of this depth is pruned with the null window below `beta`: the root, or the node `plies`
    /// first moves below it.
    fn cut<G: Searched>(position: G, params: Params, depth: i16, beta: Score, plies: usize) -> Option<Score> {
        let evaluator = |position: &G| hopeful(position);
        let mut searcher: Searcher<G, _, NoKnowledge> = Searcher::new(evaluator).with_params(params);
        let history = History::new(position);
        let mut observer = ();
        let mut search = searcher.prepared(&history, Limits::default(), &mut observer);
        let mut node = Node::root(&history, search.evaluator);
        for _ in 0..plies {
            let mut child = node.clone();
            node.play(node.position.legal_moves()[0], search.evaluator, &mut child);
            search.enter(&child).expect("no limit");
            node = child;
        }
        let (mut child, mut frames) = (node.clone(), vec![Frame::new(&node); 20]);
        let window = Window::null_below(beta);
        search.prune(&node, &mut child, Depth(depth), window, &mut frames).expect("no limit")
    }

    #[test]
    fn futility_cuts_at_a_margin_above_beta_for_each_ply() {
        let params = Params { futility: Some(Futility { to_depth: Depth(3), margin: 45 }), ..NOTHING() };
        let cut = |depth, beta| cut(loa::Position::<6>::start(), params, depth, beta, 0);
        assert_eq!(cut(2, Score::estimate(10)), Some(Score::estimate(100)));
        assert_eq!(cut(2, Score::estimate(11)), None);
        assert_eq!(cut(4, Score::estimate(-400)), None);
        assert_eq!(cut(1, -Score::MIN_WIN), None, "against a decided score");
    }

    #[test]
    fn futility_does_not_trust_a_static_value_under_threat() {
        let params = Params { futility: Some(Futility { to_depth: Depth(3), margin: 45 }), ..NOTHING() };
        let cut = |text: &str| {
            let position: checkers::Position = text.parse().expect("a position");
            cut(position, params, 1, Score::estimate(0), 0)
        };
        assert_eq!(cut("W:W32:B1"), Some(Score::estimate(100)));
        assert_eq!(cut("W:W18,32:B11,15"), None, "15x22 is threatened");
    }

    #[test]
    fn null_moves_need_a_game_that_has_them_a_static_value_and_a_previous_move() {
        let params =
            Params { null_move: Some(NullMove { from_depth: Depth(1), reduction: 0, divisor: 4 }), ..NOTHING() };
        let start = loa::Position::<6>::start();
        // At depth 1 the null move leads to the horizon, where the other side stands at +100.
        assert_eq!(cut(start, params, 1, Score::estimate(-100), 1), Some(Score::estimate(-100)));
        assert_eq!(cut(start, params, 1, Score::estimate(-99), 1), None);
        assert_eq!(cut(start, params, 1, Score::estimate(-100), 0), None, "at the root");
        assert_eq!(cut(start, params, 0, Score::estimate(-100), 1), None, "below the minimum depth");
        assert_eq!(cut(checkers::Position::start(), params, 1, Score::estimate(-100), 1), None, "in checkers");
    }

    #[test]
    fn prob_cut_needs_a_margin_in_a_shallower_search() {
        let params = Params { prob_cut: Some(ProbCut { from_depth: Depth(2), reduction: 2, margin: 25 }), ..NOTHING() };
        let cut = |depth, beta| cut(checkers::Position::start(), params, depth, Score::estimate(beta), 0);
        assert_eq!(cut(2, 75), Some(Score::estimate(100)));
        assert_eq!(cut(2, 76), None);
        assert_eq!(cut(1, -300), None);
    }

    #[test]
    fn nothing_is_cut_without_a_technique() {
        assert_eq!(cut(loa::Position::<6>::start(), NOTHING(), 3, Score::estimate(-300), 1), None);
    }
}
