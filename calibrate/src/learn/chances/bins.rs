//! Calibration: predicted chances against results.

use std::collections::BTreeMap;

use serde::Serialize;

const BINS: usize = 10;

/// The chances of a held-out position, and the result of its game.
#[derive(Clone, Copy)]
pub(super) struct Prediction {
    pub(super) log_odds: f64,
    /// Points of the side to move: 0, 0.5 or 1.
    pub(super) points: f64,
    pub(super) game: u32,
}

impl Prediction {
    fn chance(&self) -> f64 {
        1.0 / (1.0 + (-self.log_odds).exp())
    }
}

/// Positions with neighboring chances. Shares of 1.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct Bin {
    /// Positions.
    pub(super) positions: usize,
    /// Smallest chance.
    pub(super) from: f64,
    /// Largest chance.
    pub(super) to: f64,
    /// Mean chance.
    pub(super) predicted: f64,
    /// Mean result.
    pub(super) points: f64,
    /// Standard error of the difference between the two.
    pub(super) error: f64,
}

/// Cuts the predictions into ten bins of equal counts, the smallest chances first; fewer than ten make smaller bins.
pub(super) fn bins(mut sorted: Vec<Prediction>) -> Vec<Bin> {
    // Stable, so that equal chances stay in the order of the games.
    sorted.sort_by(|one, other| one.log_odds.total_cmp(&other.log_odds));
    let cut = |bin: usize| bin * sorted.len() / BINS;
    let bins = (0..BINS).map(|bin| &sorted[cut(bin)..cut(bin + 1)]);
    bins.filter(|bin| !bin.is_empty()).map(bin).collect()
}

fn bin(sorted: &[Prediction]) -> Bin {
    let count = sorted.len() as f64;
    let mean = |of: fn(&Prediction) -> f64| sorted.iter().map(of).sum::<f64>() / count;
    let (predicted, points) = (mean(Prediction::chance), mean(|prediction| prediction.points));
    let mut games: BTreeMap<u32, f64> = BTreeMap::new();
    for prediction in sorted {
        *games.entry(prediction.game).or_default() += prediction.points - prediction.chance() - (points - predicted);
    }
    let squares: f64 = games.values().map(|difference| difference * difference).sum();
    Bin {
        positions: sorted.len(),
        from: sorted[0].chance(),
        to: sorted[sorted.len() - 1].chance(),
        predicted,
        points,
        error: squares.sqrt() / count,
    }
}

/// Mean absolute difference between chances and results over the bins.
pub(super) fn mean_error(bins: &[Bin]) -> f64 {
    bins.iter().map(|bin| (bin.points - bin.predicted).abs()).sum::<f64>() / bins.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(game: u32, chance: f64, points: f64) -> Prediction {
        Prediction { log_odds: (chance / (1.0 - chance)).ln(), points, game }
    }

    #[test]
    fn bins_have_equal_counts_and_compare_means() {
        let predictions: Vec<Prediction> = (0..1000)
            .map(|game| {
                let chance = (f64::from(game) + 0.5) / 1000.0;
                // One of ten positions has a result 0.5 better than all others.
                prediction(game, chance, chance.round() * 0.5 + if game % 10 == 0 { 0.5 } else { 0.0 })
            })
            .collect();
        let bins = bins(predictions);
        assert!(bins.len() == BINS && bins.iter().all(|bin| bin.positions == 100));
        assert!(bins.is_sorted_by(|one, other| one.to < other.from));
        for (place, bin) in bins.iter().enumerate() {
            assert!((bin.predicted - (place as f64 + 0.5) / 10.0).abs() < 1e-9);
            assert!((bin.points - if place < 5 { 0.05 } else { 0.55 }).abs() < 1e-9);
        }
        // 0 to 0.4 too many, twice.
        assert!((mean_error(&bins) - 0.2).abs() < 1e-9, "{}", mean_error(&bins));
    }

    #[test]
    fn positions_of_one_game_are_one_piece_of_evidence() {
        let error = |positions_of_a_game: u32| {
            let predictions = (0..100).map(|number| {
                let game = number / positions_of_a_game;
                prediction(game, 0.5, f64::from(game % 2))
            });
            bin(&predictions.collect::<Vec<_>>()).error
        };
        assert!((error(1) - 0.05).abs() < 1e-9, "{}", error(1));
        assert!((error(5) - 0.05 * 5_f64.sqrt()).abs() < 1e-9, "{}", error(5));
    }

    #[test]
    fn few_predictions_make_smaller_bins() {
        let predictions: Vec<Prediction> = (0..3).map(|game| prediction(game, 0.5, 0.5)).collect();
        let bins = bins(predictions);
        assert_eq!(bins.iter().map(|bin| bin.positions).collect::<Vec<_>>(), [1; 3]);
        assert_eq!(mean_error(&bins), 0.0);
    }
}
