//! Lines of a file of reviews: a header, then a line for each game. All are JSON.

use serde::{Deserialize, Serialize};

use crate::tournament::store::{GameId, Store};
use kingline::checkers;
use kingline::loa;
use kingline_players::game_name::GameName;
use kingline_players::review::{Review, engine};

/// Value of [`Header::format`].
const FORMAT: &str = "kingline reviews 1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    format: String,
    /// Version of the engine, with the nodes and score of a short search.
    engine: String,
    /// Seconds for each position.
    seconds: f64,
    /// Name of the tournament's league.
    league: String,
    /// Seed of the tournament.
    seed: u64,
}

/// The line of a game: a review, or the reason why there is none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameLine {
    pub(super) game: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) review: Option<Review>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<String>,
}

impl Header {
    /// The header of reviews of a store.
    pub(super) fn of(store: &Store, seconds: f64) -> Header {
        Header {
            format: FORMAT.to_owned(),
            engine: match store.league().game {
                GameName::Checkers => engine::<checkers::Position>(),
                GameName::Loa => engine::<loa::Position<8>>(),
                GameName::Loa6 => engine::<loa::Position<6>>(),
            },
            seconds,
            league: store.league().name.clone(),
            seed: store.rules().seed,
        }
    }

    /// Differences to another header, in words.
    pub(super) fn differences(&self, found: &Header) -> String {
        let fields = [
            ("format", &found.format, &self.format),
            ("engine", &found.engine, &self.engine),
            ("seconds", &found.seconds.to_string(), &self.seconds.to_string()),
            ("league", &found.league, &self.league),
            ("seed", &found.seed.to_string(), &self.seed.to_string()),
        ];
        let differing = fields.into_iter().filter(|(_, found, expected)| found != expected);
        let words = differing.map(|(name, found, expected)| format!("found {name} {found}, expected {expected}"));
        words.collect::<Vec<String>>().join("; ")
    }
}

impl GameLine {
    pub(super) fn id(&self) -> GameId {
        GameId(self.game)
    }
}

/// A value as a line.
pub(super) fn line(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
