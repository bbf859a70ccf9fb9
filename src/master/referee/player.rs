use std::time::Duration;

use crate::game::{Color, Game, History};
use crate::master::clock_rules::Spent;
use crate::master::record::Violation;

/// One side of a game, as the referee asks it.
pub trait Player<G: Game> {
    /// Makes ready for a game.
    ///
    /// # Errors
    /// The referee's own means fail: nobody's fault.
    fn begin(&mut self, side: Color) -> anyhow::Result<()>;

    /// Asks for a move.
    ///
    /// # Errors
    /// The referee's own means fail: nobody's fault.
    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>>;

    /// The game is over: what the player says of it, if that is wrong.
    ///
    /// # Errors
    /// The referee's own means fail: nobody's fault.
    fn finish(&mut self, end: &GameEnd<G>) -> anyhow::Result<Option<Violation>>;
}

/// What a player is asked.
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    /// The game so far; its last position is the one to move in.
    pub history: &'a History<G>,
    /// All moves since the start of the game.
    pub moves: &'a [G::Move],
    /// What the side to move has left of its game's time, if that is bounded.
    pub left: Option<Duration>,
    /// What this turn may take, of what the league's clock counts.
    pub within: Duration,
}

/// How a game ended by the rules.
#[derive(Debug)]
pub struct GameEnd<'a, G: Game> {
    /// All moves of the game.
    pub moves: &'a [G::Move],
    /// Who won by the rules; `None`: nobody.
    pub winner: Option<Color>,
}

/// What a player answered.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// The move, which must be legal, or why there is none.
    pub mv: Result<M, Violation>,
    /// What the turn cost.
    pub spent: Spent,
    /// What is odd, but no fault.
    pub notes: Vec<String>,
}
