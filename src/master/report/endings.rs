//! How games ended: words of summaries in words for people, and their counts.

use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::master::record::{Draw, FaultKind};
use crate::master::store::Summary;

/// What kind of end it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// By the rules, with a winner.
    Board,
    /// By the rules, without one.
    Drawn,
    /// By a fault.
    Fault,
}

impl Group {
    pub(super) const ALL: [Group; 3] = [Group::Board, Group::Drawn, Group::Fault];

    pub(super) fn title(self) -> &'static str {
        match self {
            Group::Board => "Won on the board",
            Group::Drawn => "Without a winner",
            Group::Fault => "Lost by a fault",
        }
    }

    /// For the style.
    pub(super) fn class(self) -> &'static str {
        match self {
            Group::Board => "won",
            Group::Drawn => "drawn",
            Group::Fault => "fault",
        }
    }
}

/// The words of an ending.
pub(super) fn in_words(reason: &str) -> (Group, String) {
    match reason {
        "connected" => (Group::Board, "pieces connected".to_owned()),
        "blocked" => (Group::Board, "no legal move left".to_owned()),
        _ => match (word::<Draw>(reason), word::<FaultKind>(reason)) {
            (Some(draw), _) => (Group::Drawn, of_draw(draw).to_owned()),
            (_, Some(kind)) => (Group::Fault, kind.to_string()),
            (None, None) => (Group::Drawn, reason.replace('-', " ")),
        },
    }
}

/// A value without fields, by the word that records have for it.
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

/// How often games ended so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) group: Group,
    pub(super) words: String,
    pub(super) games: u64,
    /// Those among them that were given to the side with more time left.
    pub(super) on_time: u64,
}

/// All endings, group by group, the most frequent first.
pub(super) fn count(games: &[Summary]) -> Vec<Ending> {
    let mut endings: Vec<Ending> = Vec::new();
    for game in games {
        let (group, words) = in_words(&game.reason);
        let on_time = game.winner.is_none() && game.half_points.is_some_and(|[black, white]| black != white);
        let place = endings.iter().position(|ending| (ending.group, &ending.words) == (group, &words));
        let place = place.unwrap_or_else(|| {
            endings.push(Ending { group, words, games: 0, on_time: 0 });
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
    fn every_word_of_a_summary_is_known() {
        for (reason, group, words) in [
            ("connected", Group::Board, "pieces connected"),
            ("repetition", Group::Drawn, "repetition"),
            ("quiet-turns", Group::Drawn, "too many quiet turns"),
            ("over-time", Group::Fault, "out of time"),
            ("not-a-file", Group::Fault, "no regular file"),
            ("some-other", Group::Drawn, "some other"),
        ] {
            assert_eq!(in_words(reason), (group, words.to_owned()), "{reason}");
        }
    }
}
