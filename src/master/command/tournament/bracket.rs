//! The elimination bracket, for a terminal.

use anyhow::Result;
use comfy_table::Cell;

use super::cells::{name, right, table};
use crate::league::DrawRule;
use crate::tournament::bracket::{Bracket, Meeting, MeetingResult, rule};
use crate::tournament::store::StoredAgent;
use kingline_players::terminal::{escaped, stdout_drawing, stdout_line};

/// Prints a line for each meeting, the rule by which agents are out, and the winners; `draws` is the league's rule.
pub(super) fn print(bracket: &Bracket, draws: DrawRule, agents: &[StoredAgent]) -> Result<()> {
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
}
