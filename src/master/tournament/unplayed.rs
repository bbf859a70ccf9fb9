//! Games that failed, or in which an agent could not be started.
//!
//! An agent that cannot be started loses by the rules. But if most games end this way, the likely cause is the machine
//! or a mistake in unpacking the submissions, and the table does not show who plays better.

use std::collections::BTreeMap;
use std::fmt;

use crate::record::{EndReason, FaultKind, GameRecord};
use crate::tournament::store::{Store, StoreError, TournamentState};
use kingline::game::Color;
use kingline_players::terminal::escaped;

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
    ///
    /// # Errors
    /// The store cannot be read.
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
        /// Number of agents listed.
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
