//! All games as CSV and JSON, one a line.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use super::content::Tournament;
use super::names::game_link;
use super::review::ReviewResults;
use crate::csv;
use crate::tournament::store::Summary;
use kingline::game::Color;
use kingline_players::terminal::escaped_json;

/// Columns of games.csv, and names of the fields in games.json, in this order.
const FIELDS: [&str; 20] = [
    "game",
    "round",
    "pairing",
    "opening",
    "seed",
    "black",
    "white",
    "winner",
    "black_points",
    "white_points",
    "end",
    "turns",
    "black_faults",
    "white_faults",
    "black_timeouts",
    "white_timeouts",
    "black_seconds",
    "white_seconds",
    "black_accuracy",
    "white_accuracy",
];

/// The values of a game in the order of [`FIELDS`]. Accuracies are there only where games are reviewed.
fn values(tournament: &Tournament, game: &Summary, reviews: Option<&ReviewResults>) -> [Value; FIELDS.len()] {
    let name = |side: Color| json!(tournament.agents[game.agents[side.index()]].name);
    let points = |side: Color| json!(game.half_points.map(|half_points| f64::from(half_points[side.index()]) / 2.0));
    let seconds = |side: Color| json!(game.spent[side.index()].as_secs_f64());
    let accuracy = |side| json!(reviews.and_then(|reviews| reviews.accuracy_in(game.id, side)));
    let [black, white] = Color::ALL;
    [
        json!(game.id.0),
        json!(game.round),
        json!(game.pairing),
        json!(game.opening),
        // As text, since many readers round numbers of this size.
        json!(game.seed.to_string()),
        name(black),
        name(white),
        json!(game.winner.map(|winner| winner.to_string())),
        points(black),
        points(white),
        json!(game.reason),
        json!(game.turns),
        json!(game.faults[0]),
        json!(game.faults[1]),
        json!(game.timeouts[0]),
        json!(game.timeouts[1]),
        seconds(black),
        seconds(white),
        accuracy(black),
        accuracy(white),
    ]
}

/// Number of fields of each game.
fn fields(reviews: Option<&ReviewResults>) -> usize {
    if reviews.is_some() { FIELDS.len() } else { FIELDS.len() - 2 }
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
    let fields = fields(reviews);
    file.write_all(csv::header(&FIELDS[..fields]).as_bytes())?;
    for game in games {
        file.write_all(csv::row(&values(tournament, game, reviews)[..fields]).as_bytes())?;
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
    let fields = fields(reviews);
    file.write_all(b"[")?;
    for (index, game) in games.iter().enumerate() {
        file.write_all(if index > 0 { b",\n{" } else { b"\n{" })?;
        let page = ("page", json!(game_link(game.id)));
        let all = FIELDS.into_iter().zip(values(tournament, game, reviews)).take(fields).chain([page]);
        let text: Vec<String> = all.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        file.write_all(escaped_json(&text.join(",")).as_bytes())?;
        file.write_all(b"}")?;
    }
    file.write_all(b"\n]\n")?;
    Ok(())
}
