//! Games that can be tuned: their players and the names of their numbers.

use anyhow::Result;
use kingline::checkers;
use kingline::game::{Color, Game};
use kingline::loa;
use kingline::search::Params;
use kingline_players::play::LoaSettings;
use kingline_players::protocol::turn_files::Calibration;
use serde_json::{Value, json};

use crate::matches::checkers::CheckersPlayer;
use crate::matches::loa::LoaPlayer;
use crate::matches::{self, FromJson, PlayedGame};
use crate::openings::{self, Openings, SHARP};

/// Game whose numbers can be tuned.
pub(super) trait Tunable {
    type Position: Game + Sync;
    type Player: FromJson + Sync;

    /// Returns the JSON of the default player, with all numbers that can be tuned.
    ///
    /// # Errors
    /// Fails if the player cannot be written as JSON.
    fn defaults() -> Result<Value>;

    /// Returns the first opening of a seed.
    fn opening(seed: u64) -> Self::Position;

    /// Returns the openings of a match.
    fn openings(count: usize, seed: u64) -> Vec<Self::Position>;

    /// Plays one game, in which the first player has `color`.
    ///
    /// # Errors
    /// Never fails for players in this process.
    fn play(players: [&Self::Player; 2], color: Color, opening: Self::Position, seed: u64) -> Result<PlayedGame>;
}

/// American checkers.
pub(super) struct Checkers;

impl Tunable for Checkers {
    type Position = checkers::Position;
    type Player = CheckersPlayer;

    fn defaults() -> Result<Value> {
        Ok(json!({
            "params": shortest(&serde_json::to_string(&Params::default())?)?,
            "frugality": Calibration::default().frugality,
        }))
    }

    fn opening(seed: u64) -> checkers::Position {
        let mut list = Openings::new(SHARP, seed);
        loop {
            if let Some(opening) = list.draw() {
                return opening;
            }
        }
    }

    fn openings(count: usize, seed: u64) -> Vec<checkers::Position> {
        openings::openings(SHARP, count, seed)
    }

    fn play(players: [&CheckersPlayer; 2], color: Color, opening: checkers::Position, seed: u64) -> Result<PlayedGame> {
        matches::checkers::play(players, color, opening, seed)
    }
}

/// Lines of Action on a board of `N` rows.
pub(super) struct Loa<const N: usize>;

impl<const N: usize> Tunable for Loa<N> {
    type Position = loa::Position<N>;
    type Player = LoaPlayer<N>;

    fn defaults() -> Result<Value> {
        Ok(json!({ "settings": shortest(&serde_json::to_string(&LoaSettings::default())?)? }))
    }

    fn opening(seed: u64) -> loa::Position<N> {
        matches::loa::openings(matches::LOA_PLIES, 1, seed)[0]
    }

    fn openings(count: usize, seed: u64) -> Vec<loa::Position<N>> {
        matches::loa::openings(matches::LOA_PLIES, count, seed)
    }

    fn play(players: [&LoaPlayer<N>; 2], color: Color, opening: loa::Position<N>, seed: u64) -> Result<PlayedGame> {
        matches::loa::play(players, color, opening, seed)
    }
}

/// Reads JSON back from its text, which has each number in its shortest form.
fn shortest(text: &str) -> Result<Value> {
    Ok(serde_json::from_str(text)?)
}
