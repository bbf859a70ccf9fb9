//! Results of all games: standings, ratings, duels, statistics.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::Tournament;
use super::film::ShownGame;
use super::names::Name;
use super::review::ReviewResults;
use super::round_ratings::{Rounds, rated_games};
use crate::league::clock_rules::ClockRules;
use crate::record::{Fault, FaultKind, GameRecord};
use crate::sandbox::Peak;
use crate::tournament::rating::{self, Rating};
use crate::tournament::standings::{self, Standing};
use crate::tournament::store::{GameId, Summary};
use kingline_players::review::Review;

pub(super) struct Results<'a> {
    pub(super) names: Vec<Name>,
    /// Standings, best agent first.
    pub(super) standings: Vec<Standing>,
    /// Games of an agent (first index) against an opponent (second index).
    pub(super) duels: HashMap<[usize; 2], Duel>,
    pub(super) ratings: Vec<Rating>,
    /// Number of games from which the widths of their intervals come.
    pub(super) intervals_of: usize,
    /// The same agents in earlier rounds.
    pub(super) rounds: Rounds,
    pub(super) statistics: &'a Statistics,
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

/// Statistics that need the full records of games.
pub(super) struct Statistics {
    /// Determines which time counts, at which resolution.
    clock: ClockRules,
    pub(super) agents: Vec<AgentStatistics>,
    /// Number of games measured by each tier.
    pub(super) tiers: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct AgentStatistics {
    pub(super) turns: u64,
    /// Total charged time of its turns.
    pub(super) spent: Duration,
    /// Charged time of its longest turn.
    pub(super) longest: Duration,
    /// Number of turns in each range of [`TIMES`].
    pub(super) by_time: [u64; TIMES.len()],
    /// Least time left after any of its turns, if games are timed.
    pub(super) least_left: Option<Duration>,
    /// Peak use of resources in any of its turns.
    pub(super) peak: Peak,
    /// Faults by kind, in the order in which the kinds first occurred.
    pub(super) faults: Vec<FaultsOfKind>,
}

#[derive(Clone, Debug)]
pub(super) struct FaultsOfKind {
    pub(super) kind: FaultKind,
    pub(super) count: u64,
    /// The first faults, at most [`EXPLAINED`] of them.
    pub(super) first: Vec<Example>,
}

/// Ranges of the time of a turn: the longest time in each, and words.
pub(super) const TIMES: [(Duration, &str); 6] = [
    (Duration::from_millis(10), "at most 0.01 s"),
    (Duration::from_millis(100), "0.01 to 0.1 s"),
    (Duration::from_secs(1), "0.1 to 1 s"),
    (Duration::from_secs(10), "1 to 10 s"),
    (Duration::from_secs(60), "10 to 60 s"),
    (Duration::MAX, "more than 60 s"),
];

/// A fault with its place on the site.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) fault: Fault,
    pub(super) game: GameId,
    /// Row of its turn on the game's page, or `None` if it belongs to no turn.
    pub(super) row: Option<u32>,
    /// The board before the turn, for the first faults of a kind.
    pub(super) board: Option<String>,
}

/// Maximum number of faults of one kind that an agent's page lists.
const EXPLAINED: usize = 20;
/// Maximum number of these that have a board.
const DRAWN: usize = 3;

impl Statistics {
    pub(super) fn new(agents: usize, clock: ClockRules) -> Statistics {
        let agents = vec![AgentStatistics::default(); agents];
        Statistics { clock, agents, tiers: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, summary: &Summary, record: &GameRecord) {
        *self.tiers.entry(record.tier.clone()).or_default() += 1;
        for turn in &record.turns {
            let agent = &mut self.agents[summary.agents[turn.side.index()]];
            let time = self.clock.charged(self.clock.counts.of(&turn.spent));
            agent.turns += 1;
            agent.spent += time;
            agent.longest = agent.longest.max(time);
            agent.by_time[TIMES.iter().take_while(|&&(most, _)| time > most).count().min(TIMES.len() - 1)] += 1;
            agent.least_left =
                turn.left.map_or(agent.least_left, |left| Some(agent.least_left.unwrap_or(left).min(left)));
            agent.peak = agent.peak.max_of(turn.peak.unwrap_or_default());
        }
        for fault in record.faults() {
            let rows = record.opening.len() + record.turns.len();
            let row = Some(fault.turn).filter(|&turn| turn > 0 && turn as usize <= rows);
            let agent = &mut self.agents[summary.agents[fault.side.index()]];
            let board = || ShownGame::of(record).ok()?.boards.get(row? as usize - 1).cloned();
            agent.add(summary.id, fault, row, board);
        }
    }
}

impl AgentStatistics {
    fn add(&mut self, game: GameId, fault: &Fault, row: Option<u32>, board: impl FnOnce() -> Option<String>) {
        let place = self.faults.iter().position(|faults| faults.kind == fault.kind);
        let place = place.unwrap_or_else(|| {
            self.faults.push(FaultsOfKind { kind: fault.kind, count: 0, first: Vec::new() });
            self.faults.len() - 1
        });
        let faults = &mut self.faults[place];
        faults.count += 1;
        if faults.first.len() < EXPLAINED {
            let board = (faults.first.len() < DRAWN).then(board).flatten();
            faults.first.push(Example { fault: fault.clone(), game, row, board });
        }
    }

    pub(super) fn faults_of(&self, kind: FaultKind) -> u64 {
        self.faults.iter().find(|faults| faults.kind == kind).map_or(0, |faults| faults.count)
    }

    pub(super) fn mean(&self) -> Duration {
        self.spent.checked_div(u32::try_from(self.turns).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}
