//! One side of a game: what the referee asks it, and what it answers.

use std::time::Duration;

use crate::league::clock_rules::{Spent, TimeUsage};
use crate::record::{Turn, Violation};
use crate::sandbox::Peak;
use kingline::game::{Color, Game, History};
use kingline::{checkers, loa};

/// One side of a game, as the referee sees it.
pub trait Player<G: Game> {
    /// Prepares for a game.
    fn begin(&mut self, _side: Color) -> anyhow::Result<()> {
        Ok(())
    }

    /// Asks for a move.
    fn choose(&mut self, ask: &Ask<G>) -> anyhow::Result<Answer<G::Move>>;

    /// Ends the game; returns a violation if the player's claim about the result is wrong. Most players make no claim.
    fn finish(&mut self, _end: &GameEnd<G>) -> anyhow::Result<Option<Violation>> {
        Ok(None)
    }
}

/// A request for a move.
#[derive(Debug)]
pub struct Ask<'a, G: Game> {
    /// The game so far; the player moves in its last position.
    pub history: &'a History<G>,
    /// All moves since the start of the game.
    pub moves: &'a [G::Move],
    /// Time left for the side to move, if the game is timed.
    pub left: Option<Duration>,
    /// Time that this turn may take by the league's clock.
    pub within: Duration,
}

/// The end of a game by the rules.
#[derive(Debug)]
pub struct GameEnd<'a, G: Game> {
    /// All moves of the game.
    pub moves: &'a [G::Move],
    /// The winner by the rules, if there is one.
    pub winner: Option<Color>,
}

/// A player's answer.
#[derive(Clone, Debug)]
pub struct Answer<M> {
    /// A legal move, or the violation in its place.
    pub mv: Result<M, Violation>,
    /// Time that the turn took.
    pub spent: Spent,
    /// Peak use of resources in the turn.
    pub peak: Peak,
    /// Time that it spent waiting for a core, which is not part of its wall time.
    pub waited: Duration,
    /// Oddities that are not faults.
    pub notes: Vec<String>,
}

impl<M> Answer<M> {
    /// Time of the turn, for verdicts.
    pub fn usage(&self) -> TimeUsage {
        TimeUsage { spent: self.spent, waited: self.waited }
    }

    /// An answer with this move and time, and nothing else.
    pub fn new(mv: Result<M, Violation>, spent: Spent) -> Answer<M> {
        Answer { mv, spent, waited: Duration::ZERO, peak: Peak::default(), notes: Vec::new() }
    }
}

/// An observer of a game as it is played.
pub trait GameObserver<G: Game> {
    /// Called at the start of a game, with the moves of its opening.
    fn begun(&mut self, _opening: &[G::Move]) {}

    /// Called after a turn, with the positions before and after it.
    fn turned(&mut self, before: &G, after: &G, turn: &Turn);
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl<G: Game> GameObserver<G> for NoObserver {
    fn turned(&mut self, _: &G, _: &G, _: &Turn) {}
}

/// Both observers, one after the other.
impl<G: Game, A: GameObserver<G>, B: GameObserver<G>> GameObserver<G> for (A, B) {
    fn begun(&mut self, opening: &[G::Move]) {
        self.0.begun(opening);
        self.1.begun(opening);
    }

    fn turned(&mut self, before: &G, after: &G, turn: &Turn) {
        self.0.turned(before, after, turn);
        self.1.turned(before, after, turn);
    }
}

/// An observer that may be missing.
impl<G: Game, O: GameObserver<G>> GameObserver<G> for Option<O> {
    fn begun(&mut self, opening: &[G::Move]) {
        self.iter_mut().for_each(|observer| observer.begun(opening));
    }

    fn turned(&mut self, before: &G, after: &G, turn: &Turn) {
        self.iter_mut().for_each(|observer| observer.turned(before, after, turn));
    }
}

/// An observer that can watch any game.
pub trait AnyGameObserver:
    GameObserver<checkers::Position> + GameObserver<loa::Position<8>> + GameObserver<loa::Position<6>>
{
}

impl<T: GameObserver<checkers::Position> + GameObserver<loa::Position<8>> + GameObserver<loa::Position<6>>>
    AnyGameObserver for T
{
}
