use std::collections::HashMap;
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{Connection, Error, Result, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{GameId, StoredAgent, Summary};
use crate::game::Color;
use crate::master::league::{Allowance, League};
use crate::master::record::{ChosenBy, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Spent, Turn};
use crate::master::schedule::PlannedGame;

/// The reason of a game that has to be played again.
pub(super) const FAILED: &str = "failed";

/// Which game of a tournament: round, agents, opening.
pub(super) type Key = (u32, [usize; 2], u32);

pub(super) fn key(game: &PlannedGame) -> Key {
    (game.round, game.agents, game.opening)
}

/// The agents that take part, with their numbers, by name.
pub(super) fn present(connection: &Connection) -> Result<Vec<(i64, StoredAgent)>> {
    let mut statement =
        connection.prepare_cached("SELECT id, name, title, hash FROM agent WHERE present ORDER BY name")?;
    let agents = statement.query_map((), |row| {
        Ok((row.get(0)?, StoredAgent { name: row.get(1)?, title: row.get(2)?, hash: row.get(3)? }))
    })?;
    agents.collect()
}

/// What is kept of all games between agents with these numbers; their places here become the indexes. No pairing is
/// numbered yet.
pub(super) fn summaries(connection: &Connection, agents: &[i64]) -> Result<HashMap<Key, Summary>> {
    let places: HashMap<i64, usize> = agents.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let mut statement = connection.prepare_cached(
        "SELECT id, round, black, white, opening, winner, black_points, white_points, reason, black_faults, \
         white_faults, black_timeouts, white_timeouts, turns, black_spent, white_spent, seed FROM game",
    )?;
    let mut games = HashMap::new();
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let (Some(&black), Some(&white)) = (places.get(&row.get(2)?), places.get(&row.get(3)?)) else { continue };
        let (round, agents, opening) = (row.get(1)?, [black, white], row.get(4)?);
        let summary = Summary {
            id: GameId(row.get(0)?),
            round,
            pairing: 0,
            opening,
            seed: row.get::<_, i64>(16)?.cast_unsigned(),
            agents,
            winner: row.get::<_, Option<u8>>(5)?.map(side),
            half_points: row.get::<_, Option<u32>>(6)?.zip(row.get(7)?).map(|(black, white)| [black, white]),
            reason: row.get(8)?,
            faults: [row.get(9)?, row.get(10)?],
            timeouts: [row.get(11)?, row.get(12)?],
            turns: row.get(13)?,
            spent: [time(row.get(14)?), time(row.get(15)?)],
        };
        games.insert((round, agents, opening), summary);
    }
    Ok(games)
}

/// The number of the game that was played where this one is planned, between agents with these numbers, and why it
/// ended.
pub(super) fn find(connection: &Connection, game: &PlannedGame, [black, white]: [i64; 2]) -> Result<(GameId, String)> {
    let mut statement = connection
        .prepare_cached("SELECT id, reason FROM game WHERE round = ? AND black = ? AND white = ? AND opening = ?")?;
    statement.query_row((game.round, black, white, game.opening), |row| Ok((GameId(row.get(0)?), row.get(1)?)))
}

/// Writes a game of agents with these numbers; one with the same number is replaced.
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
    let verdict = &record.verdict;
    let points = verdict.half_points(league.draws);
    let faults = FaultCounts::of(record);
    let spent = Color::ALL.map(|side| micros(spent(record, side, league.clock.counts)));
    let mut statement = connection.prepare_cached(
        "INSERT INTO game (id, round, black, white, opening, seed, winner, black_points, white_points, reason, \
         black_faults, white_faults, black_timeouts, white_timeouts, turns, black_spent, white_spent) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    statement.execute(rusqlite::params![
        id.map(|GameId(id)| id),
        game.round,
        black,
        white,
        game.opening,
        record.seed.cast_signed(),
        verdict.winner.map(|side| side as u8),
        points.map(|points| points[0]),
        points.map(|points| points[1]),
        reason(&verdict.reason)?,
        faults.all[0],
        faults.all[1],
        faults.of_time[0],
        faults.of_time[1],
        record.turns.len() as u32,
        spent[0],
        spent[1],
    ])?;
    let id = connection.last_insert_rowid();
    let mut statement = connection.prepare_cached("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    statement.execute(rusqlite::params![
        id,
        record.start,
        json(&record.opening)?,
        json(verdict)?,
        record.budgets[0].map(micros),
        record.budgets[1].map(micros),
        record.left[0].map(micros),
        record.left[1].map(micros),
        record.tier,
        env!("CARGO_PKG_VERSION"),
    ])?;
    let mut statement = connection.prepare_cached("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (number, turn) in (0u32..).zip(&record.turns) {
        statement.execute(rusqlite::params![
            id,
            number,
            turn.side as u8,
            turn.mv,
            turn.played == ChosenBy::Referee,
            micros(turn.spent.cpu),
            micros(turn.spent.wall),
            turn.left.map(micros),
            turn.fault.as_ref().map(json).transpose()?,
            (!turn.notes.is_empty()).then(|| json(&turn.notes)).transpose()?,
        ])?;
    }
    Ok(GameId(id))
}

