//! Observers of games as they are played.

use crate::record::Turn;
use kingline::game::Game;
use kingline::{checkers, loa};

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
