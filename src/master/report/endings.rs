//! Endings of games, and how often each occurred.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

use crate::record::{Draw, FaultKind};
use crate::tournament::store::Summary;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndingKind {
    /// The rules decided the game.
    Board,
    /// The rules ended the game without a winner.
    Drawn,
    /// A fault ended the game.
    Fault,
}

impl EndingKind {
    pub(super) const ALL: [EndingKind; 3] = [EndingKind::Board, EndingKind::Drawn, EndingKind::Fault];

    pub(super) fn title(self) -> &'static str {
        match self {
            EndingKind::Board => "Won on the board",
            EndingKind::Drawn => "Without a winner",
            EndingKind::Fault => "Lost by a fault",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            EndingKind::Board => "won",
            EndingKind::Drawn => "drawn",
            EndingKind::Fault => "fault",
        }
    }
}

/// Kind and description of an ending, from its name in records.
pub(super) fn in_words(reason: &str) -> (EndingKind, String) {
    match reason {
        "connected" => (EndingKind::Board, "pieces connected".to_owned()),
        "captured" => (EndingKind::Board, "all pieces captured".to_owned()),
        "blocked" => (EndingKind::Board, "no legal move left".to_owned()),
        _ => match (word::<Draw>(reason), word::<FaultKind>(reason)) {
            (Some(draw), _) => (EndingKind::Drawn, draw_in_words(draw).to_owned()),
            (_, Some(kind)) => (EndingKind::Fault, kind.to_string()),
            (None, None) => (EndingKind::Drawn, reason.replace('-', " ")),
        },
    }
}

/// Parses a variant without fields from its name in records.
fn word<T: DeserializeOwned>(word: &str) -> Option<T> {
    let word: StrDeserializer<'_, Error> = word.into_deserializer();
    T::deserialize(word).ok()
}

fn draw_in_words(draw: Draw) -> &'static str {
    match draw {
        Draw::QuietTurns => "too many quiet turns",
        Draw::Repetition => "repetition",
        Draw::MoveLimit => "turn limit",
        Draw::Position => "drawn position",
    }
}

/// How many games ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct EndingCount {
    #[serde(skip)]
    pub(super) kind: EndingKind,
    /// How these games ended, in words.
    #[serde(rename = "end")]
    pub(super) words: String,
    /// Number of these games.
    pub(super) games: u64,
    /// Drawn games among them whose point went to the side with more time left.
    pub(super) on_time: u64,
}

/// Counts endings, sorted by kind and then by frequency, the most frequent first.
pub(super) fn count(games: &[Summary]) -> Vec<EndingCount> {
    let mut counts: BTreeMap<(EndingKind, String), [u64; 2]> = BTreeMap::new();
    for game in games {
        let on_time = game.winner.is_none() && game.half_points.is_some_and(|[black, white]| black != white);
        let [games, of_them_on_time] = counts.entry(in_words(&game.reason)).or_default();
        *games += 1;
        *of_them_on_time += u64::from(on_time);
    }
    let counts = counts.into_iter();
    let mut endings: Vec<EndingCount> =
        counts.map(|((kind, words), [games, on_time])| EndingCount { kind, words, games, on_time }).collect();
    endings.sort_by(|one, other| (one.kind, other.games, &one.words).cmp(&(other.kind, one.games, &other.words)));
    endings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_summaries_have_a_kind_and_a_name() {
        for (reason, kind, words) in [
            ("connected", EndingKind::Board, "pieces connected"),
            ("captured", EndingKind::Board, "all pieces captured"),
            ("blocked", EndingKind::Board, "no legal move left"),
            ("repetition", EndingKind::Drawn, "repetition"),
            ("quiet-turns", EndingKind::Drawn, "too many quiet turns"),
            ("over-time", EndingKind::Fault, "out of time"),
            ("not-a-file", EndingKind::Fault, "not a regular file"),
            ("some-other", EndingKind::Drawn, "some other"),
        ] {
            assert_eq!(in_words(reason), (kind, words.to_owned()), "{reason}");
        }
    }
}
