//! Results of all games: standings, ratings, each agent's points against each opponent.

use std::collections::HashMap;

use super::content::Tournament;
use super::names::Name;
use super::review::ReviewResults;
use super::round_ratings::Rounds;
use super::statistics::Statistics;
use crate::tournament::rating::{self, RatedGame, Rating};
use crate::tournament::standings::{self, Standing};
use crate::tournament::store::Summary;

/// Results of all games.
pub(super) struct Results {
    pub(super) names: Vec<Name>,
    /// Standings, best agent first.
    pub(super) standings: Vec<Standing>,
    /// Games of an agent (first index) against an opponent (second index).
    pub(super) duels: HashMap<[usize; 2], Duel>,
    /// Ratings, one per agent.
    pub(super) ratings: Vec<Rating>,
    /// The same agents in earlier rounds.
    pub(super) rounds: Rounds,
    pub(super) statistics: Statistics,
    /// Reviews, if the site has any.
    pub(super) reviews: Option<ReviewResults>,
}

/// Games of an agent against one opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Duel {
    /// Games that count.
    pub(super) games: u64,
    /// Half points, two per win.
    pub(super) half_points: u64,
}

impl Results {
    /// Computes the results of a tournament, except the statistics and reviews, which are still
    /// empty. A site with reviews has `seconds` for each position.
    pub(super) fn of(tournament: &Tournament, seconds: Option<f64>) -> Results {
        let Tournament { agents, games, .. } = tournament;
        let ratings = rating::rate(agents.len(), &rated_games(games), tournament.rules.seed);
        let names: Vec<Name> = agents.iter().enumerate().map(|(index, agent)| Name::of(index, agent)).collect();
        Results {
            reviews: seconds.map(|seconds| ReviewResults::new(seconds, &names, tournament.league.game)),
            names,
            standings: standings::standings(games, &tournament.out),
            duels: duels(games),
            rounds: Rounds::of(tournament, &ratings),
            ratings,
            statistics: Statistics::new(agents.len(), tournament.league.clock.clone()),
        }
    }
}

/// Duels of each pair of agents that have met, from both sides.
fn duels(games: &[Summary]) -> HashMap<[usize; 2], Duel> {
    let mut duels: HashMap<[usize; 2], Duel> = HashMap::new();
    for game in games {
        let [black, white] = game.agents;
        for (side, agents) in [[black, white], [white, black]].into_iter().enumerate() {
            let duel = duels.entry(agents).or_default();
            if let Some(half_points) = game.half_points {
                duel.games += 1;
                duel.half_points += u64::from(half_points[side]);
            }
        }
    }
    duels
}

/// Games that count.
pub(super) fn rated_games(games: &[Summary]) -> Vec<RatedGame> {
    let rated = |game: &Summary| {
        Some(RatedGame { pairing: game.pairing.into(), agents: game.agents, half_points: game.half_points? })
    };
    games.iter().filter_map(rated).collect()
}
