//! How far are values from results?

/// The log loss of `chance`, 0 to 1, where `points` of 0, 0.5 or 1 were made; of a draw half as of a win and half as of a
/// loss.
pub(super) fn log_loss(chance: f64, points: f64) -> f64 {
    // What did not happen costs nothing, also where it had no chance.
    let part = |share: f64, chance: f64| if share > 0.0 { -share * chance.ln() } else { 0.0 };
    part(points, chance) + part(1.0 - points, 1.0 - chance)
}

/// The same of a chance of `1 / (1 + exp(-value))`, exact also where that is next to 0 or 1.
pub(super) fn of_values(value: f64, points: f64) -> f64 {
    value.max(0.0) - points * value + (-value.abs()).exp().ln_1p()
}

/// The scale, 0 to 1, with which values tell results best, over all these pairs of them.
///
/// The loss is convex in the scale: bisection on its slope.
pub(super) fn best_scale(judged: &[(f64, f64)]) -> f64 {
    /// Bits of the scale: more than results can tell.
    const STEPS: u32 = 40;
    let slope = |scale: f64| -> f64 {
        let chance = |value: f64| 1.0 / (1.0 + (-scale * value).exp());
        judged.iter().map(|&(value, points)| (chance(value) - points) * value).sum()
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
    fn losses_of_chances_and_of_values_agree() {
        for value in [-3.0_f64, -0.5, 0.0, 2.0] {
            for points in [0.0, 0.5, 1.0] {
                let chance = 1.0 / (1.0 + (-value).exp());
                assert!((of_values(value, points) - log_loss(chance, points)).abs() < 1e-12);
            }
        }
        assert_eq!(log_loss(1.0, 1.0), 0.0);
        assert_eq!(of_values(5000.0, 0.0), 5000.0);
    }

    #[test]
    fn the_best_scale_is_that_which_made_the_results() {
        // Three of four are won at a value of 100: ln 3 of odds.
        let scale = best_scale(&[(100.0, 1.0), (100.0, 1.0), (100.0, 1.0), (100.0, 0.0)]);
        assert!((scale - 3_f64.ln() / 100.0).abs() < 1e-9, "{scale}");
        assert_eq!(best_scale(&[(0.0, 1.0), (0.0, 0.5)]), 0.0);
        assert_eq!(best_scale(&[(50.0, 0.0), (-50.0, 1.0)]), 0.0);
        assert!(best_scale(&[(50.0, 1.0), (-50.0, 0.0)]) > 0.5);
    }
}
