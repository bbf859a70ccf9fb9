//! Games as rows of the tables.

use std::collections::HashMap;
use std::time::Duration;

use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, Error, Params, Result, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FAILED, GameId, StoredAgent, Summary, checksum};
use crate::league::clock_rules::{Allowance, Spent};
use crate::league::{FaultRule, League};
use crate::record::{ChosenBy, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Turn};
use crate::tournament::schedule::{GameKey, PlannedGame};
use kingline::game::Color;

/// Returns agents with their ids; `which` selects and sorts them.
pub(super) fn agents(connection: &Connection, which: &str, params: impl Params) -> Result<Vec<(i64, StoredAgent)>> {
    let agent =
        |row: &Row<'_>| Ok((row.get(0)?, StoredAgent { name: row.get(1)?, title: row.get(2)?, hash: row.get(3)? }));
    let mut statement = connection.prepare_cached(&format!("SELECT id, name, title, hash FROM agent {which}"))?;
    statement.query_map(params, agent)?.collect()
}

/// Columns of a game, in the order in which they are read and written.
const GAME: &str = "id, round, black, white, opening, seed, winner, black_points, white_points, reason, black_faults, \
                    white_faults, black_timeouts, white_timeouts, turns, black_spent, white_spent";
/// Columns of a record after the game's number.
const RECORD: &str = "start, opening, verdict, black_budget, white_budget, black_left, white_left, tier, started";
/// Columns of a turn after the game's and its own number.
const MOVE: &str = "side, move, referee, cpu, wall, left, fault, notes, peak";

/// Returns summaries of all games between agents with these ids. Agents are indexed by their places in `agents`;
/// pairings are not numbered yet.
pub(super) fn summaries(connection: &Connection, agents: &[i64]) -> Result<HashMap<GameKey, Summary>> {
    let places: HashMap<i64, usize> = agents.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let mut statement = connection.prepare_cached(&format!("SELECT {GAME} FROM game"))?;
    let mut games = HashMap::new();
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let (Some(&black), Some(&white)) = (places.get(&row.get(2)?), places.get(&row.get(3)?)) else { continue };
        let [black_points, white_points] = pair::<Option<u32>>(row, 7)?;
        let summary = Summary {
            id: GameId(row.get(0)?),
            round: row.get(1)?,
            pairing: 0,
            agents: [black, white],
            opening: row.get(4)?,
            seed: row.get::<_, i64>(5)?.cast_unsigned(),
            winner: row.get::<_, Option<u8>>(6)?.map(side),
            half_points: black_points.zip(white_points).map(Into::into),
            reason: row.get(9)?,
            faults: pair(row, 10)?,
            timeouts: pair(row, 12)?,
            turns: row.get(14)?,
            spent: pair(row, 15)?.map(time),
        };
        games.insert(summary.key(), summary);
    }
    Ok(games)
}

/// Returns the games in which a side could not be started, and which side. If the league ends games at a fault, the
/// game's reason shows it; otherwise all turns are searched.
pub(super) fn not_started(connection: &Connection, faults: FaultRule) -> Result<HashMap<GameId, [bool; 2]>> {
    let mut statement = connection.prepare_cached(match faults {
        FaultRule::LosesGame => "SELECT id, 1 - winner FROM game WHERE reason = ? AND winner IS NOT NULL",
        FaultRule::RandomMove => {
            "SELECT DISTINCT game, side FROM move WHERE fault IS NOT NULL AND json_extract(fault, '$.kind') = ?"
        }
    })?;
    let mut games: HashMap<GameId, [bool; 2]> = HashMap::new();
    let mut rows = statement.query((word(&FaultKind::NotStarted)?,))?;
    while let Some(row) = rows.next()? {
        games.entry(GameId(row.get(0)?)).or_default()[side(row.get(1)?).index()] = true;
    }
    Ok(games)
}

/// Returns the number of the game between agents with these ids that was played for `game`, and why it ended.
pub(super) fn find(connection: &Connection, game: &PlannedGame, [black, white]: [i64; 2]) -> Result<(GameId, String)> {
    let mut statement = connection
        .prepare_cached("SELECT id, reason FROM game WHERE round = ? AND black = ? AND white = ? AND opening = ?")?;
    statement.query_row((game.round, black, white, game.opening), |row| Ok((GameId(row.get(0)?), row.get(1)?)))
}

/// Writes a game of agents with these ids. Replaces the game `id`, if given.
pub(super) fn write(
    connection: &Connection,
    league: &League,
    id: Option<GameId>,
    game: &PlannedGame,
    [black, white]: [i64; 2],
    record: &GameRecord,
) -> Result<GameId> {
    if let Some(GameId(id)) = id {
        for table in ["move", "record"] {
            connection.execute(&format!("DELETE FROM {table} WHERE game = ?"), (id,))?;
        }
        connection.execute("DELETE FROM game WHERE id = ?", (id,))?;
    }
    let summary = Summary::of(GameId(0), game, record, league)?;
    let insert = |table: &str, columns: &str| {
        let values = vec!["?"; columns.split(',').count()].join(", ");
        connection.prepare_cached(&format!("INSERT INTO {table} ({columns}) VALUES ({values})"))
    };
    insert("game", GAME)?.execute(params![
        id.map(|GameId(id)| id),
        game.round,
        black,
        white,
        game.opening,
        summary.seed.cast_signed(),
        summary.winner.map(|side| side as u8),
        summary.half_points.map(|[black, _]| black),
        summary.half_points.map(|[_, white]| white),
        summary.reason,
        summary.faults[0],
        summary.faults[1],
        summary.timeouts[0],
        summary.timeouts[1],
        summary.turns,
        micros(summary.spent[0]),
        micros(summary.spent[1]),
    ])?;
    let id = connection.last_insert_rowid();
    insert("record", &format!("game, {RECORD}, kingline"))?.execute(params![
        id,
        record.start,
        json(&record.opening)?,
        json(&record.verdict)?,
        record.budgets[0].map(micros),
        record.budgets[1].map(micros),
        record.left[0].map(micros),
        record.left[1].map(micros),
        record.tier,
        record.started,
        env!("CARGO_PKG_VERSION"),
    ])?;
    let mut statement = insert("move", &format!("game, turn, {MOVE}"))?;
    for (number, turn) in (0u32..).zip(&record.turns) {
        statement.execute(params![
            id,
            number,
            turn.side as u8,
            turn.mv,
            turn.chosen_by == ChosenBy::Referee,
            micros(turn.spent.cpu),
            micros(turn.spent.wall),
            turn.left.map(micros),
            turn.fault.as_ref().map(json).transpose()?,
            (!turn.notes.is_empty()).then(|| json(&turn.notes)).transpose()?,
            turn.peak.as_ref().map(json).transpose()?,
        ])?;
    }
    checksum::write(connection, GameId(id))?;
    Ok(GameId(id))
}

