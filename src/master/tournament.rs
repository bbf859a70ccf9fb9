//! How do the games of a tournament get played, on this machine or in shards on many?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `enter` | which store goes with which agents |
//! | `differences` | in what two leagues differ, in words |
//! | `play` | how many games are played at once, and who keeps their results |
//! | `run` | how a tournament is played on this machine, from where it was |
//! | `lines` | how plans and results are written as text, and read |
//! | `plan` | which games are to be played, and in which shard |
//! | `array` | which shard is this process's |
//! | `shard` | how a shard is played, from where it was |
//! | `partial_results` | what is kept of a shard that is not complete |
//! | `merge` | how results get into the store, and which are refused |
//! | `unplayed` | whether most games ended before anybody had played |
//! | `error` | what can go wrong |

mod array;
mod differences;
mod enter;
mod error;
mod lines;
mod merge;
mod partial_results;
mod plan;
mod play;
mod run;
mod shard;
mod unplayed;

pub use array::{Shard, ShardSpec};
pub use enter::{TournamentTerms, enter};
pub use error::TournamentError;
pub use merge::{Merged, merge};
pub use plan::TournamentPlan;
pub use run::{TournamentEnd, run};
pub use shard::play_shard;
pub use unplayed::UnplayedGames;

use super::agent::Agent;
use super::record::GameRecord;
use super::schedule::PlannedGame;
use super::stop::StopFlag;

/// Where games are played: the referee, as tournaments know it. Its methods are called from several threads at once.
pub trait Arena: Sync {
    /// Prepares an agent for its first game here, `calibrate` included; called once for each agent that is to play.
    /// Returns its own name for itself, where the league asks for one.
    fn prepare(&self, agent: &Agent) -> Option<String>;

    /// Plays a game between Black and White; never panics. If the referee itself fails, or the stop flag is set, the
    /// record ends with [`EndReason::Failed`](super::record::EndReason::Failed).
    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord;
}

/// Where games are played, and how many at once.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// Where games are played.
    pub arena: &'a dyn Arena,
    /// Games at once.
    pub jobs: usize,
    /// Ends all games when it is set.
    pub stop: &'a StopFlag,
}

/// Sees the progress of a tournament.
pub trait TournamentObserver {
    /// This many games are to be played now.
    fn begin(&mut self, games: usize);
    /// A game has ended, or failed.
    fn ended(&mut self, game: &PlannedGame, record: &GameRecord);
}
