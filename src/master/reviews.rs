//! Reviews of recorded games by the engine: of a tournament's store, and of a student's lost games.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | how is a recorded game reviewed? |
//! | `lines` | which lines does a file of reviews have? |
//! | `file` | where are the reviews of a store kept, and is a file theirs? |
//! | `lost` | how are the games reviewed that students lost? |
//! | `run` | how are the games of a store reviewed with all cores? |

mod file;
mod game;
mod lines;
mod lost;
mod run;

pub use file::{NotReviews, ReviewFile};
pub use game::{Work, review_game};
pub use lost::{KeptReviews, LostGame, LostGames, lost_games, review_lost};
pub use run::review_games;
