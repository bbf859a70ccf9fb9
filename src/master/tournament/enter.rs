//! Opening or creating a tournament's store on the requested terms.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use super::differences::differences;
use crate::intake::agent::Agent;
use crate::league::{League, Pairing};
use crate::tournament::schedule::TournamentRules;
use crate::tournament::store::{Changes, Store, StoreError, StoreWriter};

/// Requested terms of a tournament. A missing term is taken from the store or, for a new store, from the defaults.
#[derive(Clone, Debug, Default)]
pub struct TournamentTerms {
    /// Rules and clocks. Default: checkers.
    pub league: Option<League>,
    /// Pairing of the agents. Default: the league's.
    pub pairing: Option<Pairing>,
    /// Number of games between two agents that meet, even and positive. Default: 2. In an existing store, the number
    /// can grow but not shrink.
    pub games: Option<u32>,
    /// Seed of the openings. Default: 1.
    pub seed: Option<u64>,
}

const DEFAULT_LEAGUE: &str = "checkers";

impl TournamentTerms {
    /// Returns the terms of the tournament whose store is, or will be, at `path`.
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
                "the number of games per pair of agents is {}, not {games} as requested, and can only grow",
                rules.games
            );
            differs.push(fewer);
        }
        if differs.is_empty() {
            return Ok((league.clone(), TournamentRules { games, ..*rules }));
        }
        let help = "leave these options out, or give the stored values, to continue it; or start another tournament \
                    with --store FILE";
        Err(StoreError::OtherTournament(path.to_owned(), format!("{}\nhelp: {help}", differs.join("; "))))
    }
}

/// Opens or creates a tournament's store on these terms and enters these agents. In an existing store, the number of
/// games per meeting may grow.
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

/// Returns true if there is no store yet: no file, or an empty one left by a master that was killed at startup.
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
