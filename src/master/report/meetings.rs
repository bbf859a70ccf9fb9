//! Rounds of an elimination, and the cross table of the best agents. A script shows the other pairs on a separate page.

use maud::{Markup, html};

use super::names::{Root, pair_link, points};
use super::results::{Duel, Results};
use crate::league::DrawRule;
use crate::tournament::bracket::{Bracket, Meeting, MeetingResult, Round, rule};

/// The bracket's page; `draws` is the league's rule.
pub(super) fn bracket_page(bracket: &Bracket, draws: DrawRule, results: &Results<'_>) -> Markup {
    html! {
        section #bracket {
            h1 { "Bracket" }
            (winners(bracket, results))
            p {
                "Each round pairs agents that have not met before. " (rule(draws)) " An agent without an opponent rests. \
                 The rounds end when all agents still in have met."
            }
            @if bracket.winners.is_none() { p { "The last round is not over." } }
            div .groups.bracket {
                @for round in &bracket.rounds { (show_round(round, results)) }
            }
        }
    }
}

/// The winners, for the top of the page; empty until the tournament is over.
pub(super) fn winners(bracket: &Bracket, results: &Results<'_>) -> Markup {
    let winners = bracket.winners.as_deref().unwrap_or_default();
    html! {
        @if !winners.is_empty() {
            p .verdict {
                strong { @if winners.len() == 1 { "Winner" } @else { "Winners" } }
                @for (place, &agent) in winners.iter().enumerate() {
                    @if place > 0 { "," } " " (results.names[agent].links(Root::Here))
                }
            }
        }
    }
}

fn show_round(round: &Round, results: &Results<'_>) -> Markup {
    let number = round.number;
    html! {
        section aria-labelledby={ "round" (number) } {
            h2 id={ "round" (number) } { "Round " (number) }
            table {
                caption .hidden { "Meetings of round " (number) }
                thead { tr { th scope="col" { "Agent" } th .n scope="col" { "Points" } th scope="col" { "Result" } } }
                @for meeting in &round.meetings { (show_meeting(meeting, results)) }
                @for &agent in &round.resting {
                    tbody {
                        tr { th scope="row" { (results.names[agent].link(Root::Here)) } td {} td .quiet { "rests" } }
                    }
                }
            }
        }
    }
}

/// A row for each of the two agents, and one for games without a result.
fn show_meeting(meeting: &Meeting, results: &Results<'_>) -> Markup {
    let remarks = meeting.remarks();
    html! {
        tbody {
            @for place in 0..2 { (show_agent(meeting, place, results)) }
            @if !remarks.is_empty() { tr { td .quiet colspan="3" { (remarks.join(", ")) } } }
        }
    }
}

/// The row of the agent at index `place` in a meeting.
fn show_agent(meeting: &Meeting, place: usize, results: &Results<'_>) -> Markup {
    let (agent, other) = (meeting.agents[place], meeting.agents[1 - place]);
    let name = &results.names[agent];
    let points = points(meeting.half_points[place]);
    let (class, result) = match meeting.result(place) {
        MeetingResult::Out => ("lost", "out"),
        MeetingResult::StaysIn => ("strong", "stays in"),
        MeetingResult::Open => ("quiet", "open"),
    };
    html! {
        tr {
            th scope="row" { (name.link(Root::Here)) }
            td .n {
                @if results.duels.contains_key(&[agent, other]) {
                    a href=(pair_link([agent, other])) { (points) }
                } @else {
                    (points)
                }
            }
            td class=(class) { (result) span .hidden { " against " (results.names[other].shown) } }
        }
    }
}

/// Number of agents in the table on the home page.
pub(super) const SHOWN_AGENTS: usize = 20;

/// The cross table of the first [`SHOWN_AGENTS`]. Rows and columns are in the order of the standings.
pub(super) fn cross_table(results: &Results<'_>) -> Markup {
    let order: Vec<usize> = results.standings.iter().take(SHOWN_AGENTS).map(|row| row.agent).collect();
    html! {
        table .cross {
            caption { "Points of each agent against every other" }
            thead {
                tr {
                    th scope="col" { "Agent" }
                    @for (place, &agent) in order.iter().enumerate() {
                        @let name = &results.names[agent];
                        th scope="col" {
                            a href=(name.file) title=(name.shown) {
                                span .hidden { (name.shown) } " " (place + 1)
                            }
                        }
                    }
                }
            }
            tbody {
                @for (place, &row) in order.iter().enumerate() {
                    @let name = &results.names[row];
                    tr {
                        th scope="row" { span .quiet { (place + 1) } " " a href=(name.file) { (name.shown) } }
                        @for &column in &order { (cell(results, row, column)) }
                    }
                }
            }
        }
    }
}

/// Points of the row's agent against the column's agent, with a link to their games.
fn cell(results: &Results<'_>, row: usize, column: usize) -> Markup {
    let Some(&Duel { games, half_points }) = results.duels.get(&[row, column]) else { return html! { td {} } };
    let tenths = (half_points * 5).checked_div(games);
    html! {
        td class=[tenths.map(|tenths| format!("s{tenths}"))] {
            a href=(pair_link([row, column])) {
                @if games > 0 { (points(half_points)) } @else { "–" }
            }
        }
    }
}
