//! Random openings.

use super::history::History;
use super::rules::Game;

/// A random opening that does not end the game.
#[derive(Clone, Debug)]
pub struct Opening<G: Game> {
    /// Moves in the order played.
    pub moves: Vec<G::Move>,
    /// Game after these moves.
    pub history: History<G>,
}

/// Plays `plies` random moves from the start; `None` if the game is over by then.
///
/// `draw` is called once per move with the number of legal moves and returns an index below it. If it draws uniformly,
/// all legal moves are equally likely.
///
/// ```
/// use kingline::checkers::Position;
/// use kingline::game::random_opening;
///
/// let mut state = 1usize;
/// let opening = random_opening::<Position>(3, |moves| {
///     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
///     (state >> 33) % moves
/// });
/// assert_eq!(opening.map(|opening| opening.moves.len()), Some(3));
/// ```
pub fn random_opening<G: Game>(plies: usize, mut draw: impl FnMut(usize) -> usize) -> Option<Opening<G>> {
    let mut opening = Opening { moves: Vec::with_capacity(plies), history: History::new(G::start()) };
    while opening.history.ending().is_none() {
        if opening.moves.len() == plies {
            return Some(opening);
        }
        let list = opening.history.position().legal_moves();
        let mv = list[draw(list.len())];
        opening.history.play(mv);
        opening.moves.push(mv);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{checkers, loa};

    #[test]
    fn an_opening_holds_its_moves_and_the_game_continues() {
        let opening = random_opening::<checkers::Position>(8, |moves| moves - 1).unwrap();
        let mut history = History::new(checkers::Position::start());
        for &mv in &opening.moves {
            assert!(history.position().legal_moves().contains(&mv));
            history.play(mv);
        }
        assert_eq!((opening.moves.len(), &opening.history), (8, &history));
        assert_eq!(history.ending(), None);
    }

    #[test]
    fn a_game_that_ends_gives_no_opening() {
        let mut asked = 0;
        let opening = random_opening::<loa::Position<6>>(10_000, |moves| {
            asked += 1;
            asked * 7 % moves
        });
        assert!(opening.is_none() && asked < 10_000, "{asked} moves");
    }
}
