//! Ratings of agents from their games, with error bars.
//!
//! The model is that of R. Bradley and M. Terry, "Rank analysis of incomplete block designs", 1952: `a` beats `b` with
//! probability `s(a) / (s(a) + s(b))`. A drawn game is half a win. Error bars come from a bootstrap that resamples
//! whole pairings, since the two games of a pairing share their opening and are correlated.
//!
//! The mean rating of each round is 0, whoever takes part, so that ratings of different rounds cannot be compared as
//! they are. Agents whose files are the same in both rounds play equally well in both, and link the two scales.

mod fit;

use std::collections::HashMap;
use std::ops::Range;

use fit::Games;
use kingline::game::zobrist::SplitMix64;
use serde::Serialize;

pub use fit::RatedGame;

/// Rating of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Rating {
    /// Number of games that the rating is based on.
    pub games: u32,
    /// Elo rating: 400 points more mean ten times the strength. The mean over all agents is 0.
    pub elo: f64,
    /// Lower end of the error bar (95 %); null if the agent never won a point, so that there is no lower bound.
    pub low: Option<f64>,
    /// Upper end of the error bar; null if the agent never lost a point, so that there is no upper bound.
    pub high: Option<f64>,
}

/// Number of bootstrap resamples for the error bars.
const RESAMPLES: usize = 500;
/// Fraction of resamples beyond each end of an error bar.
const OUTSIDE: f64 = 0.025;

/// Returns the Elo rating of each of `agents` agents, as [`rate`] does, but without error bars.
pub fn elo(agents: usize, games: &[RatedGame]) -> Vec<f64> {
    Games::new(agents, games).elo()
}

/// Rates `agents` agents by their games. `seed` alone determines the resamples.
///
/// ```
/// use kingline_master::tournament::rating::{RatedGame, rate};
///
/// let won = |pairing, winner, loser| RatedGame { pairing, agents: [winner, loser], half_points: [2, 0] };
/// let games = [won(0, 0, 1), won(0, 0, 1), won(1, 0, 1), won(1, 1, 0)];
/// let ratings = rate(2, &games, 1);
/// assert!(ratings[0].elo - ratings[1].elo > 100.0 && (ratings[0].elo + ratings[1].elo).abs() < 1e-9);
/// ```
pub fn rate(agents: usize, games: &[RatedGame], seed: u64) -> Vec<Rating> {
    let mut sorted = games.to_vec();
    sorted.sort_by_key(|game| game.pairing);
    let mut pairings = Vec::new();
    for pairing in sorted.chunk_by(|one, other| one.pairing == other.pairing) {
        let first = pairings.last().map_or(0, |last: &Range<usize>| last.end);
        pairings.push(first..first + pairing.len());
    }
    let mut drawn = Games::new(agents, &sorted);
    let elo = drawn.elo();
    let mut samples = vec![Vec::with_capacity(RESAMPLES); agents];
    let mut rng = SplitMix64::new(seed);
    for _ in 0..RESAMPLES {
        drawn.clear();
        for _ in &pairings {
            pairings[rng.below(pairings.len())].clone().for_each(|game| drawn.add(game));
        }
        samples.iter_mut().zip(drawn.elo()).for_each(|(samples, elo)| samples.push(elo));
    }
    let mut ratings: Vec<Rating> = elo.into_iter().map(|elo| Rating { games: 0, elo, low: None, high: None }).collect();
    // Half points that each agent won and lost.
    let mut totals = vec![[0; 2]; agents];
    for game in games {
        for (side, &agent) in game.agents.iter().enumerate() {
            ratings[agent].games += 1;
            totals[agent][0] += game.half_points[side];
            totals[agent][1] += game.half_points[1 - side];
        }
    }
    for ((rating, [won, lost]), mut samples) in ratings.iter_mut().zip(totals).zip(samples) {
        samples.sort_by(f64::total_cmp);
        let cut = (OUTSIDE * RESAMPLES as f64) as usize;
        rating.low = (won > 0).then(|| samples[cut]);
        rating.high = (lost > 0).then(|| samples[RESAMPLES - 1 - cut]);
    }
    ratings
}

