//! Forward pruning: futility, null move and ProbCut.

use super::limit_check::Stopped;
use super::node::{Frame, Node};
use super::state::Search;
use super::window::Window;
use crate::game::{Evaluator, Knowledge, Searched};
use crate::score::{Depth, Score};

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
    use crate::checkers;
    use crate::game::{Game, History, NoKnowledge};
    use crate::loa;
    use crate::search::params::{Futility, NullMove, Params, ProbCut};
    use crate::search::{Limits, Searcher};

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
