//! Games as rows of the tables.

use std::collections::HashMap;
use std::time::Duration;

use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, Error, Result, Row, RowIndex, Statement, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FAILED, GameId, StoredAgent, Summary, checksum};
use crate::league::clock_rules::{Allowance, Spent};
use crate::league::{FaultRule, League};
use crate::record::{ChosenBy, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Turn};
use crate::tournament::schedule::{GameKey, PlannedGame};
use kingline::game::Color;

/// Returns the agents that take part, with their ids, sorted by name.
pub(super) fn present(connection: &Connection) -> Result<Vec<(i64, StoredAgent)>> {
    let mut statement =
        connection.prepare_cached("SELECT id, name, title, hash FROM agent WHERE present ORDER BY name")?;
    statement.query_map((), read_agent)?.collect()
}

/// Returns all agents that ever took part, with their ids.
pub(super) fn everybody(connection: &Connection) -> Result<Vec<(i64, StoredAgent)>> {
    let mut statement = connection.prepare_cached("SELECT id, name, title, hash FROM agent ORDER BY id")?;
    statement.query_map((), read_agent)?.collect()
}

pub(super) fn read_agent(row: &Row<'_>) -> Result<(i64, StoredAgent)> {
    Ok((row.get(0)?, StoredAgent { name: row.get(1)?, title: row.get(2)?, hash: row.get(3)? }))
}

/// Returns summaries of all games between agents with these ids. Agents are indexed by their places in `agents`;
/// pairings are not numbered yet.
pub(super) fn summaries(connection: &Connection, agents: &[i64]) -> Result<HashMap<GameKey, Summary>> {
    let places: HashMap<i64, usize> = agents.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    let mut statement = connection.prepare_cached("SELECT * FROM game")?;
    let columns = SummaryColumns::of(&statement)?;
    let mut games = HashMap::new();
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let [black, white] = columns.agents;
        let (Some(&black), Some(&white)) = (places.get(&row.get(black)?), places.get(&row.get(white)?)) else {
            continue;
        };
        let [black_points, white_points] = pair::<Option<u32>>(row, columns.points)?;
        let summary = Summary {
            id: GameId(row.get(columns.id)?),
            round: row.get(columns.round)?,
            pairing: 0,
            opening: row.get(columns.opening)?,
            seed: row.get::<_, i64>(columns.seed)?.cast_unsigned(),
            agents: [black, white],
            winner: row.get::<_, Option<u8>>(columns.winner)?.map(side),
            half_points: black_points.zip(white_points).map(Into::into),
            reason: row.get(columns.reason)?,
            faults: pair(row, columns.faults)?,
            timeouts: pair(row, columns.timeouts)?,
            turns: row.get(columns.turns)?,
            spent: pair(row, columns.spent)?.map(time),
        };
        games.insert((summary.round, summary.agents, summary.opening), summary);
    }
    Ok(games)
}

/// Column indexes of `game`, looked up once per query, since there may be very many rows. Pairs contain Black's column,
/// then White's.
struct SummaryColumns {
    id: usize,
    round: usize,
    agents: [usize; 2],
    opening: usize,
    seed: usize,
    winner: usize,
    points: [usize; 2],
    reason: usize,
    faults: [usize; 2],
    timeouts: [usize; 2],
    turns: usize,
    spent: [usize; 2],
}

