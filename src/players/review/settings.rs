use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

/// Seconds a position by default.
pub const SECONDS: f64 = 0.2;
/// Range of seconds a position; see [`parse_seconds`].
pub(crate) const SECONDS_RANGE: RangeInclusive<f64> = 0.001..=600.0;
/// Part of the nodes for the solver, where there is one.
pub(super) const SOLVER_PART: f64 = 0.25;
/// Best moves searched: the second tells whether the best is the only good one.
pub(super) const LINES: usize = 2;
/// Limit of each table of a search, in bytes.
pub(super) const TABLE_BYTES: usize = 64 << 20;
/// Plies of a line that a review keeps.
pub(super) const LINE_PLIES: usize = 10;
/// Plies from a puzzle to its end, or to a position that the tables know.
pub(super) const PUZZLE_PLIES: RangeInclusive<usize> = 5..=LINE_PLIES;
/// Nodes that verify a puzzle, as a multiple of those that found it.
pub(super) const PUZZLE_EFFORT: u64 = 10;
/// Largest chances after any other move of a puzzle.
pub(super) const PUZZLE_OTHERS: f64 = 0.6;
/// Chances of a proved win in comparison with an estimate, which never reaches 1.
pub(super) const WIN_AGAINST_ESTIMATE: f64 = 0.95;

/// Names of squares in moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SquareNames {
    /// `11-15`, as in books and PDN.
    #[default]
    Numbers,
    /// `c3-b4`.
    Letters,
    /// As agents write moves: `c3-b4`, and `D1B3` in 6x6 Lines of Action, where rows are numbered from the top.
    Agents,
}

/// Settings of a review.
///
/// A second counts as a fixed number of nodes for each game, about what a core of 2024 searches. So a review is the same
/// on every machine, however busy, and can be checked by anybody.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seconds for each position.
    pub seconds: f64,
    /// Names of squares in moves.
    pub names: SquareNames,
}

impl Settings {
    /// Nodes for each position of a game that is searched at `speed` nodes a second.
    pub(super) fn nodes(self, speed: u64) -> u64 {
        (self.seconds * speed as f64).round().max(1.0) as u64
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seconds: SECONDS, names: SquareNames::default() }
    }
}

/// Reads seconds a position, as command lines have them.
///
/// # Errors
/// The text is not a number in `SECONDS_RANGE`.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| SECONDS_RANGE.contains(seconds));
    seconds.ok_or_else(|| "expected seconds, 0.001 to 600".to_owned())
}

/// Number of threads that review positions side by side: one for each core.
pub fn all_cores() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
