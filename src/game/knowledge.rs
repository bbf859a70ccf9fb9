use super::Game;

/// What a table knows of a position, for the side to move, under the rules' count of quiet turns.
///
/// It is exact: a win is never undone by that count, and a draw is no more than one. Distances are
/// upper bounds. They lead to the next zeroing turn (a capture or crowning by either side, or the end
/// of the game), after which the game is as good as before and the count starts anew; so they never
/// say how far the end of the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins.
    Win {
        /// To the next zeroing turn, at most; 0 to 50.
        plies: u16,
    },
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss {
        /// To the next zeroing turn, at most; 0 to 50.
        plies: u16,
    },
}

/// Endgame tables of a game.
///
/// Beside [`Game`], not in it, and a parameter of the search: where there are none, nothing is asked.
pub trait Knowledge<G: Game> {
    /// What the tables say of `position`, after `quiet_turns` turns in a row without a zeroing one;
    /// `None`: they cannot answer (too many pieces, or a distance that is not stored finely enough for
    /// this count).
    ///
    /// Any position may be asked of, also one in which the side to move has lost already: `None`, or a
    /// loss with 0 plies. Most positions of a search have too many pieces, and there the answer must
    /// cost next to nothing.
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
