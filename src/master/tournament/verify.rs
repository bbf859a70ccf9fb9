//! Verification of a store: every game is replayed, and points and standings are recomputed from the moves.

use std::collections::HashMap;

use serde::Serialize;

use crate::record::GameRecord;
use crate::tournament::audit::audit;
use crate::tournament::schedule::GameKey;
use crate::tournament::standings::{Standing, standings};
use crate::tournament::store::{GameId, Store, StoreError, StoredAgent, Summary, TournamentState};

/// Result of verifying a store.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VerifiedStore {
    /// Games that were replayed.
    pub games: usize,
    /// Failed games, which count for neither side.
    pub failed: usize,
    /// Games that contradict their own moves.
    pub different: Vec<DifferentGame>,
    /// Agents whose standing differs from the one computed from the moves.
    pub standings: Vec<DifferentStanding>,
}

/// A game that contradicts its own moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DifferentGame {
    /// Number of the game in the store.
    pub game: i64,
    /// Round, from 1.
    pub round: u32,
    /// Number of the opening of the pair.
    pub opening: u32,
    /// Name of the agent that played Black.
    pub black: String,
    /// Name of the agent that played White.
    pub white: String,
    /// Descriptions of the differences: the value found, and the one expected.
    pub wrong: Vec<String>,
}

/// An agent whose standing differs from the one computed from the moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DifferentStanding {
    /// Name of the agent.
    pub agent: String,
    /// Standing computed from the results in the store.
    pub stored: Place,
    /// Standing computed from the moves.
    pub by_moves: Place,
}

/// A place in the standings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Place {
    /// Rank, starting at 1.
    pub rank: usize,
    /// Points from all games.
    pub points: f64,
    /// Games won, by the rules or by the opponent's fault.
    pub wins: u32,
    /// Games lost, by the rules or by a fault.
    pub losses: u32,
    /// Round after which the agent was out.
    pub out: Option<u32>,
}

impl VerifiedStore {
    /// Returns true if nothing differs.
    pub fn is_right(&self) -> bool {
        self.different.is_empty() && self.standings.is_empty()
    }
}

/// Replays all games of a store, including those of agents that no longer take part. Before each game, calls `watch`
/// with the total number of games, and stops if it returns false.
pub fn verify(store: &Store, watch: &mut dyn FnMut(usize) -> bool) -> Result<VerifiedStore, StoreError> {
    let (agents, games) = store.everything()?;
    let mut found = VerifiedStore::default();
    let mut by_moves: HashMap<GameId, Summary> = HashMap::new();
    let mut openings = HashMap::new();
    for game in &games {
        if !watch(games.len()) {
            return Ok(found);
        }
        let mut wrong = Vec::new();
        if !store.is_as_recorded(game.id)? {
            wrong.push("its checksum: found one that does not match, expected that of the game".to_owned());
        }
        let replayed = replay(store, game, &mut wrong)?;
        if let Some((_, record)) = replayed.as_ref().filter(|_| !game.is_failed()) {
            let [black, white] = game.agents;
            let key = (game.round, [black.min(white), black.max(white)], game.opening);
            let (other, opening): &(GameId, Vec<String>) =
                openings.entry(key).or_insert_with(|| (game.id, record.opening.clone()));
            if *opening != record.opening {
                let (read, expected) = (record.opening.join(" "), opening.join(" "));
                let of = format!("as in game {} of the same pairing", other.0);
                wrong.push(format!("its opening: found \"{read}\", expected \"{expected}\", {of}"));
            }
        }
        by_moves.insert(game.id, replayed.map_or_else(|| without_result(game), |(summary, _)| summary));
        *if game.is_failed() { &mut found.failed } else { &mut found.games } += 1;
        if !wrong.is_empty() {
            let [black, white] = game.agents.map(|agent| agents[agent].name.clone());
            let &Summary { id: GameId(id), round, opening, .. } = game;
            found.different.push(DifferentGame { game: id, round, opening, black, white, wrong });
        }
    }
    found.standings = compare(store, &agents, &games, &by_moves)?;
    Ok(found)
}

