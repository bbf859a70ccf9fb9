//! Reviews of recorded games by the engine: the games of a tournament's store.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `game` | how is a recorded game reviewed? |
//! | `lines` | which lines does a file of reviews have? |
//! | `file` | where are the reviews of a store kept, and is a file theirs? |
//! | `run` | how are the games of a store reviewed with all cores? |

mod file;
mod game;
mod lines;
mod run;

pub use file::{NotReviews, ReviewFile};
pub use game::{Work, review_game};
pub use run::review_games;
