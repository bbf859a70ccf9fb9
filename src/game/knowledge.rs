//! What is known of a position without search?

use super::rules::Game;

/// What a table knows of a position, for the side to move, under the rules' count of quiet turns.
///
/// It is exact: no win turns into a draw by that count. Distances are upper bounds. They lead to the next zeroing turn
/// (a capture or crowning by either side, or the end of the game), after which the verdict still holds and the count
/// starts again; so they do not tell how far away the end of the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins.
    Win {
        /// To the next zeroing turn, at most: 0 to 50.
        plies: u16,
    },
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss {
        /// To the next zeroing turn, at most: 0 to 50.
        plies: u16,
    },
}

/// Endgame tables of a game: a parameter of the search, so that without tables nothing is asked.
pub trait Knowledge<G: Game> {
    /// What the tables say of `position`, after `quiet_turns` turns in a row without a zeroing one;
    /// `None`: they cannot answer (too many pieces, or a distance that is not stored finely enough for
    /// this count).
    ///
    /// Any position may be asked for, also a finished game: `None`, or a loss with 0 plies. Most positions of a search
    /// have too many pieces, and there the answer must cost next to nothing.
    fn probe(&self, position: &G, quiet_turns: u16) -> Option<Verdict>;
}

/// No tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {
    #[inline]
    fn probe(&self, _position: &G, _quiet_turns: u16) -> Option<Verdict> {
        None
    }
}

impl<G: Game, T: Knowledge<G>> Knowledge<G> for &T {
    #[inline]
    fn probe(&self, position: &G, quiet_turns: u16) -> Option<Verdict> {
        (**self).probe(position, quiet_turns)
    }
}
