//! Which store goes with which agents?

use std::fmt::Display;
use std::fs;
use std::path::Path;

use super::differences::differences;
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
    /// Games of two agents that meet; even, above 0. Default: 2. A store takes more of them, but not fewer.
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
        let mut differs = self.league.as_ref().map_or_else(Vec::new, |asked| differences(league, asked));
        differs.extend(differs_in("the pairing", &in_words(rules.pairing), self.pairing.map(in_words).as_ref()));
        differs.extend(differs_in("the seed", &rules.seed, self.seed.as_ref()));
        let games = self.games.unwrap_or(rules.games);
        if games < rules.games {
            let fewer = format!(
                "the number of games of two agents is {}, not {games} as requested, and can only grow",
                rules.games
            );
            differs.push(fewer);
        }
        if differs.is_empty() {
            return Ok((league.clone(), TournamentRules { games, ..*rules }));
        }
        let way_out = "leave such options out, or give the stored values, to go on with it; or begin another tournament \
                       with --store FILE";
        Err(StoreError::OtherTournament(path.to_owned(), format!("{}; {way_out}", differs.join("; "))))
    }
}

/// The store of a tournament on these terms, between these agents: a new one, or that of an earlier run, whose agents may
/// now meet in more games.
///
/// # Errors
/// The store cannot be used.
pub fn enter(
    path: &Path,
    (league, rules): &(League, TournamentRules),
    agents: &[Agent],
) -> Result<(StoreWriter, Changes), StoreError> {
    let mut store = if is_new(path) { StoreWriter::create(path, league, rules)? } else { StoreWriter::resume(path)? };
    if rules.games > store.rules().games {
        store.set_games(rules.games)?;
    }
    let changes = store.enter(agents.iter().map(|agent| (agent.name.as_str(), agent.hash.as_str())))?;
    Ok((store, changes))
}

/// Whether there is no store yet: no file, or an empty one, as a master that was killed at its start leaves it.
fn is_new(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |about| about.is_file() && about.len() == 0)
}

fn differs_in<T: Display + PartialEq>(what: &str, found: &T, asked: Option<&T>) -> Option<String> {
    let asked = asked.filter(|&asked| asked != found)?;
    Some(format!("{what} is {found}, not {asked} as requested"))
}

fn in_words(pairing: Pairing) -> &'static str {
    match pairing {
        Pairing::RoundRobin => "round-robin",
        Pairing::Elimination => "elimination",
    }
}
