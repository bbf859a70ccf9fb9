//! The table of standings.

use maud::{Markup, html};

use super::content::Tournament;
use super::names::Root;
use super::page::scrolling;
use super::results::Results;
use super::review::accuracy_cell;
use super::rounds;
use super::text::{cut, elo, interval, points};
use crate::league::DrawRule;
use crate::record::FaultKind;
use crate::tournament::standings::Standing;
use kingline_players::chart::shares;
use kingline_players::terminal::escaped;

/// The section with the table, which scripts sort, search and page.
pub(super) fn section(tournament: &Tournament, results: &Results<'_>) -> Markup {
    let draws = match tournament.league.draws {
        DrawRule::Halves => "A drawn game is half a point for each side.",
        DrawRule::MoreTimeLeft => "The point of a drawn game goes to the side with more time left.",
        DrawRule::Nothing => "A game without a winner counts for neither side.",
    };
    let clock = &tournament.league.clock;
    let table = html! {
        table .sortable.paged.standings {
            caption { "Standings" }
            thead {
                tr {
                    th .n scope="col" { "Rank" }
                    th scope="col" { "Agent" }
                    @for title in ["Points", "Games", "Won", "Drawn", "Lost"] { th .n scope="col" { (title) } }
                    td {}
                    @for title in ["Unfinished", "Faults", "Illegal moves", "Timeouts"] {
                        th .n scope="col" { (title) }
                    }
                    th .n scope="col" { (clock.counts.title()) " s per turn" }
                    th .n scope="col" { "Rating" }
                    @if results.reviews.is_some() { th .n scope="col" { "Accuracy" } }
                    @if let Some(round) = results.rounds.last() {
                        th .n scope="col" { "Since " (cut(&escaped(&round.name), 80)) }
                    }
                }
            }
            tbody { @for row in &results.standings { (row_of(row, tournament, results)) } }
        }
    };
    html! {
        section #standings {
            h2 { "Standings" }
            p {
                (draws) " Won, drawn and lost are outcomes by the rules or by a fault, whoever gets the points. "
                "Clock: " (clock.steps_in_words()) "."
            }
            (scrolling("Standings", &table))
        }
    }
}

/// An agent's row.
fn row_of(row: &Standing, tournament: &Tournament, results: &Results<'_>) -> Markup {
    let Results { names, ratings, rounds, statistics, .. } = results;
    let (rating, statistics) = (ratings[row.agent], &statistics.agents[row.agent]);
    let games = row.played - row.unfinished;
    let percent = |part: u32| f64::from(part) * 100.0 / f64::from(games.max(1));
    let (won_to, drawn_to) = (percent(row.wins), percent(row.wins + row.draws));
    let illegal = statistics.faults_of(FaultKind::Illegal);
    let mean = tournament.league.clock.seconds(statistics.mean()).to_string();
    html! {
        tr {
            td { (row.rank) }
            th scope="row" {
                (names[row.agent].links(Root::Here))
                @if let Some(round) = row.out { " " span .quiet { "out after round " (round) } }
            }
            td .strong { (points(row.half_points)) }
            td .quiet { (games) }
            @for number in [row.wins, row.draws, row.losses] { td { (number) } }
            td { @if games > 0 { (shares("share", &[won_to, drawn_to])) } }
            @for number in [row.unfinished.into(), row.faults.into(), illegal, row.timeouts.into()] {
                td .quiet[number == 0] { (number) }
            }
            td { (mean) }
            td {
                @if rating.games > 0 {
                    (elo(rating.elo))
                    @if let Some(interval) = interval(&rating) { " " span .quiet { (interval) } }
                } @else {
                    "–"
                }
            }
            @if let Some(reviews) = results.reviews { (accuracy_cell(reviews.accuracy(row.agent))) }
            @if rounds.last().is_some() {
                (rounds::cell(rounds.risen(&tournament.agents[row.agent].name, &rating)))
            }
        }
    }
}
