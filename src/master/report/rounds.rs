//! Ratings by round, as tables and as a line.

use kingline_players::chart::{Axis, Chart, Point, Series};
use maud::{Markup, html};

use super::Tournament;
use super::names::{Root, cut, elo, points};
use super::page::scrolling;
use super::results::Results;
use super::round_ratings::{RatedRound, RoundAgent};
use kingline_players::terminal::escaped;

/// Shown where an agent has no rating.
const NONE: &str = "–";
/// Distance between rounds in the drawing, and height of the line.
const STEP: f64 = 150.0;
const HEIGHT: f64 = 42.0;

/// The section of the page of ratings on earlier rounds; empty if there are none.
pub(super) fn section(tournament: &Tournament, results: &Results<'_>) -> Markup {
    let rounds = &results.rounds;
    html! {
        @if !tournament.earlier.is_empty() {
            section #rounds {
                h2 { "Ratings by round" }
                @if let Some(round) = &rounds.unlinked {
                    p {
                        "No agent of " (shown(round)) " has the same files in the round after it, so that its ratings \
                         cannot be compared with later ones."
                    }
                }
                @if let Some(last) = rounds.last() {
                    p {
                        "Ratings come from the games of each round alone. Those of an earlier round are shifted by one \
                         number, which gives the agents with the same files in it and in the round after it the same \
                         mean rating in both: "
                        @for (place, round) in rounds.rated.iter().enumerate() {
                            @if place > 0 { ", " }
                            (shown(&round.name)) " by " (elo(round.shift)) " (" (round.unchanged) " such agents)"
                        }
                        ". With few games, even a large change may be chance; compare it with the 95 % intervals above."
                    }
                    (scrolling("Ratings by round", &table(tournament, results, last)))
                    (withdrawn(tournament, last))
                }
            }
        }
    }
}

fn table(tournament: &Tournament, results: &Results<'_>, last: &RatedRound) -> Markup {
    html! {
        table .sortable.paged {
            caption { "Ratings by round" }
            thead {
                tr {
                    th scope="col" { "Agent" }
                    th scope="col" { "Files since " (shown(&last.name)) }
                    @for round in &results.rounds.rated { th .n scope="col" { (shown(&round.name)) } }
                    th .n scope="col" { (tournament.name) }
                    th .n scope="col" { "Change" }
                }
            }
            tbody {
                @for row in &results.standings {
                    @let agent = &tournament.agents[row.agent];
                    @let rating = &results.ratings[row.agent];
                    tr {
                        th scope="row" { (results.names[row.agent].link(Root::Here)) }
                        td { (files(last.agents.get(&agent.name), &agent.hash)) }
                        @for round in &results.rounds.rated {
                            (cell(round.agents.get(&agent.name).and_then(|agent| agent.elo)))
                        }
                        (cell((rating.games > 0).then_some(rating.elo)))
                        (cell(results.rounds.risen(&agent.name, rating)))
                    }
                }
            }
        }
    }
}

/// Compares the files of an agent with those that it had in the round before, if any.
fn files(before: Option<&RoundAgent>, hash: &str) -> &'static str {
    match before {
        None => "new",
        Some(before) if before.hash == hash => "unchanged",
        Some(_) => "changed",
    }
}

/// A cell with a rating or a difference of ratings.
pub(super) fn cell(value: Option<f64>) -> Markup {
    match value {
        Some(value) => html! { td .n { (elo(value)) } },
        None => html! { td .n.quiet { (NONE) } },
    }
}

/// Number of agents named as most improved.
const NAMED: usize = 5;

/// The agents that improved most since the round before this one, for the home page; empty if none did.
pub(super) fn improved(tournament: &Tournament, results: &Results<'_>) -> Markup {
    let Some(last) = results.rounds.last() else { return html! {} };
    let risen = |agent: usize| results.rounds.risen(&tournament.agents[agent].name, &results.ratings[agent]);
    let mut agents: Vec<(usize, f64)> = (0..results.names.len())
        .filter_map(|agent| Some((agent, risen(agent).filter(|risen| *risen >= 0.5)?)))
        .collect();
    agents.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    html! {
        @if !agents.is_empty() {
            p {
                "Most improved since " (shown(&last.name)) ":"
                @for (place, &(agent, risen)) in agents.iter().take(NAMED).enumerate() {
                    @if place > 0 { "," } " " (results.names[agent].link(Root::Here)) " " (elo(risen))
                }
                ". " a href="ratings.html#rounds" { "All rounds" }
            }
        }
    }
}

