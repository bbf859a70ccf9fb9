//! Number of threads.

use std::num::NonZero;

/// Largest number of threads of a search.
pub const MOST_THREADS: usize = 256;

/// Reads a number of threads.
///
/// # Errors
/// It is not a number from 1 to [`MOST_THREADS`].
pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = text.parse().ok().filter(|threads: &NonZero<usize>| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number of threads from 1 to {MOST_THREADS}"))
}
