//! Games for programs, as JSON and CSV, and what the scripts of pages need to know of the tournament.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};

use super::games_files::{GAMES_A_FILE, file_of, list_of};
use super::names::game_link;
use super::results::Results;
use super::review::ReviewResults;
use super::{Tournament, endings};
use crate::csv;
use crate::tournament::store::{GameId, Summary};
use kingline::game::Color;
use kingline_players::terminal::{escaped, escaped_json};

/// A game in games.csv and games.json. Points are whole points, not half points.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct GameRow {
    /// Number of the game in the store.
    game: i64,
    /// Round, from 1.
    round: u32,
    /// Number of the pairing in the order of play.
    pairing: u32,
    /// Number of the pairing among those of the two agents.
    opening: u32,
    /// Seed of the opening and of the referee's random moves, as text, since many readers round numbers of this size.
    seed: String,
    /// Agent that played Black.
    black: String,
    /// Agent that played White.
    white: String,
    /// Winner, Black or White; null: there is none.
    winner: Option<String>,
    /// Points of Black; null if the game counts for neither side.
    black_points: Option<f64>,
    /// Points of White, likewise.
    white_points: Option<f64>,
    /// Why the game ended, such as blocked, repetition or over-time.
    end: String,
    /// Turns of the agents, without those of a random opening.
    turns: u32,
    /// Faults of Black.
    black_faults: u32,
    /// Faults of White.
    white_faults: u32,
    /// Faults of Black that exceeded the time.
    black_timeouts: u32,
    /// Faults of White that exceeded the time.
    white_timeouts: u32,
    /// Time of all turns of Black, in seconds, by the league's clock.
    black_seconds: f64,
    /// Time of all turns of White, likewise.
    white_seconds: f64,
    /// Accuracy of Black, 0 to 100; null without a choice. Only with --review.
    #[serde(skip_serializing_if = "Option::is_none")]
    black_accuracy: Option<Option<f64>>,
    /// Accuracy of White, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    white_accuracy: Option<Option<f64>>,
    /// Link to the game in the site.
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

/// The tournament as the scripts need it: agents in the order of the store, with name, page, title and rank;
/// files of games and lists; and how games are shown. `games` are in the order of their numbers.
pub(super) fn for_scripts(tournament: &Tournament, results: &Results<'_>, games: &[&Summary]) -> Value {
    let numbers = |of: fn(GameId) -> i64| {
        let mut numbers: Vec<i64> = games.iter().map(|game| of(game.id)).collect();
        numbers.dedup();
        numbers
    };
    let mut agents: Vec<Value> =
        results.names.iter().map(|name| json!([name.shown, name.file, name.title, Value::Null])).collect();
    for row in &results.standings {
        agents[row.agent][3] = row.rank.into();
    }
    let endings: BTreeMap<&str, Value> = games
        .iter()
        .map(|game| {
            let (kind, words) = endings::in_words(&game.reason);
            (&*game.reason, json!([kind.class(), words]))
        })
        .collect();
    let clock = &tournament.league.clock;
    let digits = clock.seconds(Duration::ZERO).len();
    let mut data = json!({
        "league": escaped(&tournament.league.name),
        "game": tournament.league.game,
        "clock": {
            "counts": clock.counts,
            "words": clock.steps_in_words(),
            "step": clock.resolution.as_micros().max(1) as u64,
            "decimals": digits.saturating_sub(2),
            "budget": clock.game.map(|time| time.as_micros() as u64),
        },
        "endings": endings,
        "agents": agents,
        "order": results.standings.iter().map(|row| row.agent).collect::<Vec<usize>>(),
        "games": games.len(),
        "games_a_file": GAMES_A_FILE,
        "files": numbers(file_of),
        "lists": numbers(list_of),
    });
    if results.reviews.is_some() {
        data["reviewed"] = true.into();
    }
    data
}
