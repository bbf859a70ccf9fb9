//! Which store goes with which agents?

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use crate::master::agent::Agent;
use crate::master::league::{League, Pairing};
use crate::master::schedule::TournamentRules;
use crate::master::store::{Changes, Store, StoreError, StoreWriter};

/// The requested terms of a tournament; those left open are as in its store, or the default for a new one.
#[derive(Clone, Debug, Default)]
pub struct TournamentTerms {
    /// Its rules and clocks. Default: checkers.
    pub league: Option<League>,
    /// Who meets whom. Default: that of the league.
    pub pairing: Option<Pairing>,
    /// Games of two agents that meet; even, above 0. Default: 2.
    pub games: Option<u32>,
    /// Seeds the openings. Default: 1.
    pub seed: Option<u64>,
}

const DEFAULT_LEAGUE: &str = "checkers";

impl TournamentTerms {
    /// The terms of the tournament whose store is, or will be, at `path`.
    ///
    /// # Errors
    /// The store cannot be read, or has other terms.
    pub fn settle(&self, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        if is_new(path) {
            let Some(mut league) = self.league.clone().or_else(|| League::named(DEFAULT_LEAGUE)) else {
                return Err(StoreError::OtherTournament(path.to_owned(), "it has no league".to_owned()));
            };
            league.pairing = self.pairing.unwrap_or(league.pairing);
            let pairing = league.pairing;
            return Ok((
                league,
                TournamentRules { pairing, games: self.games.unwrap_or(2), seed: self.seed.unwrap_or(1) },
            ));
        }
        let store = Store::open(path)?;
        let (league, rules) = (store.league(), store.rules());
        let asked = self.league.clone().map(|asked| League { pairing: rules.pairing, ..asked });
        same(path, "league", &league.name, asked.as_ref().map(|asked| &asked.name))?;
        same(path, "league", league, asked.as_ref())?;
        same(path, "pairing", &rules.pairing, self.pairing.as_ref())?;
        same(path, "games of two agents", &rules.games, self.games.as_ref())?;
        same(path, "seed", &rules.seed, self.seed.as_ref())?;
        Ok((league.clone(), *rules))
    }
}

/// The store of a tournament on these terms, between these agents: a new one, or that of an earlier run.
///
/// # Errors
/// The store cannot be used.
pub fn enter(
    path: &Path,
    (league, rules): &(League, TournamentRules),
    agents: &[Agent],
) -> Result<(StoreWriter, Changes), StoreError> {
    let mut store = if is_new(path) { StoreWriter::create(path, league, rules)? } else { StoreWriter::resume(path)? };
    let changes = store.enter(agents.iter().map(|agent| (agent.name.as_str(), agent.hash.as_str())))?;
    Ok((store, changes))
}

/// Whether there is no store yet: no file, or an empty one, as a master that was killed at its start leaves it.
fn is_new(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |about| about.is_file() && about.len() == 0)
}

fn same<T: Debug + PartialEq>(path: &Path, what: &str, found: &T, asked: Option<&T>) -> Result<(), StoreError> {
    match asked.filter(|&asked| asked != found) {
        None => Ok(()),
        Some(asked) => {
            let differs = format!("its {what} is {found:?}, not {asked:?} as requested");
            Err(StoreError::OtherTournament(path.to_owned(), differs))
        }
    }
}
