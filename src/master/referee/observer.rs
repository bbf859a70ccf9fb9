//! Observers of games as they are played.

use crate::record::Turn;
use kingline::game::Game;
use kingline::{checkers, loa};

/// An observer of a game as it is played.
pub trait GameObserver<G: Game> {
    /// Called after a turn, with the positions before and after it.
    fn turned(&mut self, before: &G, after: &G, turn: &Turn);
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl<G: Game> GameObserver<G> for NoObserver {
    fn turned(&mut self, _: &G, _: &G, _: &Turn) {}
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
