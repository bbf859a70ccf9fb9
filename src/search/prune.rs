use super::Observer;
use super::run::{Frame, Node, Run, Stopped};
use super::window::Window;
use crate::game::{Evaluator, Game};
use crate::score::{Depth, Score};

impl<G: Game, E: Evaluator<G>, O: Observer<G>> Run<'_, G, E, O> {
    /// Forward pruning of a node with a choice, its moves listed in the first frame, and a null
    /// window: the value to return without a search of all moves, or none. The list is whole
    /// again afterwards.
    pub(super) fn prune(
        &mut self,
        node: &Node<G, E::State>,
        depth: Depth,
        window: Window,
        frames: &mut [Frame<G>],
    ) -> Result<Option<Score>, Stopped> {
        if window.beta.is_decided() || window.alpha.is_decided() {
            return Ok(None);
        }

        // ProbCut: a shallower search finds the node far above the window.
        if let Some(cut) = self.params.prob_cut
            && depth >= cut.from_depth
        {
            let beta = window.beta.raised(cut.margin);
            let score = self.value(node, depth - cut.reduction, Window::null_below(beta), frames)?;
            if score >= beta {
                return Ok(Some(score));
            }
            let list = &mut frames[0].list;
            list.clear();
            node.position.moves(list);
        }
        Ok(None)
    }
}
