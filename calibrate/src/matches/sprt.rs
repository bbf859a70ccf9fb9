//! Strength shown by the pairs of a match: the difference in Elo, and a sequential test of two differences.
//!
//! A pair is the two games of an opening, with colors exchanged. They are not independent: an opening that favors a
//! side gives each player one win. Pairs of different openings are independent, so errors are computed over pairs.
//!
//! The test is a generalized sequential probability ratio test over pairs (the pentanomial model) with logistic Elo, as
//! in the chess testing programs fastchess and fishtest. Source: M. Van den Bergh, "Comments on Normalized Elo",
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>, section 1. The bounds are those of A. Wald,
//! "Sequential Tests of Statistical Hypotheses" (1945).

use std::str::FromStr;

use serde::Serialize;

/// Pair counts by the first player's points in both games: 0, 0.5, 1, 1.5 and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PairCounts(pub(crate) [usize; 5]);

/// Difference in strength in favor of the first player, in logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct EloDifference {
    /// Difference in strength, in logistic Elo.
    pub(crate) difference: f64,
    /// Half-width of the 95 % interval.
    pub(crate) error: f64,
}

impl PairCounts {
    /// Share of points in the pairs of each count.
    pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

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

/// Test of H0, that the first player is stronger by `elo0`, against H1, that it is stronger by `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Sprt {
    #[serde(flatten)]
    pub(crate) elo: EloPair,
    /// Probability of accepting H1 although H0 is true; above 0, below 0.5.
    pub(crate) alpha: f64,
    /// Probability of accepting H0 although H1 is true; above 0, below 0.5.
    pub(crate) beta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) enum Verdict {
    H0,
    H1,
    #[serde(rename = "undecided")]
    Undecided,
}

impl Sprt {
    /// Returns the log-likelihood ratios at which H0 and H1 are accepted: one below 0, one above.
    pub(crate) fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the log-likelihood ratio of H1 to H0. Each hypothesis is represented by the distribution of results that
    /// has its mean and makes the observed pairs most likely.
    pub(crate) fn llr(&self, pairs: &PairCounts) -> f64 {
        /// Replaces a count of 0, since an unseen result is still possible. Much smaller than any real count.
        const UNSEEN: f64 = 1e-3;
        if pairs.total() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [under_h0, under_h1] =
            [self.elo.elo0, self.elo.elo1].map(|elo| likeliest_counts(&counts, expected_share(elo)));
        let each = |index| counts[index] * f64::ln(under_h1[index] / under_h0[index]);
        (0..counts.len()).map(each).sum()
    }

    pub(crate) fn verdict(&self, pairs: &PairCounts) -> Verdict {
        let (llr, [lower, upper]) = (self.llr(pairs), self.bounds());
        match llr {
            _ if llr <= lower => Verdict::H0,
            _ if llr >= upper => Verdict::H1,
            _ => Verdict::Undecided,
        }
    }
}

