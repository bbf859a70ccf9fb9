//! Log losses of predictions against results: 0, 0.5 or 1 points. A draw counts as half a win and half a loss.

/// Returns the loss of predicting a point with this chance, 0 to 1.
pub(super) fn loss_of_chance(chance: f64, points: f64) -> f64 {
    // A result that did not happen costs nothing, even at chance 0.
    let part = |share: f64, chance: f64| if share > 0.0 { -share * chance.ln() } else { 0.0 };
    part(points, chance) + part(1.0 - points, 1.0 - chance)
}

/// Returns the loss of the chance `1 / (1 + exp(-log_odds))`. It is exact even where the chance is close to 0 or 1.
pub(super) fn log_loss(log_odds: f64, points: f64) -> f64 {
    log_odds.max(0.0) - points * log_odds + (-log_odds.abs()).exp().ln_1p()
}

/// Returns the mean of these numbers; `None` without numbers.
pub(super) fn mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.into_iter().fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Returns the scale, 0 to 1, at which the values in these pairs best predict the points.
///
/// The loss is convex in the scale, so bisection on its slope finds the minimum.
pub(super) fn best_scale(pairs: &[(f64, f64)]) -> f64 {
    /// Number of bits of the scale, more than results can determine.
    const STEPS: u32 = 40;
    let slope = |scale: f64| -> f64 {
        let chance = |value: f64| 1.0 / (1.0 + (-scale * value).exp());
        pairs.iter().map(|&(value, points)| (chance(value) - points) * value).sum()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_losses_agree() {
        for value in [-3.0_f64, -0.5, 0.0, 2.0] {
            for points in [0.0, 0.5, 1.0] {
                let chance = 1.0 / (1.0 + (-value).exp());
                assert!((log_loss(value, points) - loss_of_chance(chance, points)).abs() < 1e-12);
            }
        }
        assert_eq!(loss_of_chance(1.0, 1.0), 0.0);
        assert_eq!(log_loss(5000.0, 0.0), 5000.0);
    }

    #[test]
    fn the_best_scale_is_the_one_behind_the_results() {
        // Three of four are won at a value of 100: log odds of ln 3.
        let scale = best_scale(&[(100.0, 1.0), (100.0, 1.0), (100.0, 1.0), (100.0, 0.0)]);
        assert!((scale - 3_f64.ln() / 100.0).abs() < 1e-9, "{scale}");
        assert_eq!(best_scale(&[(0.0, 1.0), (0.0, 0.5)]), 0.0);
        assert_eq!(best_scale(&[(50.0, 0.0), (-50.0, 1.0)]), 0.0);
        assert!(best_scale(&[(50.0, 1.0), (-50.0, 0.0)]) > 0.5);
    }
}
