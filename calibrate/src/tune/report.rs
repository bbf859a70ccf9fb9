//! Output of `calibrate tune`.

use std::fmt;

use serde_json::{Map, Value, json};

use super::numbers::Number;
use crate::matches::MatchReport;

/// Finished run.
pub(super) struct TuneReport {
    pub(super) numbers: Vec<Number>,
    /// Final values.
    pub(super) values: Vec<f64>,
    pub(super) pairs: u32,
    /// JSON of the tuned player.
    pub(super) player: Value,
    /// Match of the tuned player against the one of the beginning.
    pub(super) test: Option<MatchReport>,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, value) in self.numbers.iter().zip(&self.values) {
            writeln!(f, "{}: {} to {}", number.name, number.begin, number.rounded(*value))?;
        }
        writeln!(f, "after {} pairs of games", self.pairs)?;
        write!(f, "{}", self.player)?;
        self.test.iter().try_for_each(|test| write!(f, "\nagainst the beginning:\n{test}"))
    }
}

impl TuneReport {
    /// Returns the result as JSON.
    pub(super) fn to_json(&self) -> Value {
        let numbers = self.numbers.iter().zip(&self.values).map(|(number, value)| {
            (number.name.clone(), json!({ "begin": number.begin, "end": number.rounded(*value) }))
        });
        json!({
            "numbers": Map::from_iter(numbers),
            "pairs": self.pairs,
            "player": self.player,
            "match": self.test.as_ref().map(MatchReport::figures),
        })
    }
}
