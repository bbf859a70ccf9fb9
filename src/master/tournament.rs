//! Tournaments: who plays whom, on this machine or in shards on many, and the results.
//!
//! | module | question it answers |
//! | --- | --- |
//! | [`schedule`] | who plays whom, how often, from which opening? |
//! | [`store`] | what is stored about a tournament? |
//! | [`arena`] | where are games played? |
//! | [`standings`], [`bracket`], [`rating`] | who is ahead, who is out, how strong is each agent? |
//! | [`audit`], [`verify`] | do a game's moves bear out its result? |
//! | `enter` | how is a store opened or created on the requested terms, and how do two leagues differ? |
//! | `run` | how does a tournament continue on this machine? |
//! | `plan`, `shard`, `merge` | which games are in which shard, which shard is that of this process, and how do results get into the store? |

pub mod arena;
pub mod audit;
pub mod bracket;
mod enter;
mod error;
mod merge;
mod plan;
pub mod rating;
mod run;
pub mod schedule;
mod shard;
pub mod standings;
pub mod store;
pub mod verify;

pub use enter::{TournamentTerms, begin_round, enter, is_new};
pub use error::TournamentError;
pub use merge::{Merged, merge};
pub use plan::{TournamentPlan, play_shard};
pub use run::{Arena, TournamentEnd, TournamentObserver, UnplayedGames, Workers, run};
pub use shard::{Shard, ShardSpec};