pub(super) fn read(connection: &Connection, league: &League, GameId(id): GameId) -> Result<GameRecord> {
    let mut turns = connection.prepare_cached(&format!("SELECT {MOVE} FROM move WHERE game = ? ORDER BY turn"))?;
    let turns = turns.query_map((id,), turn)?.collect::<Result<_>>()?;
    let record: Vec<String> = RECORD.split(", ").map(|column| format!("record.{column}")).collect();
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {}, black.name, white.name, game.seed FROM game \
         JOIN record ON record.game = game.id JOIN agent AS black ON black.id = game.black \
         JOIN agent AS white ON white.id = game.white WHERE game.id = ?",
        record.join(", ")
    ))?;
    let times =
        |row: &Row<'_>, column| Ok::<_, Error>(pair::<Option<i64>>(row, column)?.map(|micros| micros.map(time)));
    statement.query_row((id,), |row| {
        Ok(GameRecord {
            league: league.name.clone(),
            game: league.game,
            start: row.get(0)?,
            opening: from_json(row, 1)?,
            turns,
            verdict: from_json::<GameVerdict>(row, 2)?,
            budgets: times(row, 3)?,
            left: times(row, 5)?,
            tier: row.get(7)?,
            started: row.get(8)?,
            names: pair(row, 9)?,
            seed: row.get::<_, i64>(11)?.cast_unsigned(),
        })
    })
}

/// Reads a turn, whose columns are those of [`MOVE`].
fn turn(row: &Row<'_>) -> Result<Turn> {
    Ok(Turn {
        side: side(row.get(0)?),
        mv: row.get(1)?,
        chosen_by: if row.get(2)? { ChosenBy::Referee } else { ChosenBy::Agent },
        spent: Spent { cpu: time(row.get(3)?), wall: time(row.get(4)?) },
        left: row.get::<_, Option<i64>>(5)?.map(time),
        fault: optional::<Fault>(row, 6)?,
        notes: optional(row, 7)?.unwrap_or_default(),
        peak: optional(row, 8)?,
    })
}

impl Summary {
    /// Returns the short form of a game that was played as planned.
    pub(super) fn of(id: GameId, game: &PlannedGame, record: &GameRecord, league: &League) -> Result<Summary> {
        let [mut faults, mut timeouts] = [[0; 2]; 2];
        for fault in record.faults() {
            faults[fault.side.index()] += 1;
            let of_time = matches!(fault.kind, FaultKind::OverTime | FaultKind::Hung);
            timeouts[fault.side.index()] += u32::from(of_time);
        }
        Ok(Summary {
            id,
            round: game.round,
            pairing: game.pairing,
            opening: game.opening,
            seed: record.seed,
            agents: game.agents,
            winner: record.verdict.winner,
            half_points: record.verdict.half_points(league.draws),
            reason: reason(&record.verdict.reason)?,
            faults,
            timeouts,
            turns: u32::try_from(record.turns.len()).unwrap_or(u32::MAX),
            spent: Color::ALL.map(|side| spent(record, side, league.clock.counts)),
        })
    }
}

fn spent(record: &GameRecord, side: Color, counts: Allowance) -> Duration {
    let turns = record.turns.iter().filter(|turn| turn.side == side);
    turns.map(|turn| counts.of(&turn.spent)).sum()
}

/// Converts the reason why a game ended to [`Summary::reason`].
fn reason(reason: &EndReason) -> Result<String> {
    let word = match reason {
        EndReason::Connected => "connected",
        EndReason::Captured => "captured",
        EndReason::Blocked => "blocked",
        EndReason::Failed(_) => FAILED,
        EndReason::Drawn { draw, .. } => return word(draw),
        EndReason::Fault(fault) => return word(&fault.kind),
    };
    Ok(word.to_owned())
}

/// Returns the JSON name of an enum variant without fields.
fn word<T: Serialize>(value: &T) -> Result<String> {
    json(value).map(|text| text.trim_matches('"').to_owned())
}

fn side(index: u8) -> Color {
    if index == 0 { Color::Black } else { Color::White }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// Reads Black's value from this column and White's from the next.
fn pair<T: FromSql>(row: &Row<'_>, column: usize) -> Result<[T; 2]> {
    Ok([row.get(column)?, row.get(column + 1)?])
}

fn time(micros: i64) -> Duration {
    Duration::from_micros(micros.try_into().unwrap_or(0))
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::ToSqlConversionFailure(error.into()))
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// Reads a value that may be missing.
fn optional<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Option<T>> {
    let is_null = row.get_ref(column)?.data_type() == Type::Null;
    if is_null { Ok(None) } else { from_json(row, column).map(Some) }
}
