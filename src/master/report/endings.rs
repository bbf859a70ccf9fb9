//! How did games end, and how often each way?

use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::master::record::{Draw, FaultKind};
use crate::master::store::Summary;

/// A kind of ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndingKind {
    /// By the rules, with a winner.
    Board,
    /// By the rules, without a winner.
    Drawn,
    /// By a fault.
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

    /// The class in the style sheet.
    pub(super) fn class(self) -> &'static str {
        match self {
            EndingKind::Board => "won",
            EndingKind::Drawn => "drawn",
            EndingKind::Fault => "fault",
        }
    }
}

/// The kind of an ending, and its name for people.
pub(super) fn in_words(reason: &str) -> (EndingKind, String) {
    match reason {
        "connected" => (EndingKind::Board, "pieces connected".to_owned()),
        "captured" => (EndingKind::Board, "all pieces captured".to_owned()),
        "blocked" => (EndingKind::Board, "no legal move left".to_owned()),
        _ => match (word::<Draw>(reason), word::<FaultKind>(reason)) {
            (Some(draw), _) => (EndingKind::Drawn, of_draw(draw).to_owned()),
            (_, Some(kind)) => (EndingKind::Fault, kind.to_string()),
            (None, None) => (EndingKind::Drawn, reason.replace('-', " ")),
        },
    }
}

/// A value without fields, parsed from its name in records.
fn word<T: DeserializeOwned>(word: &str) -> Option<T> {
    let word: StrDeserializer<'_, Error> = word.into_deserializer();
    T::deserialize(word).ok()
}

fn of_draw(draw: Draw) -> &'static str {
    match draw {
        Draw::QuietTurns => "too many quiet turns",
        Draw::Repetition => "repetition",
        Draw::MoveLimit => "limit of turns",
        Draw::Position => "drawn position",
    }
}

/// An ending, and how often games ended that way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndingCount {
    pub(super) group: EndingKind,
    pub(super) words: String,
    pub(super) games: u64,
    /// Those of them that were awarded to the side with more time left.
    pub(super) on_time: u64,
}

/// All endings, by kind, the most frequent first.
pub(super) fn count(games: &[Summary]) -> Vec<EndingCount> {
    let mut endings: Vec<EndingCount> = Vec::new();
    for game in games {
        let (group, words) = in_words(&game.reason);
        let on_time = game.winner.is_none() && game.half_points.is_some_and(|[black, white]| black != white);
        let place = endings.iter().position(|ending| (ending.group, &ending.words) == (group, &words));
        let place = place.unwrap_or_else(|| {
            endings.push(EndingCount { group, words, games: 0, on_time: 0 });
            endings.len() - 1
        });
        endings[place].games += 1;
        endings[place].on_time += u64::from(on_time);
    }
    endings.sort_by(|one, other| (one.group, other.games, &one.words).cmp(&(other.group, one.games, &other.words)));
    endings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_summaries_have_a_kind_and_a_name() {
        for (reason, group, words) in [
            ("connected", EndingKind::Board, "pieces connected"),
            ("captured", EndingKind::Board, "all pieces captured"),
            ("blocked", EndingKind::Board, "no legal move left"),
            ("repetition", EndingKind::Drawn, "repetition"),
            ("quiet-turns", EndingKind::Drawn, "too many quiet turns"),
            ("over-time", EndingKind::Fault, "out of time"),
            ("not-a-file", EndingKind::Fault, "not a regular file"),
            ("some-other", EndingKind::Drawn, "some other"),
        ] {
            assert_eq!(in_words(reason), (group, words.to_owned()), "{reason}");
        }
    }
}
