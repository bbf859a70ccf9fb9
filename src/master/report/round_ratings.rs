//! Ratings of the agents in earlier rounds, on the scale of this one.

use std::collections::HashMap;

use serde::Serialize;

use super::Tournament;
use crate::tournament::rating::{self, RatedAgent, RatedGame, Rating};
use crate::tournament::standings::{Standing, standings};
use crate::tournament::store::{EarlierRound, Summary};

/// Earlier rounds whose ratings can be compared with those of this round.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Oldest first, without gaps up to this round.
    pub(super) rated: Vec<RatedRound>,
    /// Name of the latest round that cannot be compared, since no agent is the same in the round after it. Nor can
    /// those before it.
    pub(super) unlinked: Option<String>,
}

/// An earlier round.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct RatedRound {
    /// Name of the round.
    pub(super) name: String,
    /// Elo added to its ratings for the scale of this round.
    pub(super) shift: f64,
    /// Number of agents with the same files in the round after it.
    pub(super) unchanged: usize,
    #[serde(skip)]
    pub(super) agents: HashMap<String, RoundAgent>,
}

#[derive(Clone, Debug)]
pub(super) struct RoundAgent {
    pub(super) hash: String,
    pub(super) rank: usize,
    pub(super) half_points: u32,
    /// Games that counted.
    pub(super) games: u32,
    /// Rating on the scale of this round; `None` if no game counted.
    pub(super) elo: Option<f64>,
}

impl Rounds {
    /// Links each round to the one after it, from the latest to the oldest.
    pub(super) fn of(tournament: &Tournament, ratings: &[Rating]) -> Rounds {
        let now = tournament.agents.iter().zip(ratings).filter(|(_, rating)| rating.games > 0);
        let mut later: Vec<RatedAgent<'_>> =
            now.map(|(agent, rating)| RatedAgent { name: &agent.name, hash: &agent.hash, elo: rating.elo }).collect();
        let mut rounds = Rounds::default();
        for round in tournament.earlier.iter().rev() {
            let mut rated = rate(round);
            let Some((shift, unchanged)) = rating::shift(&rated, &later) else {
                rounds.unlinked = Some(round.name.clone());
                break;
            };
            rated.iter_mut().for_each(|agent| agent.elo += shift);
            rounds.rated.push(RatedRound::of(round, &rated, shift, unchanged));
            later = rated;
        }
        rounds.rated.reverse();
        rounds
    }

    /// Returns the round before this one, if its ratings can be compared.
    pub(super) fn last(&self) -> Option<&RatedRound> {
        self.rated.last()
    }

    /// Returns how much an agent with this rating has risen since the round before this one.
    pub(super) fn risen(&self, name: &str, rating: &Rating) -> Option<f64> {
        let before = self.last()?.agents.get(name)?.elo?;
        (rating.games > 0).then_some(rating.elo - before)
    }
}

impl RatedRound {
    fn of(round: &EarlierRound, rated: &[RatedAgent<'_>], shift: f64, unchanged: usize) -> RatedRound {
        let elo: HashMap<&str, f64> = rated.iter().map(|agent| (agent.name, agent.elo)).collect();
        let agent = |row: Standing| {
            let agent = &round.agents[row.agent];
            let about = RoundAgent {
                hash: agent.hash.clone(),
                rank: row.rank,
                half_points: row.half_points,
                games: row.played - row.unfinished,
                elo: elo.get(&*agent.name).copied(),
            };
            (agent.name.clone(), about)
        };
        let rows = standings(&round.games, &vec![None; round.agents.len()]);
        RatedRound { name: round.name.clone(), shift, unchanged, agents: rows.into_iter().map(agent).collect() }
    }
}

/// Returns the agents of a round that played games that count, with their ratings on the scale of the round itself.
fn rate(round: &EarlierRound) -> Vec<RatedAgent<'_>> {
    let games = rated_games(&round.games);
    let elo = rating::elo(round.agents.len(), &games);
    let has_played = |agent: usize| games.iter().any(|game| game.agents.contains(&agent));
    let rated = round.agents.iter().zip(elo).enumerate().filter(|&(agent, _)| has_played(agent));
    rated.map(|(_, (agent, elo))| RatedAgent { name: &agent.name, hash: &agent.hash, elo }).collect()
}

/// Games that count.
pub(super) fn rated_games(games: &[Summary]) -> Vec<RatedGame> {
    let rated = |game: &Summary| {
        Some(RatedGame { pairing: game.pairing.into(), agents: game.agents, half_points: game.half_points? })
    };
    games.iter().filter_map(rated).collect()
}
