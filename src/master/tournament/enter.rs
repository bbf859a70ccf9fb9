//! Opening or creating a tournament's store on the requested terms, and beginning a new round with the games of an earlier one.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use super::differences::differences;
use super::error::TournamentError;
use crate::intake::agent::Agent;
use crate::league::{League, Pairing};
use crate::tournament::schedule::{GameKey, TournamentRules};
use crate::tournament::store::{
    Changes, EarlierRound, NextRound, Store, StoreError, StoreWriter, StoredAgent, Summary,
};
use crate::tournament::verify::verify;
use kingline_players::files::FileId;

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
    /// Store of the earlier round whose games a new store begins with, and whose terms it has. Default: none.
    pub since: Option<PathBuf>,
}

const DEFAULT_LEAGUE: &str = "checkers";

/// Name of the number of games in messages.
const GAMES: &str = "the number of games per pair of agents";

impl TournamentTerms {
    /// Returns the terms of the tournament whose store is, or will be, at `path`.
    ///
    /// # Errors
    /// The store or that of the earlier round cannot be read or has other terms, the store did not begin with that
    /// earlier round, or one of the two is an elimination.
    pub fn settle(&self, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        match (is_new(path), &self.since) {
            (true, None) => self.settle_first(path),
            (true, Some(since)) => self.settle_next(since),
            (false, since) => {
                let store = Store::open(path)?;
                since.iter().try_for_each(|since| check_since(&store, path, since))?;
                self.settle_again(&store, path)
            }
        }
    }

    /// Returns the terms of a new store at `path`.
    fn settle_first(&self, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        let Some(mut league) = self.league.clone().or_else(|| League::named(DEFAULT_LEAGUE)) else {
            return Err(StoreError::OtherTournament(path.to_owned(), "it has no league".to_owned()));
        };
        league.pairing = self.pairing.unwrap_or(league.pairing);
        let pairing = league.pairing;
        Ok((league, TournamentRules { pairing, games: self.games.unwrap_or(2), seed: self.seed.unwrap_or(1) }))
    }

    /// Returns the terms of a new round: those of the earlier one, so that its games can be taken over.
    fn settle_next(&self, since: &Path) -> Result<(League, TournamentRules), StoreError> {
        let earlier = Store::open(since)?;
        check_round_robin(&earlier, since, self.pairing)?;
        let mut differs = self.differences(&earlier);
        differs.extend(differs_in(GAMES, &earlier.rules().games, self.games.as_ref()));
        if differs.is_empty() {
            return Ok((earlier.league().clone(), *earlier.rules()));
        }
        let help = "leave these options out, or give the stored values, to take over its games; or leave --since out";
        Err(StoreError::OtherTournament(since.to_owned(), format!("{}\nhelp: {help}", differs.join("; "))))
    }

    /// Returns the terms of an existing store, which is at `path`.
    fn settle_again(&self, store: &Store, path: &Path) -> Result<(League, TournamentRules), StoreError> {
        let (league, rules) = (store.league(), store.rules());
        let mut differs = self.differences(store);
        let games = self.games.unwrap_or(rules.games);
        if games < rules.games {
            differs.push(format!("{GAMES} is {}, not {games} as requested, and can only grow", rules.games));
        }
        if differs.is_empty() {
            return Ok((league.clone(), TournamentRules { games, ..*rules }));
        }
        let help = "leave these options out, or give the stored values, to continue it; or start another tournament \
                    with --store FILE";
        Err(StoreError::OtherTournament(path.to_owned(), format!("{}\nhelp: {help}", differs.join("; "))))
    }

    /// Lists the differences between a store and these terms, except in the number of games.
    fn differences(&self, store: &Store) -> Vec<String> {
        let (league, rules) = (store.league(), store.rules());
        let mut differs = self.league.as_ref().map_or_else(Vec::new, |asked| differences(league, asked));
        differs.extend(differs_in("the pairing", &in_words(rules.pairing), self.pairing.map(in_words).as_ref()));
        differs.extend(differs_in("the seed", &rules.seed, self.seed.as_ref()));
        differs
    }
}

/// Opens or creates a tournament's store on these terms and enters these agents. In an existing store, the number of
/// games per meeting may grow.
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
pub fn is_new(path: &Path) -> bool {
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

/// Creates the store of a new round at `path`, with the agents and games of the store at `since`. Replays every game
/// first, and calls `watch` before each with the number of games. The new store appears completely or not at all.
///
/// # Errors
/// The earlier store cannot be read, its games contradict their moves or were changed after they were recorded, or the
/// new store cannot be written.
pub fn begin_round(path: &Path, since: &Path, watch: &mut dyn FnMut(usize)) -> Result<(), TournamentError> {
    let next = NextRound::begin(&Store::open(since)?, path)?;
    let found = verify(&next.open()?, &mut |games| {
        watch(games);
        true
    })?;
    if !found.is_right() {
        let what = match found.different.len() {
            0 => "the standings do not follow from the moves".to_owned(),
            games => format!("{games} of them contradict their moves or were changed after they were recorded"),
        };
        let help = format!("help: `master verify {}` lists them", since.display());
        let what = format!("its games cannot be taken over: {what}\n{help}");
        return Err(TournamentError::Content(since.to_owned(), what));
    }
    Ok(next.place()?)
}

/// Checks that a new round can begin with the games of `earlier`, which is at `since`.
fn check_round_robin(earlier: &Store, since: &Path, requested: Option<Pairing>) -> Result<(), StoreError> {
    if [Some(earlier.rules().pairing), requested].contains(&Some(Pairing::Elimination)) {
        let why = "games are taken over only in a round robin: in an elimination, who meets whom depends on the results \
                   of earlier rounds, so that a changed agent changes the games of the others\nhelp: leave --since out";
        return Err(StoreError::OtherRound(since.to_owned(), why.to_owned()));
    }
    Ok(())
}

/// Checks that a store at `path` began with the round at `since`, which may have moved meanwhile.
fn check_since(store: &Store, path: &Path, since: &Path) -> Result<(), StoreError> {
    let refuse = |why: String| Err(StoreError::OtherRound(path.to_owned(), why));
    let shown = since.display();
    if FileId::of(path) == FileId::of(since) {
        return refuse(format!(
            "found the same store for --since, expected that of an earlier round\nhelp: give the new round a store of its \
             own with --store FILE; {shown} is only read"
        ));
    }
    let other = "help: leave --since out to continue it, or start another round with --store FILE";
    let Some(EarlierRound { name, agents, games, .. }) = store.earlier()?.pop() else {
        return refuse(format!("it began without an earlier round, not with {shown} as requested\n{other}"));
    };
    if is_round(&games, &agents, &Store::open(since)?)? {
        return Ok(());
    }
    refuse(format!("it began with the games of {name}, not with those of {shown} as it is now\n{other}"))
}

/// Returns true if the tournament in `store` has these agents, and no games but these.
fn is_round(games: &[Summary], agents: &[StoredAgent], store: &Store) -> Result<bool, StoreError> {
    fn identities(agents: &[StoredAgent]) -> impl Iterator<Item = (&str, &str)> {
        agents.iter().map(|agent| (&*agent.name, &*agent.hash))
    }
    let known: HashMap<GameKey, &Summary> = games.iter().map(|game| (game.key(), game)).collect();
    let is_known = |game: &Summary| known.get(&game.key()) == Some(&game);
    Ok(identities(&store.agents()?).eq(identities(agents)) && store.summaries()?.iter().all(is_known))
}