fn withdrawn(tournament: &Tournament, last: &RatedRound) -> Markup {
    let is_here = |name: &String| tournament.agents.iter().any(|agent| agent.name == *name);
    let mut names: Vec<&String> = last.agents.keys().filter(|name| !is_here(name)).collect();
    names.sort();
    html! {
        @if !names.is_empty() {
            p .quiet {
                "Withdrawn since " (shown(&last.name)) ":"
                @for (place, name) in names.iter().enumerate() { @if place > 0 { "," } " " (shown(name)) }
            }
        }
    }
}

/// The section of an agent's page on earlier rounds; empty if it did not take part in any.
pub(super) fn agent_section(tournament: &Tournament, results: &Results<'_>, agent: usize) -> Markup {
    let about = &tournament.agents[agent];
    let row = results.standings.iter().find(|row| row.agent == agent);
    let mut way: Vec<(&str, RoundAgent)> = Vec::new();
    for round in &results.rounds.rated {
        way.extend(round.agents.get(&about.name).map(|agent| (round.name.as_str(), agent.clone())));
    }
    if way.is_empty() {
        return html! {};
    }
    way.extend(row.map(|row| {
        let rating = &results.ratings[agent];
        let elo = (rating.games > 0).then_some(rating.elo);
        let (rank, half_points, games) = (row.rank, row.half_points, row.played - row.unfinished);
        (tournament.name.as_str(), RoundAgent { hash: about.hash.clone(), rank, half_points, games, elo })
    }));
    let befores = std::iter::once(None).chain(way.iter().map(|(_, agent)| Some(agent)));
    html! {
        section #rounds {
            h2 { "Rounds" }
            (scrolling("Rounds", &html! {
                table {
                    caption { "Results in each round" }
                    thead {
                        tr {
                            @for title in ["Round", "Files"] { th scope="col" { (title) } }
                            @for title in ["Rank", "Points", "Games", "Rating", "Change"] {
                                th .n scope="col" { (title) }
                            }
                        }
                    }
                    tbody { @for ((name, agent), before) in way.iter().zip(befores) { (line(name, agent, before)) } }
                }
            }))
            (drawing(&way))
        }
    }
}

/// The line of a round on an agent's page; `before` is the agent in the round before.
fn line(name: &str, agent: &RoundAgent, before: Option<&RoundAgent>) -> Markup {
    let risen = before.and_then(|before| Some(agent.elo? - before.elo?));
    html! {
        tr {
            th scope="row" { (shown(name)) }
            td { (files(before, &agent.hash)) }
            td .n { (agent.rank) }
            td .n.strong { (points(agent.half_points)) }
            td .n.quiet { (agent.games) }
            (cell(agent.elo))
            (cell(risen))
        }
    }
}

/// A line through the ratings of an agent, one round beside the other; empty if it has fewer than two.
fn drawing(way: &[(&str, RoundAgent)]) -> Markup {
    let rated: Vec<(&str, f64)> = way.iter().filter_map(|(name, agent)| Some((*name, agent.elo?))).collect();
    if rated.len() < 2 {
        return html! {};
    }
    let ends = rated.iter().map(|&(_, elo)| elo);
    let (low, high) = (ends.clone().fold(f64::INFINITY, f64::min), ends.fold(f64::NEG_INFINITY, f64::max));
    // Small differences stay small.
    let (middle, half) = (f64::midpoint(low, high), (high - low).max(100.0) / 2.0);
    let places = (0..).map(f64::from).zip(&rated);
    let point =
        |(place, &(_, rating)): (f64, &(&str, f64))| Point { at: [place, rating], error: None, label: elo(rating) };
    let chart = Chart {
        title: "Ratings by round".to_owned(),
        size: [STEP * rated.len() as f64, HEIGHT],
        x: Axis {
            ends: [-0.5, rated.len() as f64 - 0.5],
            marks: places.clone().map(|(place, (name, _))| (place, cut(&shown(name), 20))).collect(),
            ..Axis::default()
        },
        y: Axis { ends: [middle - half, middle + half], ..Axis::default() },
        series: vec![Series {
            has_line: true,
            has_dots: true,
            points: places.map(point).collect(),
            ..Series::default()
        }],
        ..Chart::default()
    };
    scrolling("Plot of ratings by round", &chart.element("way"))
}

/// The name of a round or an agent as pages show it.
fn shown(name: &str) -> String {
    const LONGEST: usize = 80;
    cut(&escaped(name), LONGEST)
}
