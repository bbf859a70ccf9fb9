//! Playing a tournament on this machine, from where it stopped, and the games that could not be played.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use super::error::TournamentError;
use crate::intake::agent::Agent;
use crate::record::{EndReason, FaultKind, GameRecord};
use crate::stop::StopFlag;
use crate::threads::spread;
use crate::tournament::schedule::PlannedGame;
use crate::tournament::store::{Store, StoreError, StoreWriter, TournamentState};
use kingline::game::Color;
use kingline_players::terminal::escaped;

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
impl<A: TournamentObserver> TournamentObserver for (A, Option<Box<dyn TournamentObserver>>) {
    fn begin(&mut self, games: usize) {
        self.0.begin(games);
        self.1.iter_mut().for_each(|observer| observer.begin(games));
    }

    fn ended(&mut self, game: &PlannedGame, record: &GameRecord) {
        self.0.ended(game, record);
        self.1.iter_mut().for_each(|observer| observer.ended(game, record));
    }
}

pub(super) fn prepare<E>(
    agents: &[&Agent],
    workers: &Workers<'_>,
    mut keep: impl FnMut(&Agent, &str) -> Result<(), E>,
) -> Result<(), E> {
    let work = |agent: &&Agent| workers.arena.prepare(agent);
    spread(agents, workers.jobs, workers.stop, work, |agent, title| title.map_or(Ok(()), |title| keep(agent, &title)))
}

/// Plays games, and passes each to `keep` as it ends. Drops games that fail because the stop flag is set.
pub(super) fn play<E>(
    games: &[PlannedGame],
    agents: &[Agent],
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
    mut keep: impl FnMut(&PlannedGame, &GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let work = |game: &PlannedGame| workers.arena.play(game, game.agents.map(|agent| &agents[agent]));
    spread(games, workers.jobs, workers.stop, work, |game, record| {
        if !(workers.stop.is_requested() && is_failed(&record)) {
            keep(game, &record)?;
            observer.ended(game, &record);
        }
        Ok(())
    })
}

pub(super) fn is_failed(record: &GameRecord) -> bool {
    matches!(record.verdict.reason, EndReason::Failed(_))
}

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All games of the tournament were played.
    Complete,
    /// The referee failed in the given number of games; the next run retries them.
    Failed(usize),
    /// The stop flag was set; the next run continues.
    Stopped,
}

/// Plays the missing games, round after round. Records each game when it ends, so that the next run continues from
/// there, however this one ends.
///
/// # Errors
/// The store cannot be written, or `agents` are not the store's agents in the store's order.
pub fn run(
    store: &mut StoreWriter,
    agents: &[Agent],
    workers: &Workers<'_>,
    observer: &mut dyn TournamentObserver,
) -> Result<TournamentEnd, TournamentError> {
    let entered = store.agents()?;
    let entered = entered.iter().map(|agent| (&agent.name, &agent.hash));
    if !entered.eq(agents.iter().map(|agent| (&agent.name, &agent.hash))) {
        return Err(TournamentError::Agents(vec!["the store has different agents".to_owned()]));
    }
    let mut given_up = HashSet::new();
    let mut ready = HashSet::new();
    loop {
        let standing = store.schedule(&|game| given_up.contains(game))?;
        if workers.stop.is_requested() {
            return Ok(TournamentEnd::Stopped);
        }
        if standing.missing.is_empty() {
            let failed = standing.failed.len();
            return Ok(if failed == 0 { TournamentEnd::Complete } else { TournamentEnd::Failed(failed) });
        }
        observer.begin(standing.missing.len());
        let playing = standing.missing.iter().flat_map(|game| game.agents);
        let unready: Vec<&Agent> = playing.filter(|&agent| ready.insert(agent)).map(|agent| &agents[agent]).collect();
        prepare(&unready, workers, |agent, title| store.set_title(&agent.name, title))?;
        play(&standing.missing, agents, workers, observer, |game, record| {
            if is_failed(record) {
                given_up.insert(*game);
            }
            store.record(game, record).map(drop)
        })
        .map_err(|error: StoreError| TournamentError::Store(error))?;
    }
}

