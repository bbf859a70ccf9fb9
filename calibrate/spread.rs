//! How are measured times spread? Their percentiles.

use std::time::Duration;

/// Measured times, the shortest first.
pub(crate) struct Spread(Vec<Duration>);

impl Spread {
    /// Of these times.
    pub(crate) fn of(mut times: Vec<Duration>) -> Spread {
        times.sort_unstable();
        Spread(times)
    }

    /// The percentile: a time that `percent` of a hundred do not exceed; zero if nothing was measured.
    pub(crate) fn percent(&self, percent: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * percent / 100).min(last)).copied().unwrap_or_default()
    }
}
