//! What is a side asked, and what may it answer?

use std::time::Duration;

use crate::game::{Color, Game, History};
use crate::master::clock_rules::{Spent, TimeUsage};
use crate::master::record::Violation;
use crate::master::sandbox::Peak;

/// One side of a game, as the referee asks it.
pub trait Player<G: Game> {
    /// Prepares for a game.
    ///
    /// # Errors
    /// The referee itself fails: no agent's fault.
    fn begin(&mut self, side: Color) -> anyhow::Result<()>;

    /// Asks for a move.
    ///
    /// # Errors
    /// The referee itself fails: no agent's fault.
    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>>;

    /// The game is over: the violation, if the player's claim about the result is wrong.
    ///
    /// # Errors
    /// The referee itself fails: no agent's fault.
    fn finish(&mut self, end: &GameEnd<G>) -> anyhow::Result<Option<Violation>>;
}

/// What a player is asked.
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    /// The game so far; its last position is the one to move in.
    pub history: &'a History<G>,
    /// All moves since the start of the game.
    pub moves: &'a [G::Move],
    /// What the side to move has left for the game, if it is timed.
    pub left: Option<Duration>,
    /// What this turn may take by the league's clock.
    pub within: Duration,
}

/// How a game ended by the rules.
#[derive(Debug)]
pub struct GameEnd<'a, G: Game> {
    /// All moves of the game.
    pub moves: &'a [G::Move],
    /// The winner by the rules, if there is one.
    pub winner: Option<Color>,
}

/// What a player answered.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// A legal move, or why there is none.
    pub mv: Result<M, Violation>,
    /// The time that the turn took.
    pub spent: Spent,
    /// What the agent had at most meanwhile.
    pub peak: Peak,
    /// How long it waited for a core in the turn, which is no part of its wall time.
    pub waited: Duration,
    /// What is odd, but not a fault.
    pub notes: Vec<String>,
}

impl<M> Answer<M> {
    /// The time of the turn, for verdicts.
    pub fn usage(&self) -> TimeUsage {
        TimeUsage { spent: self.spent, waited: self.waited }
    }
}

impl<M> Answer<M> {
    /// An answer of which only the time is known.
    pub fn new(mv: Result<M, Violation>, spent: Spent) -> Answer<M> {
        Answer { mv, spent, waited: Duration::ZERO, peak: Peak::default(), notes: Vec::new() }
    }
}