/// Reads a game as it was written.
pub(super) fn read(connection: &Connection, league: &League, GameId(id): GameId) -> Result<GameRecord> {
    let mut statement = connection.prepare_cached(
        "SELECT black.name, white.name, game.seed, record.* FROM game JOIN record ON record.game = game.id \
         JOIN agent AS black ON black.id = game.black JOIN agent AS white ON white.id = game.white WHERE game.id = ?",
    )?;
    let mut turns = connection.prepare_cached(
        "SELECT side, move, referee, cpu, wall, left, fault, notes FROM move WHERE game = ? ORDER BY turn",
    )?;
    let turns = turns.query_map((id,), read_turn)?.collect::<Result<_>>()?;
    statement.query_row((id,), |row| {
        Ok(GameRecord {
            league: league.name.clone(),
            game: league.game,
            names: [row.get(0)?, row.get(1)?],
            budgets: times(row, 7)?,
            seed: row.get::<_, i64>(2)?.cast_unsigned(),
            start: row.get(4)?,
            opening: from_json(row, 5)?,
            turns,
            verdict: from_json::<GameVerdict>(row, 6)?,
            left: times(row, 9)?,
            tier: row.get(11)?,
        })
    })
}

fn read_turn(row: &Row<'_>) -> Result<Turn> {
    Ok(Turn {
        side: side(row.get(0)?),
        mv: row.get(1)?,
        played: if row.get(2)? { ChosenBy::Referee } else { ChosenBy::Agent },
        spent: Spent { cpu: time(row.get(3)?), wall: time(row.get(4)?) },
        left: row.get::<_, Option<i64>>(5)?.map(time),
        fault: if row.get_ref(6)?.data_type() == Type::Null { None } else { Some(from_json::<Fault>(row, 6)?) },
        notes: if row.get_ref(7)?.data_type() == Type::Null { Vec::new() } else { from_json(row, 7)? },
    })
}

/// The faults of a game, Black's first.
#[derive(Default)]
struct FaultCounts {
    all: [u32; 2],
    of_time: [u32; 2],
}

impl FaultCounts {
    /// Those of all turns, and the one that ended the game where it is in no turn.
    fn of(record: &GameRecord) -> FaultCounts {
        let mut faults = FaultCounts::default();
        let in_turns = record.turns.iter().filter_map(|turn| turn.fault.as_ref());
        let at_the_end = match &record.verdict.reason {
            EndReason::Fault(fault) if !in_turns.clone().any(|other| other == fault) => Some(fault),
            _ => None,
        };
        for fault in in_turns.chain(at_the_end) {
            faults.all[fault.side.index()] += 1;
            let of_time = matches!(fault.kind, FaultKind::OverTime | FaultKind::Hung);
            faults.of_time[fault.side.index()] += u32::from(of_time);
        }
        faults
    }
}

fn spent(record: &GameRecord, side: Color, counts: Allowance) -> Duration {
    let turns = record.turns.iter().filter(|turn| turn.side == side);
    turns
        .map(|turn| match counts {
            Allowance::Cpu => turn.spent.cpu,
            Allowance::Wall => turn.spent.wall,
        })
        .sum()
}

/// Why a game ended, as its records have it, in a word or two.
fn reason(reason: &EndReason) -> Result<String> {
    let word = match reason {
        EndReason::Connected => "connected",
        EndReason::Blocked => "blocked",
        EndReason::Failed { .. } => FAILED,
        EndReason::Drawn { draw, .. } => return word(draw),
        EndReason::Fault(fault) => return word(&fault.kind),
    };
    Ok(word.to_owned())
}

/// How records write a value without fields.
fn word<T: Serialize>(value: &T) -> Result<String> {
    json(value).map(|text| text.trim_matches('"').to_owned())
}

fn side(index: u8) -> Color {
    if index == 0 { Color::Black } else { Color::White }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// Black's and White's, in two columns.
fn times(row: &Row<'_>, first: usize) -> Result<[Option<Duration>; 2]> {
    Ok([row.get::<_, Option<i64>>(first)?.map(time), row.get::<_, Option<i64>>(first + 1)?.map(time)])
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
