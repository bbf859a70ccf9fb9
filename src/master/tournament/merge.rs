//! Merging the results of shards into the store, and refusing results that contradict it.

use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::path::{Path, PathBuf};

use super::error::TournamentError;
use super::plan::Terms;
use super::run::is_failed;
use super::shard::Shard;
use crate::league::{League, Pairing};
use crate::record::GameRecord;
use crate::tournament::audit::audit;
use crate::tournament::schedule::{GameKey, PlannedGame};
use crate::tournament::store::{GameId, Store, StoreError, StoreWriter, TournamentState};
use kingline::game::Color;

/// Outcome of merging files into a store.
#[derive(Debug, Default)]
pub struct Merged {
    /// Games that were added to the store.
    pub added: usize,
    /// Games that the store already had with the same result.
    pub known: usize,
    /// Files that were refused, and why.
    pub refused: Vec<TournamentError>,
    /// Games that are still to be played, including those in which the referee failed.
    pub missing: Vec<PlannedGame>,
    /// Shards without a file; empty unless all files agree on the number of shards.
    pub absent: Vec<Shard>,
}

enum MergeError {
    /// The store that the games go into cannot be used.
    Store(StoreError),
    Refused(TournamentError),
}

impl From<StoreError> for MergeError {
    fn from(error: StoreError) -> MergeError {
        MergeError::Store(error)
    }
}

fn refused(error: impl Into<TournamentError>) -> MergeError {
    MergeError::Refused(error.into())
}

/// Adds the games in `files` to a store, for each file either all or none. Replays every game under the rules, and
/// refuses a file that is incomplete, belongs to another plan, or contradicts the store, an earlier file or itself.
///
/// # Errors
/// The store cannot be read or written. Files merged before the error stay in the store.
pub fn merge(store: &mut StoreWriter, files: &[PathBuf]) -> Result<Merged, TournamentError> {
    let mut merged = Merged::default();
    let mut shards = BTreeSet::new();
    let mut ledger = Ledger::of(store)?;
    for path in files {
        match ledger.take(store, path) {
            Ok(taken) => {
                merged.added += taken.added;
                merged.known += taken.known;
                shards.insert((taken.shard.of(), taken.shard.number()));
            }
            Err(MergeError::Store(error)) => return Err(error.into()),
            Err(MergeError::Refused(error)) => merged.refused.push(error),
        }
    }
    merged.missing = store.schedule(&|_| false)?.missing;
    merged.absent = absent(&shards);
    Ok(merged)
}

/// Returns the shards missing from `shards`, which contains pairs (number of shards, number of this shard).
fn absent(shards: &BTreeSet<(u32, u32)>) -> Vec<Shard> {
    match (shards.first(), shards.last()) {
        (Some(&(of, _)), Some(&(last, _))) if of == last => (1..=of)
            .filter(|&number| !shards.contains(&(of, number)))
            .filter_map(|number| Shard::new(number, of))
            .collect(),
        _ => Vec::new(),
    }
}

type WinnerAndPoints = (Option<Color>, Option<[u32; 2]>);

/// Planned games and known results during a merge.
struct Ledger {
    own: Terms,
    planned: HashMap<GameKey, PlannedGame>,
    /// Results of played games, with the file and game of each that is not from the store.
    outcomes: HashMap<GameKey, (WinnerAndPoints, Option<String>)>,
}

struct TakenGames {
    shard: Shard,
    added: usize,
    known: usize,
}

impl Ledger {
    fn of(store: &Store) -> Result<Ledger, TournamentError> {
        let TournamentState { done, missing, .. } = store.schedule(&|_| false)?;
        let mut ledger = Ledger { own: Terms::of(store)?, planned: HashMap::new(), outcomes: HashMap::new() };
        for game in done {
            ledger.plan([game.planned()]);
            ledger.outcomes.insert(game.key(), ((game.winner, game.half_points), None));
        }
        ledger.plan(missing);
        Ok(ledger)
    }

    fn plan(&mut self, games: impl IntoIterator<Item = PlannedGame>) {
        self.planned.extend(games.into_iter().map(|game| (game.key(), game)));
    }

