//! Merging the results of shards into the store, and refusing results that contradict it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::array::Shard;
use super::error::TournamentError;
use super::lines::{Sheet, SheetGame};
use super::play::is_failed;
use super::sheet_reader::SheetReader;
use crate::league::{League, Pairing};
use crate::record::GameRecord;
use crate::tournament::audit::audit;
use crate::tournament::schedule::{GameKey, PlannedGame};
use crate::tournament::store::{Store, StoreWriter, Summary, TournamentState};
use kingline::game::Color;
use kingline_players::terminal::escaped;

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
                shards.extend(taken.shard.map(|shard| (shard.of(), shard.number())));
            }
            Err(TournamentError::Store(error)) => return Err(error.into()),
            Err(refused) => merged.refused.push(refused),
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

/// Winner and half points of a game.
type WinnerAndPoints = (Option<Color>, Option<[u32; 2]>);

/// Planned games and known results during a merge.
struct Ledger {
    own: Sheet,
    planned: HashMap<GameKey, PlannedGame>,
    /// Results of played games, with the file and line of each that is not from the store.
    outcomes: HashMap<GameKey, (WinnerAndPoints, Option<String>)>,
}

/// A file whose games are being added.
struct ResultsFile<'a> {
    path: &'a Path,
    /// Indexes in the store of the file's agents.
    places: Vec<usize>,
    league: League,
    /// Results of the new games, with their lines; failed games have none.
    played: HashMap<GameKey, (WinnerAndPoints, usize)>,
    /// Games that are already known.
    known: usize,
}

/// Counts of the games taken from a file.
struct TakenGames {
    shard: Option<Shard>,
    added: usize,
    known: usize,
}

impl Ledger {
    fn of(store: &Store) -> Result<Ledger, TournamentError> {
        let TournamentState { done, missing, .. } = store.schedule(&|_| false)?;
        let mut ledger = Ledger { own: Sheet::of(store)?, planned: HashMap::new(), outcomes: HashMap::new() };
        for game in done {
            let planned = planned(&game);
            let key = planned.key();
            ledger.planned.insert(key, planned);
            ledger.outcomes.insert(key, ((game.winner, game.half_points), None));
        }
        ledger.plan(missing);
        Ok(ledger)
    }

    fn plan(&mut self, games: Vec<PlannedGame>) {
        self.planned.extend(games.into_iter().map(|game| (game.key(), game)));
    }

    /// Adds all games of a file, or none. They are checked and recorded one at a time, since a file may be large.
    fn take(&mut self, store: &mut StoreWriter, path: &Path) -> Result<TakenGames, TournamentError> {
        let (mut reader, sheet) = SheetReader::open(path)?;
        if let Some(difference) = self.own.difference(&sheet) {
            let what = format!("found results of another plan: {difference}");
            return Err(TournamentError::Content(path.to_owned(), what));
        }
        self.plan_round(store)?;
        let places: HashMap<&str, usize> = self.own.agents.iter().map(|agent| &*agent.name).zip(0..).collect();
        let places = sheet.agents.iter().filter_map(|agent| places.get(&*agent.name).copied()).collect();
        let mut file = ResultsFile { path, places, league: store.league().clone(), played: HashMap::new(), known: 0 };
        let mut next = || {
            while let Some(entry) = reader.game()? {
                if let Some(new) = self.check(&mut file, entry)? {
                    return Ok(Some(new));
                }
            }
            reader.is_complete().map(|()| None)
        };
        store.record_each(std::iter::from_fn(|| next().transpose()))?;
        for agent in sheet.agents {
            if let Some(title) = &agent.title {
                store.set_title(&agent.name, title)?;
            }
        }
        let taken = TakenGames { shard: sheet.shard, added: file.played.len(), known: file.known };
        for (key, (outcome, line)) in file.played {
            self.outcomes.insert(key, (outcome, Some(format!("{} line {line}", path.display()))));
        }
        Ok(taken)
    }

