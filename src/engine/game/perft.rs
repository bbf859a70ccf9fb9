//! Perft: counts the leaves of the game tree. Known counts test the move generator.

use super::move_list::MoveList;
use super::rules::Game;

/// Counts the leaves of the game tree `depth` plies below `position`; a finished game has no moves.
pub fn perft<G: Game>(position: G, depth: usize) -> u64 {
    fn leaves<G: Game>(position: G, lists: &mut [MoveList<G::Move>]) -> u64 {
        let Some((list, deeper)) = lists.split_first_mut() else { return 1 };
        if position.outcome().is_some() {
            return 0;
        }
        list.clear();
        position.moves(list);
        if deeper.is_empty() {
            return list.len() as u64;
        }
        list.iter().map(|&mv| leaves(position.play(mv), deeper)).sum()
    }
    leaves(position, &mut vec![MoveList::new(); depth])
}
