//! How is a game played from the start to the verdict? One function does it, for every game and every kind of player.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | how does a game go from its opening to its record? |
//! | `player` | what is a side asked, and what may it answer? |
//! | `observer` | who sees the game as it is played? |
//! | `ongoing_game` | how is a game played turn by turn? |
//! | `ruling` | how do the rules of game and league judge the board? |
//! | [`players`] | how is an agent asked for its moves? |

mod game;
mod observer;
mod ongoing_game;
mod player;
pub mod players;
mod ruling;

pub use game::{GameSetup, referee};
pub use observer::{AnyGameObserver, GameObserver, NoObserver};
pub use player::{Answer, Ask, GameEnd, Player};
pub(super) use ruling::ruling;
