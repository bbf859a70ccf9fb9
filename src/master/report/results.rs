//! Results of all games: standings, ratings, each agent's points against each opponent.

use std::collections::HashMap;

use super::content::Tournament;
use super::names::Name;
use super::review::ReviewResults;
use super::round_ratings::Rounds;
use super::statistics::Statistics;
use crate::record::GameRecord;
use crate::tournament::rating::{self, RatedGame, Rating};
use crate::tournament::standings::{self, Standing};
use crate::tournament::store::Summary;
use kingline_players::review::Review;

/// Results of all games.
pub(super) struct Results<'a> {
    pub(super) names: Vec<Name>,
    /// Standings, best agent first.
    pub(super) standings: Vec<Standing>,
    /// Games of an agent (first index) against an opponent (second index).
    pub(super) duels: HashMap<[usize; 2], Duel>,
    /// Ratings, one per agent.
    pub(super) ratings: Vec<Rating>,
    /// Number of games from which the widths of their intervals come.
    pub(super) intervals_of: usize,
    /// The same agents in earlier rounds.
    pub(super) rounds: Rounds,
    pub(super) statistics: &'a Statistics,
    /// Reviews, if the site has any.
    pub(super) reviews: Option<&'a ReviewResults>,
}

/// Games of an agent against one opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Duel {
    /// Games that count.
    pub(super) games: u64,
    /// Half points, two per win.
    pub(super) half_points: u64,
}

/// Results that are kept from one writing of a site to the next.
pub(super) struct Kept {
    pub(super) statistics: Statistics,
    /// Reviews, if the site has any.
    pub(super) reviews: Option<ReviewResults>,
    /// Ratings with intervals, and the number of games that they rest on.
    intervals: Option<(Vec<Rating>, usize)>,
}

/// Intervals are computed again once there are more games by this part.
const MORE_GAMES: f64 = 0.01;

impl Kept {
    /// Without games yet. A site with reviews has `seconds` for each position.
    pub(super) fn new(tournament: &Tournament, seconds: Option<f64>) -> Kept {
        let names = names(tournament);
        Kept {
            statistics: Statistics::new(names.len(), tournament.league.clock.clone()),
            reviews: seconds.map(|seconds| ReviewResults::new(seconds, &names, tournament.league.game)),
            intervals: None,
        }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, summary: &Summary, record: &GameRecord, review: Option<&Review>) {
        self.statistics.add(summary, record);
        if let (Some(reviews), Some(review)) = (&mut self.reviews, review) {
            reviews.add(summary, review);
        }
    }

    /// Rates the agents. The intervals take hundreds of times as long as the ratings, so they keep their widths while
    /// few games are added to an unfinished tournament.
    fn rate(&mut self, tournament: &Tournament) -> (Vec<Rating>, usize) {
        let games = rated_games(&tournament.games);
        if let Some((earlier, of)) = &self.intervals
            && tournament.missing > 0
            && (games.len() as f64) < *of as f64 * (1.0 + MORE_GAMES)
        {
            let mut ratings: Vec<Rating> = earlier.clone();
            ratings.iter_mut().for_each(|rating| rating.games = 0);
            for agent in games.iter().flat_map(|game| game.agents) {
                ratings[agent].games += 1;
            }
            for (rating, elo) in ratings.iter_mut().zip(rating::elo(tournament.agents.len(), &games)) {
                let shift = elo - rating.elo;
                let shifted = |end: Option<f64>| end.map(|end| end + shift);
                *rating = Rating { games: rating.games, elo, low: shifted(rating.low), high: shifted(rating.high) };
            }
            return (ratings, *of);
        }
        let ratings = rating::rate(tournament.agents.len(), &games, tournament.rules.seed);
        self.intervals = Some((ratings.clone(), games.len()));
        (ratings, games.len())
    }
}

fn names(tournament: &Tournament) -> Vec<Name> {
    tournament.agents.iter().enumerate().map(|(index, agent)| Name::of(index, agent)).collect()
}

impl<'a> Results<'a> {
    /// Computes the results of a tournament; `kept` has the statistics of all its games.
    pub(super) fn of(tournament: &Tournament, kept: &'a mut Kept) -> Results<'a> {
        let (ratings, intervals_of) = kept.rate(tournament);
        Results {
            names: names(tournament),
            standings: standings::standings(&tournament.games, &tournament.out),
            duels: duels(&tournament.games),
            rounds: Rounds::of(tournament, &ratings),
            ratings,
            intervals_of,
            statistics: &kept.statistics,
            reviews: kept.reviews.as_ref(),
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
