//! Percentiles of measured times.

use std::time::Duration;

/// Measured times in ascending order.
pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    /// Sorts these times.
    pub(crate) fn of(mut times: Vec<Duration>) -> Spread {
        times.sort_unstable();
        Spread(times)
    }

    /// Returns this percentile of the times; zero without measurements.
    pub(crate) fn percent(&self, percent: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }
}
