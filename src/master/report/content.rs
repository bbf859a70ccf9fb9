//! The tournament that a report shows.

use crate::league::League;
use crate::tournament::bracket::Bracket;
use crate::tournament::schedule::TournamentRules;
use crate::tournament::store::{EarlierRound, Store, StoreError, StoredAgent, Summary};

/// Content of a report, apart from the turns of games.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Title of the site.
    pub name: String,
    /// Rules of the games.
    pub league: League,
    /// Rules of the pairings.
    pub rules: TournamentRules,
    /// All agents.
    pub agents: Vec<StoredAgent>,
    /// Round after which each agent was out, or `None` if it is still in.
    pub out: Vec<Option<u32>>,
    /// Games played so far, in the order of play.
    pub games: Vec<Summary>,
    /// Number of games still to be played, as far as known.
    pub missing: u64,
    /// Number of missing games in which the referee failed.
    pub failed: u64,
    /// Elimination rounds and winners.
    pub bracket: Option<Bracket>,
    /// Earlier rounds of the course that the store began with, oldest first.
    pub earlier: Vec<EarlierRound>,
}

impl Tournament {
    /// Reads a tournament from its store. Its name is the name of the store's file without the extension.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn of(store: &Store) -> Result<Tournament, StoreError> {
        // All failed games count as given up, which lists them apart from games that were never tried.
        let standing = store.schedule(&|_| true)?;
        Ok(Tournament {
            bracket: Bracket::of(store.rules(), &standing),
            name: store.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            league: store.league().clone(),
            rules: *store.rules(),
            agents: store.agents()?,
            out: standing.out,
            games: standing.done,
            missing: (standing.missing.len() + standing.failed.len()) as u64,
            failed: standing.failed.len() as u64,
            earlier: store.earlier()?,
        })
    }
}
