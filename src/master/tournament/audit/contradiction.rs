//! Contradictions in the record of a game.

use std::fmt;

/// A place where a record contradicts its own moves, the rules or its league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Place in the record: `turn 14`, `the verdict`.
    pub place: String,
    /// The recorded value.
    pub read: String,
    /// The value that the earlier moves, the rules or the league require.
    pub expected: String,
}

impl Contradiction {
    pub(super) fn new(place: impl Into<String>, read: impl fmt::Display, expected: impl fmt::Display) -> Contradiction {
        Contradiction { place: place.into(), read: read.to_string(), expected: expected.to_string() }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { place, read, expected } = self;
        write!(f, "{place}: found {read}, expected {expected}")
    }
}