    /// Plans the current round of an elimination, which depends on the results of the files so far.
    fn plan_round(&mut self, store: &Store) -> Result<(), TournamentError> {
        match store.rules().pairing {
            Pairing::RoundRobin => {}
            Pairing::Elimination => self.plan(store.schedule(&|_| false)?.missing),
        }
        Ok(())
    }

    /// Checks a game of a file. Returns it if it is to be recorded.
    fn check(
        &self,
        file: &mut ResultsFile<'_>,
        entry: SheetGame,
    ) -> Result<Option<(PlannedGame, GameRecord)>, TournamentError> {
        let SheetGame { line, game, record } = entry;
        let refuse = |what: String| TournamentError::Line(file.path.to_owned(), line, what);
        let record = record.ok_or_else(|| refuse("found an unplayed game, expected a played one".to_owned()))?;
        let key = (game.round, game.agents.map(|agent| file.places[agent]), game.opening);
        let planned = self.planned.get(&key).filter(|planned| planned.seed == record.seed);
        let planned = *planned.ok_or_else(|| refuse("found a game that is not in the plan".to_owned()))?;
        let names = planned.agents.map(|agent| self.own.agents[agent].name.as_str());
        if let Some(wrong) = contradicted(&record, names, &file.league) {
            return Err(refuse(wrong));
        }
        let outcome = (record.verdict.winner, record.verdict.half_points(file.league.draws));
        let before = match (self.outcomes.get(&key), file.played.get(&key)) {
            (Some((before, file)), _) => Some((*before, file.clone().unwrap_or_else(|| "the store".to_owned()))),
            (None, Some((before, line))) => Some((*before, format!("line {line}"))),
            (None, None) => None,
        };
        match before {
            // Recorded as well, so that the store shows the failure; a later result replaces it.
            None if is_failed(&record) => Ok(Some((planned, record))),
            None => {
                file.played.insert(key, (outcome, line));
                Ok(Some((planned, record)))
            }
            Some(_) if is_failed(&record) => Ok(None),
            Some((before, _)) if before == outcome => {
                file.known += 1;
                Ok(None)
            }
            Some((before, there)) => {
                let [found, in_there] = [outcome, before].map(|outcome| in_words(&record.names, outcome));
                Err(refuse(format!("found that {found}, but in {there} {in_there}: one of them is wrong")))
            }
        }
    }
}

/// Returns the game as it was planned.
fn planned(game: &Summary) -> PlannedGame {
    let &Summary { round, pairing, opening, agents, seed, .. } = game;
    PlannedGame { round, pairing, opening, agents, seed }
}

/// Describes how the record of a game between these agents contradicts itself, if it does.
fn contradicted(record: &GameRecord, [black, white]: [&str; 2], league: &League) -> Option<String> {
    let game = format!("the game of {black} (Black) against {white} (White)");
    if record.names != [black, white] {
        let [black, white] = record.names.each_ref().map(|name| escaped(name));
        return Some(format!("found the game of {black} (Black) against {white} (White), expected {game}"));
    }
    let wrong = audit(record, league).contradictions;
    let first = wrong.first()?;
    let more = if wrong.len() > 1 { format!(" (and {} more)", wrong.len() - 1) } else { String::new() };
    Some(format!("{game} contradicts its own moves: {first}{more}"))
}

/// Describes a result in words.
fn in_words([black, white]: &[String; 2], (winner, points): WinnerAndPoints) -> String {
    let names = format!("the game of {black} (Black) against {white} (White)");
    match (winner, points) {
        (Some(winner), _) => format!("{winner} won {names}"),
        (None, Some([2, 0])) => format!("Black was awarded the draw in {names}"),
        (None, Some([0, 2])) => format!("White was awarded the draw in {names}"),
        (None, _) => format!("nobody won {names}"),
    }
}
