//! Standings for a terminal, or as JSON.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use comfy_table::Cell;
use serde::Serialize;
use serde_json::Value;

use super::bracket;
use super::cells::{name, right, table};
use super::ending::marked;
use crate::league::Pairing;
use crate::tournament::bracket::Bracket;
use crate::tournament::standings::{Standing, standings};
use crate::tournament::store::{Store, TournamentState};
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_drawing, stdout_json, stdout_line};

/// Prints the standings of a tournament, finished or not: `master tournament table agents.db`.
///
/// For an elimination, prints the meetings in each round so far and, when it is over, the winners.
///
/// Exit codes: 0 done, 1 something failed, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct TableArguments {
    /// File that stores the tournament.
    store: PathBuf,
    /// Print only the table, as JSON.
    #[arg(long)]
    json: bool,
}

impl TableArguments {
    pub(super) fn run(&self) -> Result<()> {
        show(&Store::open(&self.store).map_err(marked)?, self.json)
    }
}

/// The standings, as JSON.
#[derive(Serialize)]
struct StandingsTable<'a> {
    league: &'a str,
    rows: Vec<StandingsLine<'a>>,
    /// Games without a result; with elimination, more may follow.
    missing: usize,
    /// Missing games in which the referee failed.
    failed: usize,
    /// Elimination rounds.
    bracket: Option<Value>,
    /// Winners, once the elimination is over.
    winners: Option<Vec<&'a str>>,
    #[serde(skip)]
    pairing: Pairing,
}

/// An agent's line, as JSON.
#[derive(Serialize)]
struct StandingsLine<'a> {
    rank: usize,
    agent: &'a str,
    title: Option<&'a str>,
    points: f64,
    games: u32,
    wins: u32,
    draws: u32,
    draws_taken: u32,
    losses: u32,
    unfinished: u32,
    faults: u32,
    timeouts: u32,
    /// Round after which the agent was out.
    out: Option<u32>,
}

/// Prints the standings of a store.
pub(super) fn show(store: &Store, json: bool) -> Result<()> {
    // All failed games count as given up, which distinguishes them from the other missing games.
    let state = store.schedule(&|_| true).map_err(marked)?;
    let bracket = Bracket::of(store.rules(), &state);
    let TournamentState { out, done, missing, failed } = state;
    let agents = store.agents().map_err(marked)?;
    let line = |row: Standing| StandingsLine {
        rank: row.rank,
        agent: &agents[row.agent].name,
        title: agents[row.agent].title.as_deref(),
        points: f64::from(row.half_points) / 2.0,
        games: row.played,
        wins: row.wins,
        draws: row.draws,
        draws_taken: row.draws_taken,
        losses: row.losses,
        unfinished: row.unfinished,
        faults: row.faults,
        timeouts: row.timeouts,
        out: row.out,
    };
    let rows = standings(&done, &out).into_iter().map(line).collect();
    let (league, pairing, failed) = (&store.league().name, store.rules().pairing, failed.len());
    let names: Vec<&str> = agents.iter().map(|agent| &*agent.name).collect();
    let winners = bracket.as_ref().and_then(|bracket| bracket.winners.as_ref());
    let report = StandingsTable {
        league,
        rows,
        missing: missing.len() + failed,
        failed,
        bracket: bracket.as_ref().map(|bracket| bracket.json(&names)),
        winners: winners.map(|winners| winners.iter().map(|&agent| names[agent]).collect()),
        pairing,
    };
    if json {
        return stdout_json(serde_json::to_string_pretty(&report)?);
    }
    report.print()?;
    bracket.map_or(Ok(()), |bracket| bracket::print(&bracket, store.league().draws, &agents))
}

/// A column: its title, whether it is shown when empty, and its cell for a line.
type Column = (&'static str, Visibility, fn(&StandingsLine) -> String);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Always,
    WithContent,
}

/// All columns except rank and agent.
const COLUMNS: [Column; 10] = [
    ("points", Visibility::Always, |line| line.points.to_string()),
    ("games", Visibility::Always, |line| line.games.to_string()),
    ("won", Visibility::Always, |line| line.wins.to_string()),
    ("drawn", Visibility::Always, |line| line.draws.to_string()),
    ("on time", Visibility::WithContent, |line| number(line.draws_taken)),
    ("lost", Visibility::Always, |line| line.losses.to_string()),
    ("unfinished", Visibility::WithContent, |line| number(line.unfinished)),
    ("faults", Visibility::WithContent, |line| number(line.faults)),
    ("late", Visibility::WithContent, |line| number(line.timeouts)),
    ("out in round", Visibility::WithContent, |line| line.out.map_or(String::new(), |round| round.to_string())),
];

/// Formats a number; leaves zero blank, so that others stand out.
fn number(count: u32) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

impl StandingsTable<'_> {
    fn print(&self) -> Result<()> {
        let has_content = |column: &Column| self.rows.iter().any(|line| !column.2(line).is_empty());
        let columns: Vec<Column> =
            COLUMNS.into_iter().filter(|column| column.1 == Visibility::Always || has_content(column)).collect();
        let titles = columns.iter().map(|column| right(Cell::new(column.0)));
        let mut table = table([right(Cell::new("rank")), Cell::new("agent")].into_iter().chain(titles));
        for line in &self.rows {
            let cells = columns.iter().map(|column| right(Cell::new(column.2(line))));
            let name = Cell::new(name(line.agent, line.title));
            table.add_row([right(Cell::new(line.rank)), name].into_iter().chain(cells));
        }
        stdout_drawing(table.trim_fmt())?;
        if self.missing > 0 {
            stdout_line(format_args!("{} games are missing", self.missing))?;
        }
        match (self.failed, self.pairing) {
            (0, _) => Ok(()),
            (failed, Pairing::RoundRobin) => {
                stdout_line(format_args!("{failed} of them failed and have to be played again"))
            }
            (failed, Pairing::Elimination) => stdout_line(format_args!(
                "{failed} of them failed and have to be played again; the next round waits for them"
            )),
        }
    }
}
