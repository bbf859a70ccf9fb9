//! All games as CSV and JSON, one a line.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use super::content::Tournament;
use super::names::game_link;
use super::review::ReviewResults;
use crate::csv;
use crate::tournament::store::Summary;
use kingline::game::Color;
use kingline_players::terminal::escaped_json;

/// A game in games.csv and games.json. Points are whole points, not half points.
#[derive(Default, Serialize)]
struct GameRow {
    game: i64,
    round: u32,
    pairing: u32,
    opening: u32,
    /// As text, since many readers round numbers of this size.
    seed: String,
    black: String,
    white: String,
    winner: Option<String>,
    black_points: Option<f64>,
    white_points: Option<f64>,
    end: String,
    turns: u32,
    black_faults: u32,
    white_faults: u32,
    black_timeouts: u32,
    white_timeouts: u32,
    black_seconds: f64,
    white_seconds: f64,
    /// Only where games are reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    black_accuracy: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white_accuracy: Option<Option<f64>>,
    /// Only in games.json.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

impl GameRow {
    fn of(tournament: &Tournament, game: &Summary, reviews: Option<&ReviewResults>) -> GameRow {
        let [black, white] = game.agents.map(|agent| tournament.agents[agent].name.clone());
        let [black_points, white_points] =
            [0, 1].map(|side| game.half_points.map(|half_points| f64::from(half_points[side]) / 2.0));
        let [black_accuracy, white_accuracy] =
            Color::ALL.map(|side| reviews.map(|reviews| reviews.accuracy_in(game.id, side)));
        GameRow {
            game: game.id.0,
            round: game.round,
            pairing: game.pairing,
            opening: game.opening,
            seed: game.seed.to_string(),
            black,
            white,
            winner: game.winner.map(|winner| winner.to_string()),
            black_points,
            white_points,
            end: game.reason.clone(),
            turns: game.turns,
            black_faults: game.faults[0],
            white_faults: game.faults[1],
            black_timeouts: game.timeouts[0],
            white_timeouts: game.timeouts[1],
            black_seconds: game.spent[0].as_secs_f64(),
            white_seconds: game.spent[1].as_secs_f64(),
            black_accuracy,
            white_accuracy,
            page: None,
        }
    }
}

/// Writes games.csv.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_csv(
    file: &mut impl Write,
    tournament: &Tournament,
    games: &[&Summary],
    reviews: Option<&ReviewResults>,
) -> Result<()> {
    let accuracy = reviews.map(|_| None);
    let none = GameRow { black_accuracy: accuracy, white_accuracy: accuracy, ..GameRow::default() };
    file.write_all(csv::names(&none)?.as_bytes())?;
    for game in games {
        file.write_all(csv::row(&GameRow::of(tournament, game, reviews))?.as_bytes())?;
    }
    Ok(())
}

/// Writes games.json: an array of objects, one a line.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_json(
    file: &mut impl Write,
    tournament: &Tournament,
    games: &[&Summary],
    reviews: Option<&ReviewResults>,
) -> Result<()> {
    file.write_all(b"[")?;
    for (index, game) in games.iter().enumerate() {
        let row = GameRow { page: Some(game_link(game.id)), ..GameRow::of(tournament, game, reviews) };
        file.write_all(if index > 0 { b",\n" } else { b"\n" })?;
        file.write_all(escaped_json(&serde_json::to_string(&row)?).as_bytes())?;
    }
    Ok(file.write_all(b"\n]\n")?)
}