    /// Adds all games of a file, or none. They are checked and recorded one at a time, since a file may be large.
    fn take(&mut self, store: &mut StoreWriter, path: &Path) -> Result<TakenGames, MergeError> {
        let refuse = |what: &str| Err(refused(TournamentError::Content(path.to_owned(), what.to_owned())));
        let results = Store::open(path).map_err(refused)?;
        if let Some(difference) = self.own.difference(&Terms::of(&results).map_err(refused)?) {
            return refuse(&format!("found results of another plan: {difference}"));
        }
        let Some(part) = results.part() else {
            return refuse("found a whole tournament, expected the results of a shard");
        };
        if !part.is_complete {
            return refuse("found results of only a part of its games: the shard has to be played to its end");
        }
        if store.rules().pairing == Pairing::Elimination {
            // The current round depends on the results of the files so far.
            self.plan(store.schedule(&|_| false)?.missing);
        }
        let (agents, games) = results.everything().map_err(refused)?;
        let places: HashMap<&str, usize> = self.own.agents.iter().map(|agent| &*agent.name).zip(0..).collect();
        let places: Option<Vec<usize>> = agents.iter().map(|agent| places.get(&*agent.name).copied()).collect();
        let Some(places) = places else { return refuse("found games of agents that do not take part") };
        let (mut outcomes, mut known) = (HashMap::new(), 0);
        let mut games = games.iter();
        let mut next = || {
            for game in games.by_ref() {
                let key = (game.round, game.agents.map(|agent| places[agent]), game.opening);
                let (planned, record) = self.check(path, &results, game.id, key).map_err(refused)?;
                let outcome = (record.verdict.winner, record.verdict.half_points(results.league().draws));
                match self.outcomes.get(&key) {
                    // Recorded as well, so that the store shows the failure; a later result replaces it.
                    None if is_failed(&record) => return Ok(Some((planned, record))),
                    None => {
                        outcomes.insert(key, (outcome, Some(format!("{} game {}", path.display(), game.id.0))));
                        return Ok(Some((planned, record)));
                    }
                    Some(_) if is_failed(&record) => {}
                    Some((before, _)) if *before == outcome => known += 1,
                    Some((before, there)) => {
                        let [found, in_there] = [outcome, *before].map(|outcome| in_words(&record.names, outcome));
                        let there = there.as_deref().unwrap_or("the store");
                        let what = format!("found that {found}, but in {there} {in_there}: one of them is wrong");
                        return Err(refused(TournamentError::Game(path.to_owned(), game.id, what)));
                    }
                }
            }
            Ok(None)
        };
        store.record_each(iter::from_fn(|| next().transpose()))?;
        for agent in agents {
            if let Some(title) = &agent.title {
                store.set_title(&agent.name, title)?;
            }
        }
        let taken = TakenGames { shard: part.shard, added: outcomes.len(), known };
        self.outcomes.extend(outcomes);
        Ok(taken)
    }

    /// Returns a game of a file with its place in the plan; its moves must bear out its result.
    fn check(
        &self,
        path: &Path,
        results: &Store,
        id: GameId,
        key: GameKey,
    ) -> Result<(PlannedGame, GameRecord), TournamentError> {
        let refuse = |what: String| TournamentError::Game(path.to_owned(), id, what);
        let record = results.game(id)?;
        let planned = self.planned.get(&key).filter(|planned| planned.seed == record.seed);
        let planned = *planned.ok_or_else(|| refuse("found a game that is not in the plan".to_owned()))?;
        if let Some(wrong) = contradicted(&record, results.league()) {
            return Err(refuse(wrong));
        }
        if !results.is_as_recorded(id)? {
            return Err(refuse(
                "found a checksum that does not match: the game was changed after it was recorded".to_owned(),
            ));
        }
        Ok((planned, record))
    }
}

/// Describes how the record of a game contradicts itself, if it does.
fn contradicted(record: &GameRecord, league: &League) -> Option<String> {
    let wrong = audit(record, league).contradictions;
    let (first, [black, white]) = (wrong.first()?, &record.names);
    let more = if wrong.len() > 1 { format!(" (and {} more)", wrong.len() - 1) } else { String::new() };
    Some(format!("the game of {black} (Black) against {white} (White) contradicts its own moves: {first}{more}"))
}

fn in_words([black, white]: &[String; 2], (winner, points): WinnerAndPoints) -> String {
    let names = format!("the game of {black} (Black) against {white} (White)");
    match (winner, points) {
        (Some(winner), _) => format!("{winner} won {names}"),
        (None, Some([2, 0])) => format!("Black was awarded the draw in {names}"),
        (None, Some([0, 2])) => format!("White was awarded the draw in {names}"),
        (None, _) => format!("nobody won {names}"),
    }
}