/// An agent in a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedAgent<'a> {
    /// Its name.
    pub name: &'a str,
    /// Hash of its files.
    pub hash: &'a str,
    /// Its rating in the round.
    pub elo: f64,
}

/// Returns the number that puts the ratings of an earlier round on the scale of a later one when added to them, and
/// the number of agents that it is based on: those whose files are the same in both rounds. With it, their mean rating
/// is the same in both. `None` if there are no such agents.
///
/// ```
/// use kingline_master::tournament::rating::{RatedAgent, shift};
///
/// let agent = |name, hash, elo| RatedAgent { name, hash, elo };
/// let earlier = [agent("ann", "1", 50.0), agent("bob", "2", -20.0), agent("cy", "3", -30.0)];
/// let later = [agent("ann", "1", 20.0), agent("bob", "2", -40.0), agent("cy", "4", 20.0)];
/// assert_eq!(shift(&earlier, &later), Some((-25.0, 2)));
/// ```
pub fn shift(earlier: &[RatedAgent<'_>], later: &[RatedAgent<'_>]) -> Option<(f64, usize)> {
    let later: HashMap<(&str, &str), f64> = later.iter().map(|agent| ((agent.name, agent.hash), agent.elo)).collect();
    let risen = earlier.iter().filter_map(|agent| Some(later.get(&(agent.name, agent.hash))? - agent.elo));
    let risen: Vec<f64> = risen.collect();
    (!risen.is_empty()).then(|| (risen.iter().sum::<f64>() / risen.len() as f64, risen.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a round robin with `pairings` pairings of two games for every pair; with `twins`, both games of a pairing
    /// end the same way.
    fn round_robin(strengths: &[f64], pairings: u64, twins: bool, rng: &mut SplitMix64) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for one in 0..strengths.len() {
            for other in 0..one {
                let chance = 1.0 / (1.0 + 10f64.powf((strengths[other] - strengths[one]) / 400.0));
                // Two independent half points: one for each side is a draw.
                let mut half = || u32::from((rng.below(1 << 30) as f64) < chance * f64::from(1 << 30));
                for _ in 0..pairings {
                    let pairing = games.len() as u64;
                    let mut points = half() + half();
                    for _ in 0..2 {
                        games.push(RatedGame { pairing, agents: [one, other], half_points: [points, 2 - points] });
                        if !twins {
                            points = half() + half();
                        }
                    }
                }
            }
        }
        games
    }

    /// Returns the number of agents whose true strength lies within the error bar, and the total number of agents.
    fn coverage(twins: bool, seed: u64) -> (usize, usize) {
        let (mut within, mut all) = (0, 0);
        let mut rng = SplitMix64::new(seed);
        for tournament in 0..12 {
            let mut truth: Vec<f64> = (0..16).map(|_| rng.below(800) as f64).collect();
            let mean = truth.iter().sum::<f64>() / truth.len() as f64;
            truth.iter_mut().for_each(|elo| *elo -= mean);
            let games = round_robin(&truth, 3, twins, &mut rng);
            for (rating, truth) in rate(truth.len(), &games, tournament).iter().zip(truth) {
                let above_low = rating.low.is_none_or(|low| low <= truth);
                within += usize::from(above_low && rating.high.is_none_or(|high| truth <= high));
                all += 1;
            }
        }
        (within, all)
    }

    #[test]
    fn true_strengths_lie_within_their_error_bars() {
        for twins in [false, true] {
            let (within, all) = coverage(twins, 7);
            let part = within as f64 / all as f64;
            assert!((0.92..=0.99).contains(&part), "{within} of {all}, twins: {twins}");
        }
    }

    #[test]
    fn games_that_are_copies_of_each_other_do_not_narrow_the_bars() {
        let width = |twins| {
            let games = round_robin(&[0.0; 8], 6, twins, &mut SplitMix64::new(3));
            rate(8, &games, 1).iter().map(|rating| rating.high.unwrap() - rating.low.unwrap()).sum::<f64>()
        };
        let wider = width(true) / width(false);
        assert!((1.2..1.7).contains(&wider), "expected about the square root of two, found {wider}");
    }

    #[test]
    fn ratings_recover_the_order_of_strengths() {
        let truth: Vec<f64> = (0..20).map(|agent| f64::from(agent) * 30.0).collect();
        let ratings = rate(20, &round_robin(&truth, 10, false, &mut SplitMix64::new(5)), 1);
        let pairs = (0..20).flat_map(|low| (low + 1..20).map(move |high| (low, high)));
        let right = pairs.filter(|&(low, high)| ratings[low].elo < ratings[high].elo).count();
        assert!(right >= 180, "{right} of 190");
        assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        assert!(ratings.iter().all(|rating| rating.games == 380));
    }

    #[test]
    fn an_agent_that_never_lost_has_a_finite_rating_without_an_upper_end() {
        let won = |pairing, winner, loser| RatedGame { pairing, agents: [winner, loser], half_points: [2, 0] };
        let ratings = rate(4, &[won(0, 0, 1), won(0, 0, 1), won(1, 1, 2), won(2, 0, 2)], 1);
        assert!(ratings[0].elo.is_finite() && ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        assert_eq!((ratings[0].high, ratings[2].low), (None, None));
        assert!(ratings[0].low.is_some() && ratings[1].low.is_some() && ratings[1].high.is_some());
        assert_eq!((ratings[3].games, ratings[3].low, ratings[3].high), (0, None, None));
    }

    #[test]
    fn without_agents_or_games_ratings_are_empty_or_zero() {
        assert_eq!(rate(0, &[], 1), []);
        assert_eq!(rate(2, &[], 1), [Rating { games: 0, elo: 0.0, low: None, high: None }; 2]);
    }

    #[test]
    fn the_same_seed_gives_the_same_bars() {
        let games = round_robin(&[0.0, 100.0, 200.0], 4, false, &mut SplitMix64::new(9));
        assert_eq!(rate(3, &games, 1), rate(3, &games, 1));
        assert_ne!(rate(3, &games, 1), rate(3, &games, 2));
    }

    #[test]
    fn agents_that_stay_the_same_link_rounds_of_different_strength() {
        // Each point of a difference in strength is worth 1 Elo; results are the expected ones of 200 games.
        let round = |strengths: &[f64]| {
            let mut games = Vec::new();
            for one in 0..strengths.len() {
                for other in 0..one {
                    let chance = 1.0 / (1.0 + 10f64.powf((strengths[other] - strengths[one]) / 400.0));
                    let won = (chance * 200.0).round() as u32;
                    for game in 0..200 {
                        let half_points = if game < won { [2, 0] } else { [0, 2] };
                        games.push(RatedGame { pairing: 0, agents: [one, other], half_points });
                    }
                }
            }
            elo(strengths.len(), &games)
        };
        let names = ["same", "also same", "better", "gone"];
        let [first, second] = [round(&[0.0, 100.0, -200.0, 300.0]), round(&[0.0, 100.0, 150.0])];
        let agents = |elo: &[f64], hashes: [&'static str; 4]| -> Vec<RatedAgent<'static>> {
            elo.iter().zip(names).zip(hashes).map(|((&elo, name), hash)| RatedAgent { name, hash, elo }).collect()
        };
        let earlier = agents(&first, ["1", "2", "3", "4"]);
        let later = agents(&second, ["1", "2", "5", "4"]);
        let (by, of) = shift(&earlier, &later).unwrap();
        assert_eq!(of, 2);
        for (then, now, expected) in [(0, 0, 0.0), (1, 1, 0.0), (2, 2, 350.0)] {
            let found = second[now] - (first[then] + by);
            assert!((found - expected).abs() < 8.0, "{found} instead of {expected}");
        }
        assert!((second[2] - first[2] - 350.0).abs() > 25.0, "the ratings as they are cannot be compared");
        assert_eq!(shift(&earlier, &agents(&second, ["6", "7", "8", "9"])), None);
    }
}
