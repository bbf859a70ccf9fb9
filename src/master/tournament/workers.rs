//! The arena of a tournament, its worker threads and its observer.

use crate::intake::agent::Agent;
use crate::record::GameRecord;
use crate::stop::StopFlag;
use crate::tournament::schedule::PlannedGame;

/// A place where games are played, and a tournament's only access to the referee. Its methods are called from several
/// threads at once.
pub trait Arena: Sync {
    /// Prepares an agent for its first game here, which includes running its `calibrate`. Called once for each agent
    /// that will play. Returns the name that the agent gives itself, if the league asks for one.
    fn prepare(&self, agent: &Agent) -> Option<String>;

    /// Plays a game between Black and White; never panics. If the referee fails, or the stop flag is set, the record
    /// ends with [`EndReason::Failed`](crate::record::EndReason::Failed).
    fn play(&self, game: &PlannedGame, agents: [&Agent; 2]) -> GameRecord;
}

/// An arena and the number of games that it plays at once.
#[derive(Clone, Copy)]
pub struct Workers<'a> {
    /// Plays the games.
    pub arena: &'a dyn Arena,
    /// Number of games played at once.
    pub jobs: usize,
    /// Ends all games when set.
    pub stop: &'a StopFlag,
}

/// An observer of a tournament's progress.
pub trait TournamentObserver {
    /// Called before a batch of `games` games.
    fn begin(&mut self, games: usize);
    /// Called after a game has ended or failed.
    fn ended(&mut self, game: &PlannedGame, record: &GameRecord);
}

/// Both observers, one after the other; the second may be missing.
impl<A: TournamentObserver, B: TournamentObserver> TournamentObserver for (A, Option<B>) {
    fn begin(&mut self, games: usize) {
        self.0.begin(games);
        self.1.iter_mut().for_each(|observer| observer.begin(games));
    }

    fn ended(&mut self, game: &PlannedGame, record: &GameRecord) {
        self.0.ended(game, record);
        self.1.iter_mut().for_each(|observer| observer.ended(game, record));
    }
}