/// Counts of tried games, and of those among them that do not show who plays better.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnplayedGames {
    /// Games that were tried.
    pub tried: usize,
    /// Games in which an agent could not be started.
    pub not_started: usize,
    /// Games in which the referee failed.
    pub failed: usize,
    /// Agents that could not be started, with the number of games.
    pub agents: BTreeMap<String, usize>,
}

impl UnplayedGames {
    /// Counts the games of a tournament so far.
    pub fn of(store: &Store) -> Result<UnplayedGames, StoreError> {
        // All failed games count as given up, which distinguishes them from games that were never tried.
        let TournamentState { done, failed, .. } = store.schedule(&|_| true)?;
        let (agents, mut not_started) = (store.agents()?, store.not_started()?);
        let mut unplayed = UnplayedGames { tried: failed.len(), failed: failed.len(), ..UnplayedGames::default() };
        for game in done {
            let sides = not_started.remove(&game.id).unwrap_or_default();
            unplayed.add(sides, game.agents.map(|agent| &*agents[agent].name));
        }
        Ok(unplayed)
    }

    /// Adds a game that was tried.
    pub fn add_record(&mut self, record: &GameRecord) {
        if matches!(record.verdict.reason, EndReason::Failed(_)) {
            self.tried += 1;
            self.failed += 1;
            return;
        }
        let mut sides = [false; 2];
        let of_start = record.faults().filter(|fault| fault.kind == FaultKind::NotStarted);
        of_start.for_each(|fault| sides[fault.side.index()] = true);
        self.add(sides, record.names.each_ref().map(|name| &**name));
    }

    /// Adds a game in which these sides could not be started.
    fn add(&mut self, sides: [bool; 2], names: [&str; 2]) {
        self.tried += 1;
        self.not_started += usize::from(sides.contains(&true));
        for side in Color::ALL.map(Color::index).into_iter().filter(|&side| sides[side]) {
            *self.agents.entry(names[side].to_owned()).or_default() += 1;
        }
    }

    /// Returns true if more than half of the games tried were not played.
    pub fn are_most(&self) -> bool {
        2 * (self.not_started + self.failed) > self.tried
    }
}

impl fmt::Display for UnplayedGames {
    /// Formats several lines, without a final newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 20;
        let UnplayedGames { tried, not_started, failed, agents } = self;
        write!(f, "MOST GAMES WERE NOT PLAYED, SO THE TABLE MEANS LITTLE: of {tried} games, ")?;
        write!(f, "{not_started} ended because an agent could not be started, and {failed} failed")?;
        for (name, games) in agents.iter().take(NAMED) {
            write!(f, "\n  {} could not be started in {games} games", escaped(name))?;
        }
        if agents.len() > NAMED {
            write!(f, "\n  and {} more agents", agents.len() - NAMED)?;
        }
        if !agents.is_empty() {
            f.write_str("\nhelp: run `master check AGENT`, and make its files readable and executable for everybody")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_is_more_than_half_of_all_that_were_tried() {
        let mut games = UnplayedGames::default();
        assert!(!games.are_most());
        games.add([true, false], ["a", "b"]);
        assert!(games.are_most());
        games.add([false, false], ["a", "b"]);
        assert!(!games.are_most());
        games.add([true, true], ["b", "a\u{1b}"]);
        assert!(games.are_most());
        let text = games.to_string();
        for expected in ["of 3 games, 2 ended", "\n  a could not be started in 1 games", "\n  a\\u{1b} could not"] {
            assert!(text.contains(expected), "{text}");
        }
        games.failed = 1;
        games.tried = 7;
        assert!(!games.are_most());
    }
}
