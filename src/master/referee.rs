//! How is a game played from the start to the verdict? One function does it, for every game and every kind of player.

mod game;
mod player;
pub mod players;

pub(super) use game::ruling;
pub use game::{GameSetup, referee};
pub use player::{Answer, AnyGameObserver, Ask, GameEnd, GameObserver, NoObserver, Player};