impl SummaryColumns {
    fn of(statement: &Statement<'_>) -> Result<SummaryColumns> {
        let column = |name| statement.column_index(name);
        Ok(SummaryColumns {
            id: column("id")?,
            round: column("round")?,
            agents: [column("black")?, column("white")?],
            opening: column("opening")?,
            seed: column("seed")?,
            winner: column("winner")?,
            points: [column("black_points")?, column("white_points")?],
            reason: column("reason")?,
            faults: [column("black_faults")?, column("white_faults")?],
            timeouts: [column("black_timeouts")?, column("white_timeouts")?],
            turns: column("turns")?,
            spent: [column("black_spent")?, column("white_spent")?],
        })
    }
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
    let figures = Figures::of(record, league)?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO game (id, round, black, white, opening, seed, winner, black_points, white_points, reason, \
         black_faults, white_faults, black_timeouts, white_timeouts, turns, black_spent, white_spent) \
         VALUES (:id, :round, :black, :white, :opening, :seed, :winner, :black_points, :white_points, :reason, \
         :black_faults, :white_faults, :black_timeouts, :white_timeouts, :turns, :black_spent, :white_spent)",
    )?;
    statement.execute(named_params! {
        ":id": id.map(|GameId(id)| id),
        ":round": game.round,
        ":black": black,
        ":white": white,
        ":opening": game.opening,
        ":seed": record.seed.cast_signed(),
        ":winner": figures.winner.map(|side| side as u8),
        ":black_points": figures.half_points.map(|[black, _]| black),
        ":white_points": figures.half_points.map(|[_, white]| white),
        ":reason": figures.reason,
        ":black_faults": figures.faults[0],
        ":white_faults": figures.faults[1],
        ":black_timeouts": figures.timeouts[0],
        ":white_timeouts": figures.timeouts[1],
        ":turns": figures.turns,
        ":black_spent": micros(figures.spent[0]),
        ":white_spent": micros(figures.spent[1]),
    })?;
    let id = connection.last_insert_rowid();
    let mut statement = connection.prepare_cached(
        "INSERT INTO record (game, start, opening, verdict, black_budget, white_budget, black_left, white_left, tier, \
         kingline) VALUES (:game, :start, :opening, :verdict, :black_budget, :white_budget, :black_left, :white_left, \
         :tier, :kingline)",
    )?;
    statement.execute(named_params! {
        ":game": id,
        ":start": record.start,
        ":opening": json(&record.opening)?,
        ":verdict": json(&record.verdict)?,
        ":black_budget": record.budgets[0].map(micros),
        ":white_budget": record.budgets[1].map(micros),
        ":black_left": record.left[0].map(micros),
        ":white_left": record.left[1].map(micros),
        ":tier": record.tier,
        ":kingline": env!("CARGO_PKG_VERSION"),
    })?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO move (game, turn, side, move, referee, cpu, wall, left, fault, notes, peak) \
         VALUES (:game, :turn, :side, :move, :referee, :cpu, :wall, :left, :fault, :notes, :peak)",
    )?;
    for (number, turn) in (0u32..).zip(&record.turns) {
        statement.execute(named_params! {
            ":game": id,
            ":turn": number,
            ":side": turn.side as u8,
            ":move": turn.mv,
            ":referee": turn.chosen_by == ChosenBy::Referee,
            ":cpu": micros(turn.spent.cpu),
            ":wall": micros(turn.spent.wall),
            ":left": turn.left.map(micros),
            ":fault": turn.fault.as_ref().map(json).transpose()?,
            ":notes": (!turn.notes.is_empty()).then(|| json(&turn.notes)).transpose()?,
            ":peak": turn.peak.as_ref().map(json).transpose()?,
        })?;
    }
    checksum::write(connection, GameId(id))?;
    Ok(GameId(id))
}

/// Reads the record of a game.
pub(super) fn read(connection: &Connection, league: &League, GameId(id): GameId) -> Result<GameRecord> {
    let mut statement = connection.prepare_cached(
        "SELECT black.name AS black, white.name AS white, game.seed, record.* FROM game \
         JOIN record ON record.game = game.id JOIN agent AS black ON black.id = game.black \
         JOIN agent AS white ON white.id = game.white WHERE game.id = ?",
    )?;
    let mut turns = connection.prepare_cached("SELECT * FROM move WHERE game = ? ORDER BY turn")?;
    let columns = TurnColumns::of(&turns)?;
    let turns = turns.query_map((id,), |row| columns.turn(row))?.collect::<Result<_>>()?;
    statement.query_row((id,), |row| {
        Ok(GameRecord {
            league: league.name.clone(),
            game: league.game,
            names: [row.get("black")?, row.get("white")?],
            budgets: times(row, ["black_budget", "white_budget"])?,
            seed: row.get::<_, i64>("seed")?.cast_unsigned(),
            start: row.get("start")?,
            opening: from_json(row, "opening")?,
            turns,
            verdict: from_json::<GameVerdict>(row, "verdict")?,
            left: times(row, ["black_left", "white_left"])?,
            tier: row.get("tier")?,
        })
    })
}

