//! Quiescence search.

use super::limit_check::Stopped;
use super::node::{Frame, Node};
use super::state::Search;
use super::window::Window;
use crate::game::{Evaluator, Knowledge, Searched};
use crate::score::Score;

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
