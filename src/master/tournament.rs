//! Tournaments: who plays whom, on this machine or in shards on many, and the results.
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`schedule`] | who plays whom, how often, from which opening? |
//! | [`store`] | what is stored about a tournament? |
//! | [`arena`] | where are games played? |
//! | [`standings`], [`bracket`], [`rating`] | who is ahead, who is out, how strong is each agent? |
//! | [`audit`], [`verify`] | do a game's moves bear out its result? |
//! | `enter` | how is a store opened or created on the requested terms? |
//! | `since` | how does a new round begin with the games of an earlier one? |
//! | `differences` | how do two leagues differ, in words? |
//! | `workers` | where are games played, how many at once, and who watches? |
//! | `play` | how are many games played at once? |
//! | `run` | how does a tournament continue on this machine? |
//! | `plan` | which games are in which shard, and how does a shard continue? |
//! | `shard` | which shard belongs to this process? |
//! | `merge` | how do results get into the store, and which are refused? |
//! | `unplayed` | did most games fail, or end because an agent could not be started? |
//! | `error` | what can go wrong? |

pub mod arena;
pub mod audit;
pub mod bracket;
mod differences;
mod enter;
mod error;
mod merge;
mod plan;
mod play;
pub mod rating;
mod run;
pub mod schedule;
mod shard;
mod since;
pub mod standings;
pub mod store;
mod unplayed;
pub mod verify;
mod workers;

pub use enter::{TournamentTerms, enter, is_new};
pub use error::TournamentError;
pub use merge::{Merged, merge};
pub use plan::{TournamentPlan, play_shard};
pub use run::{TournamentEnd, run};
pub use shard::{Shard, ShardSpec};
pub use since::begin_round;
pub use unplayed::UnplayedGames;
pub use workers::{Arena, TournamentObserver, Workers};
