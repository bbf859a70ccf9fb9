//! Standings and the elimination bracket for a terminal, or as JSON.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};
use serde::Serialize;

use super::marked;
use crate::league::{DrawRule, Pairing};
use crate::tournament::bracket::{Bracket, Meeting, MeetingResult, RoundText, rule};
use crate::tournament::standings::{Standing, standings};
use crate::tournament::store::{Store, StoredAgent, TournamentState};
use kingline::draw::Paint;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{Screen, escaped, stdout_drawing, stdout_json, stdout_line};

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

/// Standings: the output of `master tournament --json` and `master tournament table --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Standings"))]
pub(crate) struct StandingsTable<'a> {
    /// Name of the league.
    league: &'a str,
    /// The agents, the best first.
    rows: Vec<StandingsLine<'a>>,
    /// Games without a result; with elimination, more may follow.
    missing: usize,
    /// Missing games in which the referee failed.
    failed: usize,
    /// Rounds of an elimination; null: the tournament has another format.
    bracket: Option<Vec<RoundText<'a>>>,
    /// Agents that were never eliminated; null until an elimination is over.
    winners: Option<Vec<&'a str>>,
    #[serde(skip)]
    pairing: Pairing,
}

/// An agent in the standings.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct StandingsLine<'a> {
    /// Rank, from 1; agents with equal results share it.
    rank: usize,
    /// Name of the agent.
    agent: &'a str,
    /// The name that the agent gives itself.
    title: Option<&'a str>,
    #[serde(flatten)]
    row: Standing,
}

