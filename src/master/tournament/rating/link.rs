//! Linking the scales of ratings from two rounds of a tournament.
//!
//! The mean rating of each round is 0, whoever takes part, so that ratings of different rounds cannot be compared as
//! they are. Agents whose files are the same in both rounds play equally well in both, and link the two scales.

use std::collections::HashMap;

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
    use crate::tournament::rating::{RatedGame, elo};

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