/// Column indexes of `move`, looked up once per game.
struct TurnColumns {
    side: usize,
    mv: usize,
    referee: usize,
    cpu: usize,
    wall: usize,
    left: usize,
    fault: usize,
    notes: usize,
    peak: usize,
}

impl TurnColumns {
    fn of(statement: &Statement<'_>) -> Result<TurnColumns> {
        let column = |name| statement.column_index(name);
        Ok(TurnColumns {
            side: column("side")?,
            mv: column("move")?,
            referee: column("referee")?,
            cpu: column("cpu")?,
            wall: column("wall")?,
            left: column("left")?,
            fault: column("fault")?,
            notes: column("notes")?,
            peak: column("peak")?,
        })
    }

    fn turn(&self, row: &Row<'_>) -> Result<Turn> {
        let is_null = |column: usize| Ok::<bool, Error>(row.get_ref(column)?.data_type() == Type::Null);
        Ok(Turn {
            side: side(row.get(self.side)?),
            mv: row.get(self.mv)?,
            chosen_by: if row.get(self.referee)? { ChosenBy::Referee } else { ChosenBy::Agent },
            spent: Spent { cpu: time(row.get(self.cpu)?), wall: time(row.get(self.wall)?) },
            peak: if is_null(self.peak)? { None } else { Some(from_json(row, self.peak)?) },
            left: row.get::<_, Option<i64>>(self.left)?.map(time),
            fault: if is_null(self.fault)? { None } else { Some(from_json::<Fault>(row, self.fault)?) },
            notes: if is_null(self.notes)? { Vec::new() } else { from_json(row, self.notes)? },
        })
    }
}

/// Values in a summary that are computed from the record; see [`Summary`].
pub(super) struct Figures {
    pub(super) winner: Option<Color>,
    pub(super) half_points: Option<[u32; 2]>,
    pub(super) reason: String,
    pub(super) faults: [u32; 2],
    pub(super) timeouts: [u32; 2],
    pub(super) turns: u32,
    pub(super) spent: [Duration; 2],
}

impl Figures {
    pub(super) fn of(record: &GameRecord, league: &League) -> Result<Figures> {
        let [mut faults, mut timeouts] = [[0; 2]; 2];
        for fault in record.faults() {
            faults[fault.side.index()] += 1;
            let of_time = matches!(fault.kind, FaultKind::OverTime | FaultKind::Hung);
            timeouts[fault.side.index()] += u32::from(of_time);
        }
        Ok(Figures {
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

/// Reads Black's and White's values from two columns.
fn pair<T: FromSql>(row: &Row<'_>, columns: [impl RowIndex; 2]) -> Result<[T; 2]> {
    let [black, white] = columns;
    Ok([row.get(black)?, row.get(white)?])
}

/// Reads Black's and White's times from two columns.
fn times(row: &Row<'_>, columns: [&str; 2]) -> Result<[Option<Duration>; 2]> {
    Ok(pair::<Option<i64>>(row, columns)?.map(|micros| micros.map(time)))
}

fn time(micros: i64) -> Duration {
    Duration::from_micros(micros.try_into().unwrap_or(0))
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::ToSqlConversionFailure(error.into()))
}

fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: impl RowIndex) -> Result<T> {
    let column = column.idx(row.as_ref())?;
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}
