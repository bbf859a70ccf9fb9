//! Cross table of the best agents; a script shows the rest on a page of its own.

use maud::{Markup, html};

use super::names::pair_link;
use super::results::{Duel, Results};
use super::text::points;

/// Number of agents in the table on the home page.
pub(super) const SHOWN_AGENTS: usize = 20;

/// The cross table of the first [`SHOWN_AGENTS`]. Rows and columns are in the order of the standings.
pub(super) fn table(results: &Results<'_>) -> Markup {
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
