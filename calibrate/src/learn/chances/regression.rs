//! Slopes of winning chances, by logistic regression with Newton's method.

use kingline_players::review::{Curve, bent};

/// A position, as the fit sees it.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) pieces: u32,
    /// Score for the side to move, in hundredths.
    pub(super) score: f64,
    /// Points of the side to move: 0, 0.5 or 1.
    pub(super) points: f64,
    /// Number that distinguishes the game from those of other seeds.
    pub(super) game: u32,
}

/// Terms of the log-odds.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Terms {
    /// Slopes times the score: what one side gains, the other loses.
    Slopes,
    /// The same, and a constant for the side to move.
    SlopesAndMove,
}

/// The coefficients that predict results best.
pub(super) struct Fit {
    /// Slope at each knot, in log-odds per hundredth.
    pub(super) slopes: Vec<f64>,
    /// Log-odds for the side to move at a score of 0.
    pub(super) of_move: f64,
}

impl Fit {
    /// Returns the log-odds of a sample, with the slopes at the knots of `curve`.
    pub(super) fn log_odds(&self, sample: &Sample, curve: Curve) -> f64 {
        let (place, share) = curve.place(sample.pieces);
        let next = self.slopes.get(place + 1).unwrap_or(&self.slopes[place]);
        self.of_move + ((1.0 - share) * self.slopes[place] + share * next) * bent(sample.score)
    }
}

/// Slopes are fitted per this number of hundredths, so that all coefficients are of one size.
const UNIT: f64 = 100.0;
/// Weight of the squared coefficients in the loss, so small that it decides only what the samples leave open.
const RIDGE: f64 = 1e-6;
/// Number of steps: from 0, three to eight reach the rounding error.
const STEPS: usize = 20;

/// Returns the coefficients with the smallest log loss, with slopes at the knots of `curve`.
pub(super) fn fit<'a>(samples: impl Iterator<Item = &'a Sample>, curve: Curve, terms: Terms) -> Fit {
    let knots = curve.knots.len();
    let samples: Vec<(Vec<f64>, f64)> = samples.map(|sample| (inputs(sample, curve, terms), sample.points)).collect();
    let mut coefficients = vec![0.0; knots + 1];
    for _ in 0..STEPS {
        let (gradient, hessian) = derivatives(&samples, &coefficients);
        let step = solve(hessian, gradient);
        coefficients.iter_mut().zip(step).for_each(|(coefficient, step)| *coefficient -= step);
    }
    let slopes = coefficients[..knots].iter().map(|slope| slope / UNIT).collect();
    Fit { slopes, of_move: coefficients[knots] }
}

/// Returns what the coefficients multiply: the parts of the score at the knots, and 1 for the side to move.
fn inputs(sample: &Sample, curve: Curve, terms: Terms) -> Vec<f64> {
    let mut inputs = vec![0.0; curve.knots.len() + 1];
    let (place, share) = curve.place(sample.pieces);
    let score = bent(sample.score) / UNIT;
    inputs[place] = (1.0 - share) * score;
    if share > 0.0 {
        inputs[place + 1] = share * score;
    }
    if terms == Terms::SlopesAndMove {
        inputs[curve.knots.len()] = 1.0;
    }
    inputs
}

fn derivatives(samples: &[(Vec<f64>, f64)], coefficients: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = coefficients.len();
    let mut gradient: Vec<f64> = coefficients.iter().map(|coefficient| RIDGE * coefficient).collect();
    let mut hessian = vec![vec![0.0; count]; count];
    (0..count).for_each(|place| hessian[place][place] = RIDGE);
    for (inputs, points) in samples {
        let log_odds: f64 = inputs.iter().zip(coefficients).map(|(input, coefficient)| input * coefficient).sum();
        let chance = 1.0 / (1.0 + (-log_odds).exp());
        for row in (0..count).filter(|&row| inputs[row] != 0.0) {
            gradient[row] += (chance - points) * inputs[row];
            for column in 0..count {
                hessian[row][column] += chance * (1.0 - chance) * inputs[row] * inputs[column];
            }
        }
    }
    (gradient, hessian)
}

/// Solves a positive definite system by Gaussian elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for pivot in 0..count {
        let (upper, lower) = matrix.split_at_mut(pivot + 1);
        let pivot_row = &upper[pivot];
        for (below, row) in lower.iter_mut().enumerate() {
            let factor = row[pivot] / pivot_row[pivot];
            row.iter_mut().zip(pivot_row).for_each(|(value, above)| *value -= factor * above);
            right[pivot + 1 + below] -= factor * right[pivot];
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use kingline_players::review::Knot;

    use super::*;
    use crate::learn::loss::log_loss;

    const CURVE: Curve =
        Curve { of_move: 0.0, knots: &[Knot { pieces: 20, slope: 0.01 }, Knot { pieces: 10, slope: 0.03 }] };

    fn loss(samples: &[Sample], log_odds: impl Fn(&Sample) -> f64) -> f64 {
        samples.iter().map(|sample| log_loss(log_odds(sample), sample.points)).sum()
    }

    /// Results at each score and number of pieces in the proportion of these log-odds.
    fn samples(log_odds: impl Fn(u32, f64) -> f64) -> Vec<Sample> {
        const GAMES: u32 = 1000;
        let mut samples = Vec::new();
        for pieces in [22, 20, 15, 12, 8] {
            for score in [-120.0, -40.0, 0.0, 60.0] {
                let won = f64::from(GAMES) / (1.0 + (-log_odds(pieces, score)).exp());
                let points = |game: u32| if f64::from(game) + 0.5 < won { 1.0 } else { 0.0 };
                samples.extend((0..GAMES).map(|game| Sample { pieces, score, points: points(game), game }));
            }
        }
        samples
    }

    #[test]
    fn the_slopes_behind_the_results_are_found() {
        let samples = samples(|pieces, score| CURVE.log_odds(pieces, score));
        let found = fit(samples.iter(), CURVE, Terms::Slopes);
        for (slope, knot) in found.slopes.iter().zip(CURVE.knots) {
            assert!((slope - knot.slope).abs() < 3e-4, "{slope} {knot:?}");
        }
        assert_eq!(found.of_move, 0.0);
        let best = loss(&samples, |sample| found.log_odds(sample, CURVE));
        for (place, by) in [(0, 1e-4), (0, -1e-4), (1, 1e-4), (1, -1e-4)] {
            let mut slopes = found.slopes.clone();
            slopes[place] += by;
            let other = Fit { slopes, of_move: 0.0 };
            assert!(loss(&samples, |sample| other.log_odds(sample, CURVE)) > best, "{place} {by}");
        }
    }

    #[test]
    fn the_advantage_of_the_move_is_found() {
        let samples = samples(|pieces, score| 0.2 + CURVE.log_odds(pieces, score));
        let found = fit(samples.iter(), CURVE, Terms::SlopesAndMove);
        assert!((found.of_move - 0.2).abs() < 0.01, "{}", found.of_move);
        let without = fit(samples.iter(), CURVE, Terms::Slopes);
        let loss = |fit: &Fit| loss(&samples, |sample| fit.log_odds(sample, CURVE));
        assert!(loss(&found) < loss(&without));
    }
}
