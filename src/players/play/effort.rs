use std::fmt;
use std::time::Duration;

use super::params::{LEVEL_NODES, LEVEL_TIMES};
use crate::protocol::commands::Level;
use kingline::search::Limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Number of positions to search, which takes less time than a person notices.
    Nodes(u64),
    Time(Duration),
}

/// Names of the levels, from 1.
#[cfg(feature = "display")]
const NAMES: [&str; Level::COUNT as usize] =
    ["easiest", "very easy", "easy", "moderate", "demanding", "hard", "very hard", "hardest"];

/// Level and its effort in words: `3, easy: 800 positions a move`.
#[cfg(feature = "display")]
pub(crate) fn level_in_words(level: Level) -> String {
    let number = level.number();
    format!("{number}, {}: {}", NAMES[usize::from(number) - 1], Effort::of(level))
}

impl Effort {
    pub(super) fn of(level: Level) -> Effort {
        let place = usize::from(level.number()) - 1;
        match LEVEL_NODES.get(place) {
            Some(&nodes) => Effort::Nodes(nodes),
            None => Effort::Time(LEVEL_TIMES[place - LEVEL_NODES.len()]),
        }
    }

    pub(super) fn limits(self) -> Limits {
        match self {
            Effort::Nodes(nodes) => Limits::nodes(nodes),
            Effort::Time(time) => Limits::time(time),
        }
    }
}

impl fmt::Display for Effort {
    /// Writes `4,000 positions a move`, `1 second a move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Nodes(nodes @ 0..1000) => write!(f, "{nodes} positions a move"),
            Effort::Nodes(nodes) => write!(f, "{},{:03} positions a move", nodes / 1000, nodes % 1000),
            Effort::Time(time) if time.as_secs() == 1 => f.write_str("1 second a move"),
            Effort::Time(time) => write!(f, "{} seconds a move", time.as_secs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_searches_more_than_the_one_below() {
        let efforts: Vec<Effort> = Level::all().map(Effort::of).collect();
        // Any time is long enough for more positions than any number of them.
        let size = |effort: &Effort| match *effort {
            Effort::Nodes(nodes) => (Duration::ZERO, nodes),
            Effort::Time(time) => (time, 0),
        };
        assert!(efforts.is_sorted_by(|one, other| size(one) < size(other)), "{efforts:?}");
    }

    #[cfg(feature = "display")]
    #[test]
    fn every_level_is_told_in_words() {
        let words: Vec<String> = Level::all().map(level_in_words).collect();
        assert_eq!(words[..2], ["1, easiest: 30 positions a move", "2, very easy: 150 positions a move"]);
        assert_eq!(words[5], "6, hard: 100,000 positions a move");
        assert_eq!(words[6..], ["7, very hard: 1 second a move", "8, hardest: 5 seconds a move"]);
    }
}