/// Returns the expected counts under the likeliest distribution of results with this mean share of points, given the
/// real counts, all above 0.
///
/// A count is divided by 1 + t (share - mean), with the unique t that keeps all of them positive and gives that mean
/// (Van den Bergh, proposition 1.1).
fn likeliest_counts(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let divided = |t: f64| -> [f64; 5] {
        std::array::from_fn(|index| counts[index] / (1.0 + t * (PairCounts::SHARES[index] - mean)))
    };
    // Decreasing in t, and 0 at the wanted t.
    let excess = |t: f64| -> f64 {
        divided(t).iter().zip(PairCounts::SHARES).map(|(count, share)| count * (share - mean)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return divided(middle);
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Pair of differences in logistic Elo, the smaller one first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct EloPair {
    /// Elo of H0.
    pub(crate) elo0: f64,
    /// Elo of H1.
    pub(crate) elo1: f64,
}

impl FromStr for EloPair {
    type Err = String;

    fn from_str(text: &str) -> Result<EloPair, String> {
        /// Larger differences are close to certainty, and games cannot measure them.
        const MOST: f64 = 1000.0;
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= MOST);
        let pair = text.split_once(',').and_then(|(elo0, elo1)| Some((number(elo0)?, number(elo1)?)));
        let pair = pair.filter(|(elo0, elo1)| elo0 < elo1).map(|(elo0, elo1)| EloPair { elo0, elo1 });
        pair.ok_or_else(|| format!("expected two numbers from -{MOST} to {MOST}, the smaller first, like 0,10"))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

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

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo: EloPair { elo0, elo1 }, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let [lower, upper] = sprt(0.0, 10.0).bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12, "{lower} {upper}");
        let [lower, upper] = Sprt { alpha: 0.01, beta: 0.2, ..sprt(0.0, 10.0) }.bounds();
        assert!((lower - (0.2f64 / 0.99).ln()).abs() < 1e-12 && (upper - 80f64.ln()).abs() < 1e-12, "{lower} {upper}");
    }

    #[test]
    fn level_pairs_lie_halfway_and_exchanged_players_exchange_signs() {
        let level = PairCounts([5, 20, 100, 20, 5]);
        assert!(sprt(-8.0, 8.0).llr(&level).abs() < 1e-9);
        assert!(sprt(0.0, 10.0).llr(&level) < 0.0 && sprt(-10.0, 0.0).llr(&level) > 0.0);
        let ahead = PairCounts([2, 11, 70, 31, 6]);
        let behind = PairCounts([6, 31, 70, 11, 2]);
        assert!((sprt(0.0, 10.0).llr(&ahead) + sprt(-10.0, 0.0).llr(&behind)).abs() < 1e-9);
        assert!(sprt(0.0, 10.0).llr(&ahead) > 0.0);
        assert_eq!(sprt(0.0, 10.0).llr(&PairCounts::default()), 0.0);
    }

    #[test]
    fn results_of_one_kind_suffice_in_the_end() {
        // Among the distributions with mean share s that contain these results, the likeliest one gives them the share
        // s of all pairs.
        let test = sprt(0.0, 50.0);
        let each = (expected_share(50.0) / 0.5).ln();
        for count in [1, 10, 20] {
            let llr = test.llr(&PairCounts([0, 0, 0, 0, count]));
            assert!((llr / count as f64 / each - 1.0).abs() < 0.01, "{count}: {llr}");
        }
        assert_eq!(test.verdict(&PairCounts([0, 0, 0, 0, 10])), Verdict::Undecided);
        assert_eq!(test.verdict(&PairCounts([0, 0, 0, 0, 25])), Verdict::H1);
        assert_eq!(test.verdict(&PairCounts([0, 0, 50, 0, 0])), Verdict::H0);
        assert_eq!(test.verdict(&PairCounts([25, 0, 0, 0, 0])), Verdict::H0);
    }

    /// Checks two examples from fastchess's own tests, to 1 %.
    #[test]
    fn the_ratio_agrees_with_fastchess() {
        for (counts, elo0, elo1, expected) in
            [([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07), ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98)]
        {
            let llr = sprt(elo0, elo1).llr(&PairCounts(counts));
            assert!((llr / expected - 1.0).abs() < 0.01, "{llr}, not {expected}");
        }
    }

    /// Returns the largest log-likelihood under a mean, found by shrinking steps along the axes.
    fn searched(counts: [f64; 5], mean: f64) -> f64 {
        // The three middle results are free; the sum and the mean determine the outer two.
        let likelihood = |inner: [f64; 3]| {
            let won = mean - 0.25 * inner[0] - 0.5 * inner[1] - 0.75 * inner[2];
            let lost = 1.0 - won - inner.iter().sum::<f64>();
            let all = [lost, inner[0], inner[1], inner[2], won];
            if all.iter().any(|&p| p <= 0.0) {
                return f64::NEG_INFINITY;
            }
            counts.iter().zip(all).map(|(count, p)| count * p.ln()).sum()
        };
        let lowest = mean.min(1.0 - mean);
        let mut at = [0.4 * lowest, 0.4 * lowest, 0.4 * lowest];
        let (mut best, mut step) = (likelihood(at), 0.05);
        while step > 1e-12 {
            let axes = (0..27).map(|way: i32| [way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1].map(f64::from));
            let tries = axes.map(|way| std::array::from_fn(|axis| at[axis] + step * way[axis]));
            let found = tries.map(|there| (likelihood(there), there)).max_by(|a, b| a.0.total_cmp(&b.0));
            match found {
                Some((higher, there)) if higher > best => (best, at) = (higher, there),
                _ => step /= 2.0,
            }
        }
        best
    }

    #[test]
    fn the_ratio_compares_the_likeliest_distributions() {
        for (counts, elo0, elo1) in [
            ([3, 14, 50, 25, 8], 0.0, 10.0),
            ([40, 30, 20, 10, 5], -20.0, 30.0),
            ([1, 1, 200, 40, 1], 0.0, 50.0),
            ([7, 2, 1, 2, 30], 100.0, 200.0),
        ] {
            let real = counts.map(|count| count as f64);
            let expected = searched(real, expected_share(elo1)) - searched(real, expected_share(elo0));
            let llr = sprt(elo0, elo1).llr(&PairCounts(counts));
            assert!((llr - expected).abs() < 1e-6, "{counts:?}: {llr}, not {expected}");
        }
    }

    /// Measures how often the verdict is wrong in matches between players with a known difference.
    #[test]
    fn verdicts_keep_the_requested_error_rates() {
        const MATCHES: usize = 400;
        let test = sprt(0.0, 60.0);
        let mut rng = StdRng::seed_from_u64(5);
        for (elo, wrong) in [(0.0, Verdict::H1), (60.0, Verdict::H0)] {
            // Many draws, as in checkers.
            let (share, decided) = (expected_share(elo), 0.3);
            let win = share - 0.5 + decided / 2.0;
            let mut half_points = || match rng.random_range(0.0..1.0) {
                roll if roll < win => 2,
                roll if roll < decided => 0,
                _ => 1,
            };
            let mut errors = 0;
            for _ in 0..MATCHES {
                let mut pairs = PairCounts::default();
                while test.verdict(&pairs) == Verdict::Undecided {
                    pairs.0[half_points() + half_points()] += 1;
                }
                errors += usize::from(test.verdict(&pairs) == wrong);
            }
            // The requested error rate is 5 %; three standard deviations over 400 matches are 3.3 %.
            assert!(errors * 1000 < MATCHES * 83, "{errors} of {MATCHES} at {elo} Elo");
        }
    }

    #[test]
    fn arguments_are_checked() {
        assert_eq!("-5.5, 0".parse(), Ok(EloPair { elo0: -5.5, elo1: 0.0 }));
        for wrong in ["", "5", "10,0", "5,5", "0,x", "0,NaN", "-inf,0", "0,1001", "0,5,10"] {
            assert!(wrong.parse::<EloPair>().is_err(), "{wrong}");
        }
    }
}
