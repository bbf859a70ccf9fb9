//! Maximum-likelihood strengths for a set of results.
//!
//! Source: the MM algorithm of D. Hunter, "MM algorithms for generalized Bradley-Terry models", 2004.

/// Number of drawn games of each agent against an imaginary opponent of strength 1. They keep strengths finite even for
/// agents that won or lost every game, and connect groups that never met.
const PRIOR: f64 = 1.0;
/// The fit ends when no strength changes by more than this fraction.
const PRECISION: f64 = 1e-6;
const LONGEST: usize = 10_000;

/// A game that counts for the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Number of the pairing, shared by its games.
    pub pairing: u64,
    /// The two agents: different indexes below the number of agents.
    pub agents: [usize; 2],
    /// Half points of the two agents, two per win.
    pub half_points: [u32; 2],
}

/// A weighted set of games: a resample can contain a game any number of times.
pub(super) struct Games<'a> {
    games: &'a [RatedGame],
    /// Pairs of agents that met, lower index first.
    pairs: Vec<[usize; 2]>,
    /// Index of each game's pair.
    places: Vec<usize>,
    /// Number of resampled games of each pair.
    played: Vec<f64>,
    /// Points of each agent in the resampled games, one per win.
    points: Vec<f64>,
    /// Strengths of the last fit, from which the next one starts.
    strengths: Vec<f64>,
}

impl Games<'_> {
    /// Creates a set that contains each game once.
    pub(super) fn new(agents: usize, games: &[RatedGame]) -> Games<'_> {
        let of = |game: &RatedGame| [game.agents[0].min(game.agents[1]), game.agents[0].max(game.agents[1])];
        let mut pairs: Vec<[usize; 2]> = games.iter().map(of).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let places = games.iter().map(|game| pairs.partition_point(|pair| *pair < of(game))).collect();
        let (played, points) = (vec![0.0; pairs.len()], vec![0.0; agents]);
        let mut all = Games { games, pairs, places, played, points, strengths: vec![1.0; agents] };
        (0..games.len()).for_each(|game| all.add(game));
        all
    }

    pub(super) fn clear(&mut self) {
        self.played.fill(0.0);
        self.points.fill(0.0);
    }

    pub(super) fn add(&mut self, index: usize) {
        self.played[self.places[index]] += 1.0;
        let RatedGame { agents, half_points, .. } = self.games[index];
        for (agent, half_points) in agents.into_iter().zip(half_points) {
            self.points[agent] += f64::from(half_points) / 2.0;
        }
    }

    /// Returns the most likely strengths in Elo, with mean 0.
    pub(super) fn elo(&mut self) -> Vec<f64> {
        for _ in 0..LONGEST {
            if self.improve() < PRECISION {
                break;
            }
        }
        let mut elo: Vec<f64> = self.strengths.iter().map(|strength| 400.0 * strength.log10()).collect();
        let mean = elo.iter().sum::<f64>() / elo.len().max(1) as f64;
        elo.iter_mut().for_each(|elo| *elo -= mean);
        elo
    }

    /// Runs one iteration. Returns the largest relative change of a strength.
    fn improve(&mut self) -> f64 {
        let mut expected: Vec<f64> = self.strengths.iter().map(|strength| PRIOR / (strength + 1.0)).collect();
        for (&[one, other], &played) in self.pairs.iter().zip(&self.played) {
            let part = played / (self.strengths[one] + self.strengths[other]);
            expected[one] += part;
            expected[other] += part;
        }
        let better = self.points.iter().zip(expected).map(|(points, expected)| (points + PRIOR / 2.0) / expected);
        let better: Vec<f64> = better.collect();
        let scale = scale(&better);
        let mut change: f64 = 0.0;
        for (strength, better) in self.strengths.iter_mut().zip(better) {
            change = change.max((better * scale / *strength - 1.0).abs());
            *strength = better * scale;
        }
        change
    }
}

/// Returns a common factor for all strengths that brings the expected score in the prior's games, which are all draws,
/// to about one half. Only the prior determines the overall scale, so the iterations alone would converge to it
/// slowly.
fn scale(strengths: &[f64]) -> f64 {
    let (mut excess, mut slope) = (0.0, 0.0);
    for strength in strengths {
        let won = strength / (strength + 1.0);
        excess += won - 0.5;
        slope += won * (1.0 - won);
    }
    // One step of Newton's method for the logarithm. A long step is clamped, and the next iteration continues.
    if slope > 0.0 { (-excess / slope).clamp(-1.0, 1.0).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_agents_have_the_odds_of_their_points() {
        let games: Vec<RatedGame> = (0..4000)
            .map(|game| RatedGame {
                pairing: game,
                agents: [1, 0],
                half_points: if game % 4 == 0 { [0, 2] } else { [2, 0] },
            })
            .collect();
        let elo = Games::new(2, &games).elo();
        // The odds are three to one; the prior hardly changes them.
        assert!((elo[1] - elo[0] - 400.0 * 3f64.log10()).abs() < 1.0, "{elo:?}");
    }

    #[test]
    fn expected_points_equal_actual_points() {
        let mut games = Vec::new();
        for one in 0..7 {
            for other in 0..one {
                let points = ((one * 5 + other * 3) % 3) as u32;
                games.push(RatedGame { pairing: 0, agents: [one, other], half_points: [points, 2 - points] });
            }
        }
        let mut all = Games::new(7, &games);
        all.elo();
        for agent in 0..7 {
            let strength = all.strengths[agent];
            let against = |other: f64| strength / (strength + other);
            let others = all.pairs.iter().filter_map(|pair| match *pair {
                [one, other] if one == agent => Some(other),
                [other, one] if one == agent => Some(other),
                _ => None,
            });
            let expected: f64 = others.map(|other| against(all.strengths[other])).sum();
            let made = all.points[agent] + PRIOR / 2.0;
            assert!((expected + PRIOR * against(1.0) - made).abs() < 1e-4, "agent {agent}");
        }
    }
}
