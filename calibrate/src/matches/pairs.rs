//! Pairs of games, and the difference in strength that they show.
//!
//! A pair is the two games of an opening, with colors exchanged. They are not independent: an opening that favors a
//! side gives each player one win. Pairs of different openings are independent, so errors are computed over pairs.

use serde::Serialize;

/// Pair counts by the first player's points in both games: 0, 0.5, 1, 1.5 and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct PairCounts(pub(crate) [usize; 5]);

/// Difference in strength in favor of the first player, in logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct EloDifference {
    pub(crate) difference: f64,
    /// Half-width of the 95 % interval.
    pub(crate) error: f64,
}

impl PairCounts {
    /// Share of points in the pairs of each count.
    pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Number of pairs.
    pub(crate) fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// Share of points, 0 to 1; 0 without pairs.
    pub(crate) fn share(&self) -> f64 {
        self.mean(|share| share)
    }

    /// Half-width of the 95 % interval of [`share`](Self::share).
    pub(crate) fn error(&self) -> f64 {
        let mean = self.share();
        let variance = self.mean(|share| (share - mean).powi(2));
        1.96 * (variance / self.total().max(1) as f64).sqrt()
    }

    /// Returns the difference that gives this share of points; `None` if one player won all points, which any large
    /// difference can explain.
    pub(crate) fn elo(&self) -> Option<EloDifference> {
        let share = self.share();
        if share <= 0.0 || share >= 1.0 {
            return None;
        }
        let slope = 400.0 / (std::f64::consts::LN_10 * share * (1.0 - share));
        Some(EloDifference { difference: 400.0 * (share / (1.0 - share)).log10(), error: slope * self.error() })
    }

    fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        let values = self.0.iter().zip(Self::SHARES).map(|(&count, share)| count as f64 * value(share));
        values.sum::<f64>() / self.total().max(1) as f64
    }
}

/// Returns the expected share of points of a player who is stronger by `elo`.
pub(crate) fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_computed_over_pairs() {
        // The same color wins both games of each opening, so the players are certainly level.
        let level = PairCounts([0, 0, 40, 0, 0]);
        assert_eq!((level.total(), level.share(), level.error()), (40, 0.5, 0.0));
        // Half of the independent games are won: 1.96 times the square root of 0.25 / 80.
        let independent = PairCounts([10, 0, 20, 0, 10]);
        assert!((independent.error() - 0.109_567).abs() < 1e-6, "{independent:?}");
        // Both games of an opening always end alike.
        let alike = PairCounts([20, 0, 0, 0, 20]);
        assert!((alike.error() / independent.error() - 2f64.sqrt()).abs() < 1e-9, "{alike:?}");
    }

    #[test]
    fn elo_follows_from_the_share() {
        let level = PairCounts([3, 7, 30, 7, 3]).elo().expect("points on both sides");
        assert!(level.difference.abs() < 1e-9 && level.error > 0.0, "{level:?}");
        // 75 % corresponds to 190.85 Elo.
        let ahead = PairCounts([0, 0, 10, 0, 10]).elo().expect("points on both sides");
        assert!((ahead.difference - 190.848_5).abs() < 1e-4, "{ahead:?}");
        assert!((expected_share(ahead.difference) - 0.75).abs() < 1e-12);
        // A small error agrees with the ends of the interval.
        let counts = PairCounts([50, 900, 2000, 1000, 60]);
        let (elo, share, error) = (counts.elo().expect("points on both sides"), counts.share(), counts.error());
        for (sign, end) in [(1.0, share + error), (-1.0, share - error)] {
            assert!((expected_share(elo.difference + sign * elo.error) - end).abs() < 1e-4, "{elo:?}");
        }
        for one_sided in [PairCounts::default(), PairCounts([9, 0, 0, 0, 0]), PairCounts([0, 0, 0, 0, 9])] {
            assert_eq!(one_sided.elo(), None);
        }
    }
}