pub(super) fn show(store: &Store, json: bool) -> Result<()> {
    // All failed games count as given up, which distinguishes them from the other missing games.
    let state = store.schedule(&|_| true).map_err(marked)?;
    let bracket = Bracket::of(store.rules(), &state);
    let TournamentState { out, done, missing, failed } = state;
    let agents = store.agents().map_err(marked)?;
    let line = |row: Standing| {
        let StoredAgent { name, title, .. } = &agents[row.agent];
        StandingsLine { rank: row.rank, agent: name, title: title.as_deref(), row }
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
    bracket.map_or(Ok(()), |bracket| print_bracket(&bracket, store.league().draws, &agents))
}

/// A column: its title, whether it is shown only if a line has something in it, and its cell for a line.
type Column = (&'static str, bool, fn(&StandingsLine) -> String);

/// All columns except rank and agent.
const COLUMNS: [Column; 10] = [
    ("points", false, |line| (f64::from(line.row.half_points) / 2.0).to_string()),
    ("games", false, |line| line.row.played.to_string()),
    ("won", false, |line| line.row.wins.to_string()),
    ("drawn", false, |line| line.row.draws.to_string()),
    ("on time", true, |line| number(line.row.draws_taken)),
    ("lost", false, |line| line.row.losses.to_string()),
    ("unfinished", true, |line| number(line.row.unfinished)),
    ("faults", true, |line| number(line.row.faults)),
    ("late", true, |line| number(line.row.timeouts)),
    ("out in round", true, |line| line.row.out.map_or(String::new(), |round| round.to_string())),
];

/// Formats a number; leaves zero blank, so that others stand out.
fn number(count: u32) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

impl StandingsTable<'_> {
    fn print(&self) -> Result<()> {
        let has_content = |column: &Column| self.rows.iter().any(|line| !column.2(line).is_empty());
        let columns: Vec<Column> = COLUMNS.into_iter().filter(|column| !column.1 || has_content(column)).collect();
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

/// Prints a line for each meeting, the rule by which agents are out, and the winners; `draws` is the league's rule.
fn print_bracket(bracket: &Bracket, draws: DrawRule, agents: &[StoredAgent]) -> Result<()> {
    let mut rows = table([
        right(Cell::new("round")),
        Cell::new("agent"),
        Cell::new("points"),
        Cell::new("agent"),
        Cell::new("result"),
    ]);
    for round in &bracket.rounds {
        for meeting in &round.meetings {
            let [first, second] = meeting.agents.map(|agent| escaped(&agents[agent].name));
            let cells = [first, points(meeting), second, outcome(meeting, agents)];
            rows.add_row([right(Cell::new(round.number))].into_iter().chain(cells.map(Cell::new)));
        }
        for &agent in &round.resting {
            let cells = [escaped(&agents[agent].name), String::new(), String::new(), "rests".to_owned()];
            rows.add_row([right(Cell::new(round.number))].into_iter().chain(cells.map(Cell::new)));
        }
    }
    if !bracket.rounds.is_empty() {
        stdout_drawing(format_args!("\n{}", rows.trim_fmt()))?;
        stdout_line(rule(draws))?;
    }
    let winner = |agent: &usize| name(&agents[*agent].name, agents[*agent].title.as_deref());
    match bracket.winners.as_deref() {
        None | Some([]) => Ok(()),
        Some([agent]) => stdout_line(format_args!("winner: {}", winner(agent))),
        Some(several) => {
            let names: Vec<String> = several.iter().map(winner).collect();
            stdout_line(format_args!("{} winners: {}", names.len(), names.join(", ")))
        }
    }
}

/// Formats the points of both agents: `1.5 - 0.5`.
fn points(meeting: &Meeting) -> String {
    let [first, second] = meeting.half_points.map(|half_points| f64::from(half_points) / 2.0);
    format!("{first} - {second}")
}

/// Describes who is out, and which games have no result.
fn outcome(meeting: &Meeting, agents: &[StoredAgent]) -> String {
    let mut parts = Vec::new();
    match meeting.out() {
        Some(agent) => parts.push(format!("{} is out", escaped(&agents[agent].name))),
        None if (0..2).all(|place| meeting.result(place) == MeetingResult::StaysIn) => {
            parts.push("both stay in".to_owned());
        }
        None => {}
    }
    parts.extend(meeting.remarks());
    parts.join(", ")
}

/// Returns the unique name of an agent's folder, followed by the name that the agent gives itself.
fn name(folder: &str, title: Option<&str>) -> String {
    let folder = escaped(folder);
    match title.map(escaped).filter(|title| *title != folder) {
        Some(title) => format!("{folder} \"{title}\""),
        None => folder,
    }
}

/// Returns a table with these titles, styled for standard output.
fn table(titles: impl IntoIterator<Item = Cell>) -> Table {
    let screen = Screen::of_stdout();
    let title = |cell: Cell| if screen.paint == Paint::Colored { cell.add_attribute(Attribute::Bold) } else { cell };
    let mut table = Table::new();
    table.load_style(if screen.is_live { presets::UTF8_BORDERS_ONLY } else { presets::NOTHING });
    table.set_header(titles.into_iter().map(title));
    table
}

fn right(cell: Cell) -> Cell {
    cell.set_alignment(CellAlignment::Right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_says_who_is_out_and_what_has_no_result() {
        let agents = ["ann", "b\u{1b}"].map(|name| StoredAgent { name: name.into(), title: None, hash: String::new() });
        let all = Meeting {
            agents: [0, 1],
            half_points: [3, 5],
            losses: [2, 1],
            games: 4,
            uncounted: 0,
            missing: 0,
            failed: 0,
        };
        assert_eq!(points(&all), "1.5 - 2.5");
        for (meeting, words) in [
            (all, "both stay in"),
            (Meeting { losses: [3, 1], ..all }, "ann is out"),
            (Meeting { losses: [0, 4], ..all }, "b\\u{1b} is out"),
            (
                Meeting { losses: [2, 0], missing: 1, failed: 1, ..all },
                "1 of 4 games still to be played, 1 of 4 games failed, to be played again",
            ),
            (
                Meeting { losses: [0, 0], missing: 1, uncounted: 1, ..all },
                "both stay in, 1 of 4 games still to be played, 1 of 4 games without points",
            ),
        ] {
            assert_eq!(outcome(&meeting, &agents), words);
        }
    }

    #[test]
    fn nobody_poses_as_another() {
        assert_eq!(name("bob", None), "bob");
        assert_eq!(name("bob", Some("bob")), "bob");
        assert_eq!(name("bob", Some("alice")), "bob \"alice\"");
        assert_eq!(name("bob", Some("a\u{202e}b\u{1b}[2K")), "bob \"a\\u{202e}b\\u{1b}[2K\"");
    }
}
