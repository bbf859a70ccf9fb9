//! Tournaments: plays the games that are missing from a store, here or on many machines.

use super::agent::Agent;
use super::record::GameRecord;
use super::schedule::PlannedGame;

/// Where games are played: the referee, as tournaments know it.
pub trait Arena: Sync {
    /// Plays a game between Black and White. Called from several threads at once; never panics. That the referee
    /// itself failed is told as [`Reason::Failed`](super::record::Reason::Failed).
    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord;

    /// How an agent calls itself, where the league asks it for that; called once for each agent before its first game.
    fn title(&self, agent: &Agent) -> Option<String>;
}