/// Returns the summary computed from a game's moves, and the game's record, if both exist. Adds differences to `wrong`.
fn replay(store: &Store, game: &Summary, wrong: &mut Vec<String>) -> Result<Option<(Summary, GameRecord)>, StoreError> {
    let mut record = match store.game(game.id) {
        Ok(record) => record,
        Err(error) if error.is_content() => {
            wrong.push(format!("its record: {error}"));
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let audited = audit(&record, store.league());
    wrong.extend(audited.contradictions);
    let Some(verdict) = audited.verdict else { return Ok(None) };
    record.verdict = verdict;
    let by_moves = store.summary_of(game, &record)?;
    differences(game, &by_moves, wrong);
    Ok(Some((by_moves, record)))
}

/// Compares the stored summary, the basis of the standings, with the one computed from the record.
fn differences(game: &Summary, by_moves: &Summary, wrong: &mut Vec<String>) {
    let mut compare = |what: &str, read: String, expected: String| {
        if read != expected {
            wrong.push(format!("{what}: found {read}, expected {expected}"));
        }
    };
    let points = |game: &Summary| match game.half_points.map(|points| points.map(|half| f64::from(half) / 2.0)) {
        Some([black, white]) => format!("{black} - {white}"),
        None => "none for either side".to_owned(),
    };
    let winner = |game: &Summary| game.winner.map_or("nobody".to_owned(), |winner| winner.to_string());
    compare("its points", points(game), points(by_moves));
    compare("its winner", winner(game), winner(by_moves));
    compare("its ending", game.reason.clone(), by_moves.reason.clone());
    compare("its turns", game.turns.to_string(), by_moves.turns.to_string());
    compare("its faults", format!("{:?}", game.faults), format!("{:?}", by_moves.faults));
    compare("its time faults", format!("{:?}", game.timeouts), format!("{:?}", by_moves.timeouts));
    for (side, name) in ["Black", "White"].into_iter().enumerate() {
        let (read, expected) = (game.spent[side], by_moves.spent[side]);
        // Each turn was rounded to whole microseconds, but the recorded sum was not.
        if read.abs_diff(expected).as_micros() > u128::from(by_moves.turns) {
            compare(&format!("the time that {name} used"), format!("{read:?}"), format!("{expected:?}"));
        }
    }
}

/// Returns the summary of a game whose record gives no result: it counts for neither side.
fn without_result(game: &Summary) -> Summary {
    Summary { winner: None, half_points: None, ..game.clone() }
}

/// Returns the agents whose stored standing differs from the one computed from the moves.
fn compare(
    store: &Store,
    everybody: &[StoredAgent],
    games: &[Summary],
    by_moves: &HashMap<GameId, Summary>,
) -> Result<Vec<DifferentStanding>, StoreError> {
    let agents = store.agents()?;
    let place = |agent: usize| agents.iter().position(|other| *other == everybody[agent]);
    let here = |game: &Summary| {
        let [black, white] = game.agents.map(place);
        Some(Summary { agents: [black?, white?], ..game.clone() })
    };
    let table = |games: &mut dyn Iterator<Item = &Summary>| {
        let played: HashMap<GameKey, Summary> = games.filter_map(here).map(|game| (game.key(), game)).collect();
        let TournamentState { done, out, .. } = store.schedule_of(&agents, played, &|_| false);
        let mut rows = standings(&done, &out);
        rows.sort_by_key(|row| row.agent);
        rows
    };
    let stored = table(&mut games.iter());
    let by_moves = table(&mut games.iter().filter_map(|game| by_moves.get(&game.id)));
    let differs = |(stored, by_moves): (&Standing, &Standing)| {
        let agent = agents[stored.agent].name.clone();
        let [stored, by_moves] = [stored, by_moves].map(Place::of);
        (stored != by_moves).then_some(DifferentStanding { agent, stored, by_moves })
    };
    Ok(stored.iter().zip(&by_moves).filter_map(differs).collect())
}

impl Place {
    fn of(row: &Standing) -> Place {
        let &Standing { rank, half_points, wins, losses, out, .. } = row;
        Place { rank, points: f64::from(half_points) / 2.0, wins, losses, out }
    }
}
