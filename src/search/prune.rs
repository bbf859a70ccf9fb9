//! Which nodes are cut unsearched?

use super::limit_check::Stopped;
use super::node::Node;
use super::order::PlyBuffers;
use super::state::Search;
use super::window::Window;
use crate::game::{Evaluator, Game, Knowledge};
use crate::score::{Depth, Score};

impl<G: Game, E: Evaluator<G>, T: Knowledge<G>> Search<'_, G, E, T> {
    /// Forward pruning of a node with a choice and a null window: the value to return without a search of all moves, or
    /// none.
    pub(super) fn prune(
        &mut self,
        node: &Node<G, E::State>,
        depth: Depth,
        window: Window,
        buffers: &mut [PlyBuffers<G>],
    ) -> Result<Option<Score>, Stopped> {
        if window.beta.is_decided() || window.alpha.is_decided() {
            return Ok(None);
        }

        // Futility: no few plies will lose so much.
        if let Some(futility) = self.params.futility
            && depth <= futility.to_depth
        {
            let score = node.evaluate(self.evaluator);
            if score >= window.beta.plus(futility.margin.saturating_mul(depth.0)) {
                return Ok(Some(score));
            }
        }

        // Null move: even with a turn given up the node stands above the window. Never two in a row.
        if let Some(null) = self.params.null_move
            && depth >= null.from_depth
            && node.previous.is_some()
            && let Some(passed) = node.passed(self.evaluator)
            && node.evaluate(self.evaluator) >= window.beta
        {
            self.enter(&passed)?;
            let less = null.reduction + depth.0 / null.divisor.max(1);
            let score = -self.value(&passed, depth - 1 - less, -Window::null_below(window.beta), buffers)?;
            if score >= window.beta {
                // A win after a null move proves nothing.
                return Ok(Some(if score.is_decided() { window.beta } else { score }));
            }
        }

        // ProbCut: a shallower search finds the node far above the window.
        if let Some(cut) = self.params.prob_cut
            && depth >= cut.from_depth
        {
            let beta = window.beta.plus(cut.margin);
            let score = self.value(node, depth - cut.reduction, Window::null_below(beta), buffers)?;
            if score >= beta {
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}
