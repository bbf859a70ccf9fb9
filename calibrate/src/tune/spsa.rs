//! Simultaneous perturbation stochastic approximation.
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998), with its exponents. As in the chess testing program
//! fishtest, the gains are given by their values in the last pair of games.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::numbers::Number;
use crate::learn::game_seed;

/// Exponent with which the moves of the numbers become smaller.
const ALPHA: f64 = 0.602;
/// Exponent with which the distance of the players becomes smaller.
const GAMMA: f64 = 0.101;
/// Part of all pairs that is added to the number of a pair, so that the first moves are not too large.
const STABILITY: f64 = 0.1;

pub(super) struct Spsa<'a> {
    numbers: &'a [Number],
    /// Number of pairs in the whole run.
    pairs: u32,
    /// Part of its step by which a number moves in the last pair, if one player wins both games.
    rate: f64,
    seed: u64,
    values: Vec<f64>,
}

impl<'a> Spsa<'a> {
    /// Begins with the numbers' first values.
    pub(super) fn new(numbers: &'a [Number], pairs: u32, rate: f64, seed: u64) -> Spsa<'a> {
        let values = numbers.iter().map(|number| number.begin).collect();
        Spsa { numbers, pairs, rate, seed, values }
    }

    /// Current values, in the order of the numbers.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the values of both players of a pair, counted from 0: each number a step up for one of them and a step
    /// down for the other.
    pub(super) fn players(&self, pair: u32) -> [Vec<f64>; 2] {
        let widening = (f64::from(self.pairs) / f64::from(pair + 1)).powf(GAMMA);
        [1.0, -1.0].map(|side| {
            let moved = self.numbers.iter().zip(&self.values).zip(signs(self.seed, pair));
            let at = |((number, value), sign): ((&Number, &f64), f64)| {
                (value + side * sign * number.step * widening).clamp(number.min, number.max)
            };
            moved.map(at).collect()
        })
    }

    /// Moves all numbers toward the winner of a pair. `lead` is the number of games won by the first of its players
    /// less the number lost: -2 to 2.
    pub(super) fn learn(&mut self, pair: u32, lead: f64) {
        let all = f64::from(self.pairs);
        let (number, extra) = (f64::from(pair + 1), STABILITY * all);
        // The gradient is the lead divided by the players' distance, which grows with the same exponent as it shrinks.
        let gain = self.rate / 2.0 * ((extra + all) / (extra + number)).powf(ALPHA) / (all / number).powf(GAMMA);
        for ((number, value), sign) in self.numbers.iter().zip(&mut self.values).zip(signs(self.seed, pair)) {
            *value = (*value + gain * number.step * sign * lead).clamp(number.min, number.max);
        }
    }
}

/// Returns the directions of a pair: independent, and up and down with equal probability (Spall's condition).
fn signs(seed: u64, pair: u32) -> impl Iterator<Item = f64> {
    let mut rng = StdRng::seed_from_u64(game_seed(seed, pair));
    std::iter::repeat_with(move || if rng.random() { 1.0 } else { -1.0 })
}

#[cfg(test)]
mod tests {
    use super::super::numbers::Kind;
    use super::*;
    use crate::matches::expected_share;

    fn number(name: &str, begin: f64) -> Number {
        Number { name: name.to_owned(), begin, min: 0.0, max: 100.0, step: 10.0, kind: Kind::Real }
    }

    #[test]
    fn the_last_pair_is_a_step_away_and_moves_by_the_rate() {
        let numbers = [number("a", 50.0), number("b", 95.0)];
        let mut spsa = Spsa::new(&numbers, 400, 0.02, 3);
        let [plus, minus] = spsa.players(399);
        assert!((plus[0] - minus[0]).abs() > 19.99 && (plus[0] + minus[0] - 100.0).abs() < 1e-9, "{plus:?} {minus:?}");
        assert!([&plus, &minus].map(|values| values[1]).contains(&100.0), "within bounds: {plus:?} {minus:?}");
        assert!((spsa.players(0)[0][0] - 50.0).abs() > 15.0, "the first steps are larger");
        spsa.learn(399, 2.0);
        let moved = spsa.values()[0] - 50.0;
        assert!((moved.abs() - 0.2).abs() < 1e-9 && moved.signum() == (plus[0] - 50.0).signum(), "{moved}");
    }

    /// Two numbers far from their best values, 30 and 60, come back within 20 % in 5,000 pairs of made-up games. A
    /// number that is off by 40 costs 130 Elo; half of the games are drawn.
    #[test]
    fn wrong_numbers_come_back_in_made_up_games() {
        let best = [30.0, 60.0];
        let loss = |values: &[f64]| -> f64 {
            values.iter().zip(best).map(|(value, best)| 130.0 * ((value - best) / 40.0f64).powi(2)).sum()
        };
        for seed in 1..=5 {
            let numbers = [number("a", 80.0), number("b", 10.0)];
            let mut spsa = Spsa::new(&numbers, 5000, 0.01, seed);
            let mut rng = StdRng::seed_from_u64(seed);
            for pair in 0..5000 {
                let [first, second] = spsa.players(pair);
                let share = expected_share(loss(&second) - loss(&first));
                let mut game = || match rng.random_range(0.0..1.0) {
                    roll if roll < share - 0.25 => 1.0,
                    roll if roll >= share + 0.25 => -1.0,
                    _ => 0.0,
                };
                let lead = game() + game();
                spsa.learn(pair, lead);
            }
            for (value, best) in spsa.values().iter().zip(best) {
                assert!((value / best - 1.0).abs() < 0.2, "seed {seed}: {:?}", spsa.values());
            }
        }
    }
}
